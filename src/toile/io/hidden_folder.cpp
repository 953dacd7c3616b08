// SPDX-License-Identifier: Apache-2.0
#include "toile/io/hidden_folder.h"

#include "toile/core/error.h"
#include "toile/io/rename_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFolderMode = 0777;
constexpr size_t kLongestName = 200;  // bytes, of at most 255
constexpr const char* kReplaced = "replaced";

/// Of a new folder. A process that had this number before may have left one behind.
fs::path make_hidden(const fs::path& parent, const std::string& name) {
    static std::atomic<unsigned> counter{0};
    while (true) {
        fs::path path = parent / fmt::format(".toile-{}-{}-{}", name.substr(0, kLongestName),
                                             ::getpid(), counter.fetch_add(1));
        if (::mkdir(path.c_str(), kFolderMode) == 0) return path;
        if (errno == EEXIST) continue;
        throw IoError(fmt::format("Cannot make a folder in '{}': {}.", parent.string(),
                                  std::strerror(errno)));
    }
}

/// Files that are moved from one folder to another, and back again where that fails.
class Move {
  public:
    /// Of up to `n` files.
    Move(fs::path from, fs::path to, size_t n) : from_(std::move(from)), to_(std::move(to)) {
        moved_.reserve(n);
    }
    ~Move() {
        std::error_code ignored;
        for (const std::string* name : moved_) fs::rename(to_ / *name, from_ / *name, ignored);
    }
    Move(const Move&) = delete;
    Move& operator=(const Move&) = delete;

    void take(const std::string& name) {
        rename_file(from_ / name, to_ / name, {});
        moved_.push_back(&name);
    }
    /// They stay where they are.
    void keep() { moved_.clear(); }

  private:
    fs::path from_, to_;
    std::vector<const std::string*> moved_;
};

}  // namespace

HiddenFolder::HiddenFolder(fs::path parent, const std::string& name)
    : parent_(parent.empty() ? fs::path(".") : std::move(parent)),
      path_(make_hidden(parent_, name)) {}

HiddenFolder::~HiddenFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

void HiddenFolder::bring_out(std::span<const std::string> names, const fs::path& folder,
                             OutputOptions options) {
    for (const std::string& name : names) check_output(folder / name, options);
    if (names.empty()) return;
    const fs::path replaced = path_ / kReplaced;
    std::error_code ignored;
    fs::create_directory(replaced, ignored);  // without it the first move there fails
    Move old(folder, replaced, names.size()), fresh(path_, folder, names.size());
    for (const std::string& name : names) {
        const bool is_there = fs::exists(fs::symlink_status(folder / name, ignored));
        if (options.overwrite && is_there) old.take(name);
    }
    fresh.take(names.back());
    for (const std::string& name : names.first(names.size() - 1)) fresh.take(name);
    flush_folder(folder);
    fresh.keep();
    old.keep();
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
