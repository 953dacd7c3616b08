// SPDX-License-Identifier: Apache-2.0
#include "toile/io/hidden_folder.h"

#include "toile/core/error.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFolderMode = 0777;
constexpr size_t kLongestName = 200;  // bytes, of at most 255

}  // namespace

HiddenFolder::HiddenFolder(fs::path parent, const std::string& name)
    : parent_(parent.empty() ? fs::path(".") : std::move(parent)) {
    std::string path = (parent_ / (".toile-" + name.substr(0, kLongestName) + "-XXXXXX")).string();
    if (!::mkdtemp(path.data())) {
        throw IoError(fmt::format("Cannot make a folder in '{}': {}.", parent_.string(),
                                  std::strerror(errno)));
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(path.c_str(), kFolderMode & ~mask);
    path_ = path;
}

HiddenFolder::~HiddenFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void HiddenFolder::bring_out(std::span<const std::string> names, const fs::path& folder,
                             OutputOptions options) {
    for (const std::string& name : names) check_output(folder / name, options);
    size_t n_out = 0;
    try {
        for (; n_out < names.size(); ++n_out) {
            rename_file(path_ / names[n_out], folder / names[n_out], options);
        }
    } catch (...) {
        // What was replaced is gone, so only what took an empty place goes back.
        std::error_code ignored;
        for (size_t i = 0; i < n_out && !options.overwrite; ++i) {
            fs::rename(folder / names[i], path_ / names[i], ignored);
        }
        throw;
    }
    flush_folder(folder);
}

void HiddenFolder::become(const fs::path& path) {
    std::error_code failure;
    fs::rename(path_, path, failure);
    if (failure) {
        throw IoError(fmt::format("Cannot write '{}': {}.", path.string(), failure.message()));
    }
    path_.clear();
    flush_folder(parent_);
}

}  // namespace toile
