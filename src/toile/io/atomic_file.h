// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace toile {

struct OutputOptions {
    bool overwrite = false;  ///< false: an existing file is an IoError and stays as it is
};

/// A file that appears whole or not at all: bytes go to a hidden temporary file in the same folder,
/// which `commit` flushes to the disk and renames. Without `commit` (an exception, say) nothing is
/// left behind, and a file that stood at `path` stays. A symbolic link is followed; a folder or a
/// device is refused. Every failure is an IoError with path and cause.
class AtomicFile {
  public:
    explicit AtomicFile(std::filesystem::path path, OutputOptions options = {});
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    /// Replaces bytes written before, from `offset` on; the next `write` still appends.
    void rewrite(long long offset, std::string_view bytes);
    /// Call once, last.
    void commit();

  private:
    void rename_to_final();

    std::filesystem::path path_;
    std::filesystem::path temporary_;
    OutputOptions options_;
    int fd_ = -1;
};

/// Writes `bytes` as the whole content of `path` through an AtomicFile.
void write_file(const std::filesystem::path& path, std::string_view bytes,
                OutputOptions options = {});

/// Throws IoError where `path` may not be written under `options`: it exists, is no ordinary file,
/// or its folder does not exist. For refusing early, before hours of work.
void check_output(const std::filesystem::path& path, OutputOptions options = {});

/// Makes a rename or a new name in `folder` survive a power cut.
void flush_folder(const std::filesystem::path& folder);

}  // namespace toile
