// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace toile {

/// A file without a name, for what must wait on the disk before it can be written where it belongs.
/// Gone with this object and with the process, however that ends. Every failure is an IoError.
class ScratchFile {
  public:
    /// Room on the file system of `folder`.
    explicit ScratchFile(const std::filesystem::path& folder);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    /// All of them, or, where it throws, none.
    void append(std::string_view bytes);
    /// Fills `out_bytes` from `offset` on; fewer bytes there are an IoError.
    void read_at(long long offset, std::span<char> out_bytes) const;
    /// Forgets what follows the first `size` bytes.
    void cut(long long size) { size_ = size; }
    [[nodiscard]] long long size() const { return size_; }

  private:
    std::filesystem::path folder_;
    int fd_ = -1;
    long long size_ = 0;
};

}  // namespace toile
