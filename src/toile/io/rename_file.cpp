// SPDX-License-Identifier: Apache-2.0
#include "toile/io/rename_file.h"

#include "toile/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace toile {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
    throw IoError(fmt::format("Cannot write '{}': {}.", path.string(), std::strerror(error)));
}

}  // namespace

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to,
                 OutputOptions options) {
    if (!options.overwrite) {
        const int refused =
            ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
        if (refused == 0) return;
        const int error = errno;
        if (error == EEXIST) check_output(to, options);
        // A file system that cannot promise this gets a look just before.
        if (error != EINVAL && error != ENOSYS) fail(to, error);
        check_output(to, options);
    }
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to, errno);
}

}  // namespace toile
