// SPDX-License-Identifier: Apache-2.0
#include "toile/io/folder_lock.h"

#include "toile/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace toile {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ < 0) {
        throw IoError(fmt::format("Cannot open '{}': {}.", folder.string(), std::strerror(errno)));
    }
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(std::exchange(fd_, -1));
    throw IoError(
        fmt::format("'{}' is being written by another job; wait for its end, or choose "
                    "another folder.",
                    folder.string()));
}

FolderLock::~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

}  // namespace toile
