// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace toile {

/// An open file that is read and written at any place. Every failure is an IoError with path and
/// cause.
class RandomFile {
  public:
    enum class Mode {
        Read,    ///< must exist
        Modify,  ///< must exist
        Create   ///< must not exist
    };
    RandomFile(std::filesystem::path path, Mode mode);
    ~RandomFile();
    RandomFile(RandomFile&& other) noexcept;
    RandomFile(const RandomFile&) = delete;
    RandomFile& operator=(const RandomFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] long long size() const;
    /// Fills `out_bytes` from `offset` on; returns how many bytes there were before the end.
    size_t read_at(long long offset, std::span<char> out_bytes) const;
    void write_at(long long offset, std::string_view bytes);
    void truncate(long long size);
    /// Returns when what was written is on the disk.
    void flush();

  private:
    std::filesystem::path path_;
    int fd_ = -1;
};

}  // namespace toile
