// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// Writes a ZIP archive [ZIP] whose files are stored as they are: for pictures, which are packed
/// already. Memory holds the list of files alone.
class ZipWriter {
  public:
    explicit ZipWriter(const std::filesystem::path& path, OutputOptions options = {});

    /// Appends a file. Throws InvalidInput where the archive would hold more than 65,535 files or
    /// 4 GiB, which this form of ZIP cannot tell.
    void add(const std::string& name, std::string_view bytes);
    /// Only then does the archive stand under its name.
    void finish();

  private:
    AtomicFile file_;
    std::string directory_;
    std::uint64_t size_ = 0;
    std::uint64_t n_files_ = 0;
};

namespace detail {
/// The check sum of ZIP and PNG: CRC-32, polynomial 0xEDB88320 reflected.
std::uint32_t crc32(std::string_view bytes);
}  // namespace detail

}  // namespace toile
