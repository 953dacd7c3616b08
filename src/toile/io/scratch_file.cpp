// SPDX-License-Identifier: Apache-2.0
#include "toile/io/scratch_file.h"

#include "toile/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace toile {
namespace {

[[noreturn]] void fail(const char* verb, const std::filesystem::path& folder) {
    throw IoError(fmt::format("Cannot {} a temporary file in '{}': {}.", verb, folder.string(),
                              std::strerror(errno)));
}

}  // namespace

ScratchFile::ScratchFile(const std::filesystem::path& folder)
    : folder_(folder.empty() ? "." : folder) {
    std::string name = (folder_ / ".toile-scratch-XXXXXX").string();
    fd_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd_ < 0) fail("make", folder_);
    ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() {
    ::close(fd_);
}

void ScratchFile::append(std::string_view bytes) {
    long long at = size_;
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("write", folder_);
        bytes.remove_prefix(static_cast<size_t>(n));
        at += n;
    }
    size_ = at;
}

void ScratchFile::read_at(long long offset, std::span<char> out_bytes) const {
    while (!out_bytes.empty()) {
        const ssize_t n = ::pread(fd_, out_bytes.data(), out_bytes.size(), offset);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EIO;
        if (n <= 0) fail("read", folder_);
        out_bytes = out_bytes.subspan(static_cast<size_t>(n));
        offset += n;
    }
}

}  // namespace toile
