// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/export_room.h"

#include "studio/rooms/frame_player.h"
#include "toile/io/glb.h"
#include "toile/io/html_page.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

const Vec3 kObstacleColor(0.72, 0.71, 0.69);

std::vector<BodyTrack> tracks_of(const ItemContent& content) {
    std::vector<BodyTrack> tracks;
    for (const ItemBody& body : content.facts().bodies) {
        BodyTrack track{.name = body.name, .mesh = *body.mesh, .moves = body.moves};
        if (body.role == BodyRole::Obstacle) track.front = track.back = kObstacleColor;
        tracks.push_back(std::move(track));
    }
    return tracks;
}

/// All frames of all bodies, for the writer of a GLB or of a page.
template <class Writer>
void write_frames(const ItemContent& content, Writer& writer, const JobContext& context) {
    FramePlayer frames(content);
    for (int frame = 0; frame < content.facts().n_frames; ++frame) {
        context.check();
        writer.write(frames.next());
        context.progress(frame + 1, content.facts().n_frames, "frames");
    }
    writer.finish();
}

/// A name for a file: an item's may hold a path.
std::string file_stem(std::string name) {
    std::replace(name.begin(), name.end(), '/', '-');
    return name.empty() ? "toile" : name;
}

}  // namespace

ExportRoom::ExportRoom(Services services) : services_(services) {}

std::vector<RequestEntry> ExportRoom::requests() {
    return {{"export.glb", [this](const Request& request) { return glb(request); }},
            {"export.html", [this](const Request& request) { return html(request); }},
            {"export.pngs",
             [this](const Request& request) {
                 return pictures(request, PictureExport::Kind::Pictures);
             }},
            {"export.film", [this](const Request& request) {
                 return pictures(request, PictureExport::Kind::Film);
             }}};
}

Answer ExportRoom::start(const Request& request, const Item& item, const std::string& extension,
                         Make make) {
    const std::string stem = file_stem(item.name);
    const fs::path path = services_.workspace.scratch_path(stem, extension);
    services_.jobs.start(request.name, [this, path, name = stem + extension,
                                        make = std::move(make)](const JobContext& context) {
        make(path, context);
        return services_.downloads.add({.file = path, .name = name});
    });
    return Json::object();
}

Answer ExportRoom::glb(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    return start(request, item, ".glb",
                 [content = item.content](const fs::path& path, const JobContext& context) {
                     GlbWriter writer(path, tracks_of(*content),
                                      {.frame_rate = content->facts().frame_rate});
                     write_frames(*content, writer, context);
                 });
}

Answer ExportRoom::html(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    return start(request, item, ".html",
                 [content = item.content, title = item.name](const fs::path& path,
                                                             const JobContext& context) {
                     HtmlPageWriter writer(
                         path, tracks_of(*content),
                         {.frame_rate = content->facts().frame_rate, .title = title});
                     write_frames(*content, writer, context);
                 });
}

Answer ExportRoom::pictures(const Request& request, PictureExport::Kind kind) {
    const Item item = services_.workspace.item(request.integer("item"));
    const PictureExport wanted = read_picture_export(request, *item.content, kind);
    const bool is_film = kind == PictureExport::Kind::Film;
    return start(request, item, is_film ? ".mp4" : ".zip",
                 [content = item.content, wanted](const fs::path& path, const JobContext& context) {
                     write_pictures(*content, wanted, path, context);
                 });
}

}  // namespace toile::studio
