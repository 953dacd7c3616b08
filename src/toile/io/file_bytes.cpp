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
#include <poll.h>
#include <vector>

namespace toile {
namespace {

namespace fs = std::filesystem;

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

/// Until a pipe has bytes or its writer is gone.
void wait_for_bytes(int fd) {
    pollfd waiting = {fd, POLLIN, 0};
    ::poll(&waiting, 1, -1);
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

    constexpr size_t kLeastRead = 1 << 16;  // a pipe says size 0 and still has bytes
    std::string bytes;
    size_t n = 0;
    while (true) {
        bytes.resize(
            std::max({n + kLeastRead, n + n / 2, static_cast<size_t>(status.st_size) + 1}));
        const ssize_t got = ::read(file.fd(), bytes.data() + n, bytes.size() - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) {
            wait_for_bytes(file.fd());
            continue;
        }
        if (got < 0) fail(path, std::strerror(errno));
        if (got == 0) break;
        n += static_cast<size_t>(got);
    }
    bytes.resize(n);
    return bytes;
}

}  // namespace toile
