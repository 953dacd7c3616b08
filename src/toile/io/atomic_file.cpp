// SPDX-License-Identifier: Apache-2.0
#include "toile/io/atomic_file.h"

#include "toile/core/error.h"
#include "toile/io/rename_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace toile {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
    throw IoError(fmt::format("Cannot write '{}': {}.", path.string(), std::strerror(error)));
}

[[noreturn]] void fail_existing(const fs::path& path) {
    throw IoError(fmt::format(
        "'{}' exists already and was not touched; say so if it may be overwritten (--force).",
        path.string()));
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// What a symbolic link points to, so that the link itself survives.
fs::path resolved(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_symlink(path, failure)) return path;
    const fs::path target = fs::weakly_canonical(path, failure);
    return failure ? path : target;
}

fs::path temporary_name(const fs::path& path) {
    static std::atomic<unsigned> counter{0};
    const std::string name =
        fmt::format(".{}.{}-{}.tmp", path.filename().string().substr(0, 200), ::getpid(),
                    counter.fetch_add(1, std::memory_order_relaxed));
    return folder_of(path) / name;
}

}  // namespace

void check_output(const fs::path& path, OutputOptions options) {
    std::error_code failure;
    if (!path.has_filename()) {
        throw IoError(fmt::format("Cannot write '{}': it names no file.", path.string()));
    }
    const fs::file_status status = fs::status(path, failure);
    if (fs::is_directory(status)) {
        throw IoError(fmt::format("Cannot write '{}': it is a folder.", path.string()));
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw IoError(fmt::format("Cannot write '{}': it is no ordinary file.", path.string()));
    }
    if (fs::exists(status) && !options.overwrite) fail_existing(path);
    if (!fs::is_directory(folder_of(path), failure)) {
        throw IoError(fmt::format("Cannot write '{}': the folder '{}' does not exist.",
                                  path.string(), folder_of(path).string()));
    }
}

void flush_folder(const fs::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) fail(folder, errno);
    const int result = ::fsync(fd);
    const int error = errno;
    ::close(fd);
    // Some network file systems have no way to flush a folder and say so.
    if (result != 0 && error != EINVAL && error != ENOTSUP) fail(folder, error);
}

AtomicFile::AtomicFile(fs::path path, OutputOptions options)
    : path_(resolved(path)), options_(options) {
    check_output(path_, options_);
    temporary_ = temporary_name(path_);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path_, errno);
}

AtomicFile::~AtomicFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path_, errno);
        bytes.remove_prefix(static_cast<size_t>(written));
    }
}

void AtomicFile::rewrite(long long offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path_, errno);
        bytes.remove_prefix(static_cast<size_t>(written));
        offset += written;
    }
}

void AtomicFile::commit() {
    if (::fsync(fd_) != 0) fail(path_, errno);
    const int result = ::close(fd_);
    fd_ = -1;
    if (result != 0) fail(path_, errno);
    rename_to_final();
    temporary_.clear();
    flush_folder(folder_of(path_));
}

void AtomicFile::rename_to_final() {
    rename_file(temporary_, path_, options_);
}

void write_file(const fs::path& path, std::string_view bytes, OutputOptions options) {
    AtomicFile file(path, options);
    file.write(bytes);
    file.commit();
}

}  // namespace toile
