// SPDX-License-Identifier: Apache-2.0
#include "toile/io/file_bytes.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <poll.h>
#include <vector>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr long long kMostBytes = 16LL << 30;  // of a file that is read whole
constexpr size_t kBytesAtOnce = 1 << 20;
constexpr size_t kMostNamesToCompare = 5000;  // a suggestion is not worth reading a larger folder

std::string nearest_name(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
         it.increment(failure)) {
        if (names.size() == kMostNamesToCompare) return "";
        names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return did_you_mean(path.filename().string(), names);
}

/// Does not wait for somebody to write to a pipe: one that nobody writes to is empty.
class ReadHandle {
  public:
    explicit ReadHandle(const fs::path& path)
        : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~ReadHandle() {
        if (fd_ >= 0) ::close(fd_);
    }
    ReadHandle(const ReadHandle&) = delete;
    ReadHandle& operator=(const ReadHandle&) = delete;
    [[nodiscard]] int fd() const { return fd_; }

  private:
    int fd_;
};

[[noreturn]] void fail(const fs::path& path, const char* cause) {
    throw IoError(fmt::format("Cannot read '{}': {}.", path.string(), cause));
}

/// Devices have no end; a folder has no bytes.
void require_readable(const fs::path& path, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) fail(path, "it is a folder");
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
        fail(path, "it is neither a file nor a pipe");
    }
}

/// What can be held at all: a file with holes may claim any size.
long long most_bytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0 || pages > kMostBytes / page) return kMostBytes;
    return static_cast<long long>(pages) * page;
}

void refuse_too_large(const fs::path& path, long long n_bytes) {
    const long long most = most_bytes();
    if (n_bytes <= most) return;
    fail(path, fmt::format("it has {} bytes or more; at most {} can be read at once", n_bytes, most)
                   .c_str());
}

/// Until a pipe has bytes or its writer is gone.
void wait_for_bytes(int fd) {
    pollfd waiting = {fd, POLLIN, 0};
    ::poll(&waiting, 1, -1);
}

/// Appends what is there, up to `kBytesAtOnce`; false at the end.
bool read_piece(const fs::path& path, int fd, std::string& inout_bytes) {
    const size_t n = inout_bytes.size();
    inout_bytes.resize(n + kBytesAtOnce);
    ssize_t got = -1;
    while ((got = ::read(fd, inout_bytes.data() + n, kBytesAtOnce)) < 0) {
        if (errno == EAGAIN) {
            wait_for_bytes(fd);
        } else if (errno != EINTR) {
            fail(path, std::strerror(errno));
        }
    }
    inout_bytes.resize(n + static_cast<size_t>(got));
    return got > 0;
}

std::string read_whole(const fs::path& path, int fd, long long size) {
    std::string bytes;
    bytes.reserve(static_cast<size_t>(size) + kBytesAtOnce);  // a pipe says 0 and still has some
    while (read_piece(path, fd, bytes)) {
        refuse_too_large(path, static_cast<long long>(bytes.size()));
    }
    return bytes;
}

}  // namespace

void require_existing(const fs::path& path) {
    std::error_code failure;
    if (fs::exists(path, failure)) return;
    if (failure && failure != std::errc::no_such_file_or_directory) {
        fail(path, failure.message().c_str());
    }
    throw IoError(fmt::format("'{}' does not exist.{}", path.string(), nearest_name(path)));
}

std::string read_bytes(const fs::path& path) {
    require_existing(path);
    const ReadHandle file(path);
    struct stat status {};
    if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) fail(path, std::strerror(errno));
    require_readable(path, status);
    refuse_too_large(path, status.st_size);
    try {
        return read_whole(path, file.fd(), status.st_size);
    } catch (const std::bad_alloc&) {
        fail(path, "there is not enough memory for it");
    }
}

}  // namespace toile
