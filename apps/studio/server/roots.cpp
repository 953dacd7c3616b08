// SPDX-License-Identifier: Apache-2.0
#include "studio/server/roots.h"

#include "toile/core/error.h"
#include "toile/io/file_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

bool is_inside(const fs::path& path, const fs::path& folder) {
    const auto [end, ignored] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

/// Where a path leads, links that lead to nothing yet included: a file may be made there.
fs::path final_place(fs::path path) {
    constexpr int kMostLinks = 40;
    for (int i = 0; i < kMostLinks; ++i) {
        if (!fs::is_symlink(fs::symlink_status(path))) return fs::weakly_canonical(path);
        const fs::path target = fs::read_symlink(path);
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    throw IoError(fmt::format("'{}': too many symbolic links.", path.filename().string()));
}

/// A page's path without anything that could lead upwards.
fs::path plain_relative(const std::string& text) {
    const fs::path path(text);
    const bool has_nul = text.find('\0') != std::string::npos;
    const bool goes_up = std::find(path.begin(), path.end(), "..") != path.end();
    if (text.empty() || has_nul || path.is_absolute() || goes_up) {
        throw InvalidInput(fmt::format(
            "'{}' is not a path below an opened folder: it must not be empty, begin with '/' or "
            "hold '..'.",
            has_nul ? "(with a zero byte)" : text));
    }
    return path.lexically_normal();
}

}  // namespace

RootedPath beside(const RootedPath& place, const std::filesystem::path& file) {
    const std::filesystem::path folder = std::filesystem::path(place.path).parent_path();
    return {place.root, (folder / file.filename()).generic_string()};
}

RootedPath Roots::add(const fs::path& folder) {
    const fs::path canonical = fs::canonical(folder);
    if (auto place = place_of(canonical)) return *place;
    folders_.push_back(canonical);
    return {static_cast<int>(folders_.size()) - 1, "."};
}

std::vector<std::string> Roots::names() const {
    std::vector<std::string> names;
    for (const fs::path& folder : folders_) {
        const std::string name = folder.filename().string();
        names.push_back(name.empty() ? folder.string() : name);
    }
    return names;
}

std::optional<RootedPath> Roots::place_of(const fs::path& path) const {
    for (size_t i = 0; i < folders_.size(); ++i) {
        if (!is_inside(path, folders_[i])) continue;
        return RootedPath{static_cast<int>(i), path.lexically_relative(folders_[i]).string()};
    }
    return std::nullopt;
}

void Roots::refuse_foreign(const fs::path& path) const {
    if (place_of(final_place(path))) return;
    throw InvalidInput(fmt::format("'{}' leads out of the opened folders by a symbolic link.",
                                   path.filename().string()));
}

const fs::path& Roots::folder(int root) const {
    if (root < 0 || root >= static_cast<int>(folders_.size())) {
        throw InvalidInput(fmt::format("There is no opened folder {}; there are {}, from 0.", root,
                                       folders_.size()));
    }
    return folders_[static_cast<size_t>(root)];
}

void Roots::require_inside(const fs::path& found, const RootedPath& place) const {
    if (is_inside(found, folder(place.root))) return;
    throw InvalidInput(
        fmt::format("'{}' leads out of the opened folder by a symbolic link.", place.path));
}

fs::path Roots::existing(const RootedPath& place) const {
    const fs::path path = folder(place.root) / plain_relative(place.path);
    std::error_code error;
    const fs::path found = fs::canonical(path, error);
    if (error) {
        // What a broken or foreign link names is nobody's business; only plain names are guessed.
        require_inside(fs::weakly_canonical(path.parent_path()), place);
        require_existing(path);
        throw IoError(fmt::format("'{}': {}.", place.path, error.message()));
    }
    require_inside(found, place);
    if (!fs::is_regular_file(found) && !fs::is_directory(found)) {  // a pipe could be read for ever
        throw InvalidInput(fmt::format("'{}' is neither a file nor a folder.", place.path));
    }
    return found;
}

fs::path Roots::writable(const RootedPath& place) const {
    const bool is_folder = place.path.ends_with('/');
    fs::path relative = plain_relative(place.path);
    if (is_folder) relative = relative.parent_path();
    const fs::path name = relative.filename();
    if (name.empty() || name == ".") {
        throw InvalidInput(fmt::format("'{}' names no file to write.", place.path));
    }
    const std::string above = relative.parent_path().string();
    const fs::path parent = existing({place.root, above.empty() ? "." : above});
    fs::path target = parent / name;
    if (fs::is_symlink(fs::symlink_status(target))) {
        require_inside(final_place(target), place);
    }
    return is_folder ? target / "" : target;
}

void Roots::refuse_links_out(const RootedPath& place) const {
    const fs::path path = folder(place.root) / plain_relative(place.path);
    if (fs::is_directory(path)) return refuse_links_in(place, path, {});
    refuse_links_in(place, path.parent_path(), path.stem());
}

void Roots::refuse_links_at(const RootedPath& place) const {
    fs::path path = folder(place.root) / plain_relative(place.path);
    if (path.filename().empty()) path = path.parent_path();
    if (fs::is_directory(path)) refuse_links_in(place, path, {});
    const bool is_pattern = path.filename().string().find_first_of("*%") != std::string::npos;
    refuse_links_in(place, path.parent_path(), is_pattern ? fs::path() : path.stem());
}

/// Looks at the files of a folder that have the stem; at all where it is empty.
void Roots::refuse_links_in(const RootedPath& place, const fs::path& parent,
                            const fs::path& stem) const {
    for (const fs::directory_entry& entry : fs::directory_iterator(parent)) {
        const bool belongs = stem.empty() || entry.path().stem() == stem;
        if (!belongs || !entry.is_symlink()) continue;
        const std::string name = entry.path().lexically_relative(folder(place.root)).string();
        require_inside(final_place(entry.path()), {place.root, name});
    }
}

}  // namespace toile::studio
