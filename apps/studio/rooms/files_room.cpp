// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/files_room.h"

#include "studio/server/item_loader.h"
#include "studio/server/item_writer.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

/// A link out of the opened folders, or one that leads nowhere, as to itself.
bool leads_out(const fs::directory_entry& entry, const Roots& roots) {
    std::error_code error;
    if (!entry.is_symlink(error)) return false;
    const fs::path found = fs::canonical(entry.path(), error);
    return error || !roots.place_of(found);
}

/// What may not be looked into is listed all the same.
FileKind kind_of(const fs::path& path) {
    try {
        return file_kind(path);
    } catch (const std::exception&) {
        return FileKind::Other;
    }
}

Json entry_json(const fs::directory_entry& entry) {
    std::error_code error;
    const bool is_folder = entry.is_directory(error);
    const auto size = is_folder ? 0 : entry.file_size(error);
    return {{"name", entry.path().filename().string()},
            {"folder", is_folder},
            {"kind", file_kind_name(kind_of(entry.path()))},
            {"size", error ? 0 : size}};
}

bool comes_before(const Json& a, const Json& b) {
    if (a["folder"] != b["folder"]) return a["folder"].get<bool>();
    return a["name"].get_ref<const std::string&>() < b["name"].get_ref<const std::string&>();
}

}  // namespace

FilesRoom::FilesRoom(Services services) : services_(services) {}

std::vector<RequestEntry> FilesRoom::requests() {
    return {{"files", [this](const Request& request) { return files(request); }},
            {"open", [this](const Request& request) { return open(request); }},
            {"close", [this](const Request& request) { return close(request); }},
            {"save", [this](const Request& request) { return save(request); }}};
}

Answer FilesRoom::files(const Request& request) {
    const RootedPath place{request.integer("root"), request.text("path")};
    const Roots& roots = services_.workspace.roots();
    const fs::path folder = roots.existing(place);
    if (!fs::is_directory(folder)) {
        throw InvalidInput("'" + place.path + "' is no folder.");
    }
    Json entries = Json::array();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename().string().starts_with('.')) continue;
        if (leads_out(entry, roots)) continue;
        entries.push_back(entry_json(entry));
    }
    std::sort(entries.begin(), entries.end(), comes_before);
    return Json{{"entries", entries}};
}

Answer FilesRoom::open(const Request& request) {
    const int root = request.integer("root");
    std::optional<RootedPath> rest;
    if (const auto path = request.text_if("rest")) rest = RootedPath{root, *path};
    return item_json(services_.workspace.open({root, request.text("path")}, rest));
}

Answer FilesRoom::close(const Request& request) {
    services_.workspace.close(request.integer("item"), request.flag("discard"));
    return Json::object();
}

Answer FilesRoom::save(const Request& request) {
    Workspace& workspace = services_.workspace;
    const Item item = workspace.item(request.integer("item"));
    const RootedPath place{request.integer("root"), request.text("path")};
    const fs::path target = workspace.roots().writable(place);
    workspace.roots().refuse_links_at(place);
    Json files = Json::array();
    for (const fs::path& file : write_item(item, target, request.flag("overwrite"))) {
        files.push_back(beside(place, file).path);
    }
    workspace.update(item.number, [&](Item& saved) {
        saved.root = place.root;
        saved.path = place.path;
        saved.unsaved = false;
    });
    Json answer = item_json(workspace.item(item.number));
    answer["files"] = std::move(files);
    return answer;
}

}  // namespace toile::studio
