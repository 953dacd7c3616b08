// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/workspace_room.h"

#include "studio/server/item_loader.h"
#include "toile/version.h"

#include <algorithm>

namespace toile::studio {

namespace fs = std::filesystem;

WorkspaceRoom::WorkspaceRoom(Services services) : services_(services) {}

std::vector<RequestEntry> WorkspaceRoom::requests() {
    return {{"hello", [this](const Request& request) { return hello(request); }},
            {"files", [this](const Request& request) { return files(request); }},
            {"open", [this](const Request& request) { return open(request); }},
            {"close", [this](const Request& request) { return close(request); }},
            {"mesh", [this](const Request& request) { return mesh(request); }},
            {"job.cancel", [this](const Request& request) { return cancel_job(request); }}};
}

Answer WorkspaceRoom::hello(const Request&) {
    Json state = services_.hub.published();
    state["items"] = state["items"]["items"];
    state["version"] = TOILE_VERSION;
    state["roots"] = services_.workspace.roots().names();
    return state;
}

Answer WorkspaceRoom::files(const Request& request) {
    const RootedPath place{request.integer("root"), request.text("path")};
    const fs::path folder = services_.workspace.roots().existing(place);
    Json entries = Json::array();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        std::error_code error;
        const bool is_folder = entry.is_directory(error);
        if (error || name.starts_with('.')) continue;
        const auto size = entry.file_size(error);
        entries.push_back({{"name", name},
                           {"folder", is_folder},
                           {"kind", file_kind_name(file_kind(entry.path()))},
                           {"size", error || is_folder ? Json(nullptr) : Json(size)}});
    }
    std::sort(entries.begin(), entries.end(), [](const Json& a, const Json& b) {
        if (a["folder"] != b["folder"]) return a["folder"].get<bool>();
        return a["name"].get_ref<const std::string&>() < b["name"].get_ref<const std::string&>();
    });
    return Json{{"entries", entries}};
}

Answer WorkspaceRoom::open(const Request& request) {
    const int root = request.integer("root");
    std::optional<RootedPath> rest;
    if (const auto path = request.text_if("rest")) rest = RootedPath{root, *path};
    return item_json(services_.workspace.open({root, request.text("path")}, rest));
}

Answer WorkspaceRoom::close(const Request& request) {
    services_.workspace.close(request.integer("item"));
    return Json::object();
}

Answer WorkspaceRoom::mesh(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    const int index = request.integer("body");
    const ItemBody& body = item.content->body(index);
    BinaryMessage message;
    message.header["positions"] = message.add_points(*item.content->positions(index, 0));
    message.header["triangles"] = message.add_triangles(body.mesh->triangles);
    return message;
}

Answer WorkspaceRoom::cancel_job(const Request&) {
    services_.jobs.cancel();
    return Json::object();
}

}  // namespace toile::studio
