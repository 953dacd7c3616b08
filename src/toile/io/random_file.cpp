// SPDX-License-Identifier: Apache-2.0
#include "toile/io/random_file.h"

#include "toile/core/error.h"
#include "toile/io/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace toile {
namespace {

[[noreturn]] void fail(const char* verb, const std::filesystem::path& path) {
    throw IoError(fmt::format("Cannot {} '{}': {}.", verb, path.string(), std::strerror(errno)));
}

int flags_of(RandomFile::Mode mode) {
    switch (mode) {
        case RandomFile::Mode::Read:
            return O_RDONLY | O_CLOEXEC;
        case RandomFile::Mode::Modify:
            return O_RDWR | O_CLOEXEC;
        case RandomFile::Mode::Create:
            break;
    }
    return O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
}

}  // namespace

RandomFile::RandomFile(std::filesystem::path path, Mode mode) : path_(std::move(path)) {
    if (mode != Mode::Create) require_existing(path_);
    fd_ = ::open(path_.c_str(), flags_of(mode), 0666);
    if (fd_ < 0) fail("open", path_);
}

RandomFile::~RandomFile() {
    if (fd_ >= 0) ::close(fd_);
}

RandomFile::RandomFile(RandomFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

long long RandomFile::size() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) fail("read", path_);
    return status.st_size;
}

size_t RandomFile::read_at(long long offset, std::span<char> out_bytes) const {
    size_t n = 0;
    while (n < out_bytes.size()) {
        const ssize_t got = ::pread(fd_, out_bytes.data() + n, out_bytes.size() - n,
                                    offset + static_cast<long long>(n));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read", path_);
        if (got == 0) break;
        n += static_cast<size_t>(got);
    }
    return n;
}

void RandomFile::write_at(long long offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", path_);
        bytes.remove_prefix(static_cast<size_t>(written));
        offset += written;
    }
}

void RandomFile::truncate(long long size) {
    if (::ftruncate(fd_, size) != 0) fail("write", path_);
}

void RandomFile::flush() {
    if (::fsync(fd_) != 0) fail("write", path_);
}

}  // namespace toile
