// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace toile {

/// Keeps other processes from writing into a folder at the same time. The system lets go of it when
/// the process ends, however it ends; no file is left behind. Readers need no lock. Where the file
/// system knows no locks there is no protection, and no error.
class FolderLock {
  public:
    /// Throws IoError where the folder is held already, or cannot be opened.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int fd_ = -1;
};

}  // namespace toile
