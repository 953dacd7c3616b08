// SPDX-License-Identifier: Apache-2.0
#include "studio/server/workspace.h"

#include "studio/server/item_loader.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/io/numbered.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

fs::path make_scratch() {
    std::string name = (fs::temp_directory_path() / "toile-studio-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw IoError(fmt::format("Cannot make a folder {}.", name));
    return name;
}

constexpr size_t kLongestStem = 100;  // bytes; a name may have 255

/// A name's letters that make a file name: items of items have long names, and `/` in them.
std::string plain_stem(std::string stem) {
    std::replace(stem.begin(), stem.end(), '/', '-');
    if (stem.size() > kLongestStem) {
        size_t end = kLongestStem;
        while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;
        stem.resize(end);
    }
    return stem.empty() ? "toile" : stem;
}

Json list(const std::map<int, Item>& items) {
    Json all = Json::array();
    for (const auto& [number, item] : items) all.push_back(item_json(item));
    return all;
}

}  // namespace

Workspace::Workspace(Hub& hub) : hub_(hub), scratch_(make_scratch()) {
    tell();
}

Workspace::~Workspace() {
    std::error_code ignored;
    if (!keep_scratch_) fs::remove_all(scratch_, ignored);
}

void Workspace::open_argument(const std::string& path) {
    const fs::path given(path);
    const bool is_pattern = !fs::exists(given) && parse_numbered_pattern(path).has_value();
    if (!is_pattern) require_existing(given);
    if (fs::is_directory(given)) {
        const RootedPath place = roots_.add(given);
        if (file_kind(given) != FileKind::Other) open(place);
        return;
    }
    const fs::path folder = given.parent_path();
    RootedPath place = roots_.add(folder.empty() ? fs::path(".") : folder);
    place.path = (fs::path(place.path) / given.filename()).lexically_normal().string();
    open(place);
}

Item Workspace::open(const RootedPath& place, const std::optional<RootedPath>& rest) {
    std::optional<fs::path> rest_path;
    if (rest) {
        roots_.refuse_links_out(*rest);
        rest_path = roots_.existing(*rest);
    }
    fs::path path;
    const fs::path folder = fs::path(place.path).parent_path();
    const RootedPath above{place.root, folder.empty() ? "." : folder.string()};
    const fs::path name = fs::path(place.path).filename();
    if (name.string().find_first_of("*%") != std::string::npos &&
        !fs::exists(roots_.existing(above) / name)) {
        roots_.refuse_links_out(above);
        path = roots_.existing(above) / name;
    } else {
        path = roots_.existing(place);
        roots_.refuse_links_out(place);
    }
    return open_at(path, place, rest_path);
}

Item Workspace::open_at(const fs::path& path, const RootedPath& place,
                        const std::optional<fs::path>& rest) {
    Item item = load_item(path, rest);
    item.root = place.root;
    item.path = place.path;
    if (place.path == ".") item.name = roots_.names()[static_cast<size_t>(place.root)];
    return add(std::move(item));
}

Item Workspace::add(Item item) {
    {
        const std::lock_guard lock(mutex_);
        item.number = ++last_number_;
        items_.emplace(item.number, item);
    }
    tell();
    return item;
}

void Workspace::update(int number, const std::function<void(Item&)>& change) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = items_.find(number);
        if (found == items_.end()) return;
        change(found->second);
    }
    tell();
}

void Workspace::close(int number, bool give_up) {
    const Item closing = item(number);
    if (closing.unsaved && !give_up) {
        throw InvalidInput(
            fmt::format("'{}' is not saved; save it first, or give it up.", closing.name));
    }
    {
        const std::lock_guard lock(mutex_);
        items_.erase(number);
    }
    tell();
    if (closed_) closed_(number);
}

Item Workspace::item(int number) const {
    const std::lock_guard lock(mutex_);
    const auto found = items_.find(number);
    if (found != items_.end()) return found->second;
    std::string known;
    for (const auto& [other, item] : items_) known += fmt::format(" {}", other);
    throw InvalidInput(
        fmt::format("There is no item {}; there are{}.", number, known.empty() ? " none" : known));
}

std::vector<Item> Workspace::items() const {
    const std::lock_guard lock(mutex_);
    std::vector<Item> all;
    for (const auto& [number, item] : items_) all.push_back(item);
    return all;
}

Json Workspace::items_json() const {
    const std::lock_guard lock(mutex_);
    return list(items_);
}

void Workspace::tell() {
    const std::lock_guard lock(mutex_);  // so that events come in the order of the changes
    hub_.publish("items", {{"items", list(items_)}});
}

fs::path Workspace::scratch_path(const std::string& stem, const std::string& extension) {
    const std::lock_guard lock(mutex_);
    const std::string plain = plain_stem(stem);
    for (int count = 1;; ++count) {
        const std::string number = count == 1 ? "" : fmt::format("-{}", count);
        std::string name = plain + number + extension;
        if (fs::exists(fs::symlink_status(scratch_ / name))) continue;
        if (scratch_names_.insert(name).second) return scratch_ / name;
    }
}

}  // namespace toile::studio
