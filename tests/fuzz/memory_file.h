// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/promise.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace toile::test {

/// Bytes under a path, in memory.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        demand(fd_ >= 0 &&
                   ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
               "the test could not make its file");
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

}  // namespace toile::test
