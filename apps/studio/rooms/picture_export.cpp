// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/picture_export.h"

#ifdef TOILE_WITH_EMBREE
#include "studio/rooms/frame_player.h"
#include "toile/io/file_bytes.h"
#include "toile/io/zip.h"
#include "toile/mesh/transform.h"
#include "toile/render/film_file.h"
#include "toile/render/png_file.h"
#include "toile/render/ray_tracer.h"
#endif

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace toile::studio {
namespace {

constexpr int kLargestSide = 4096;

void require_range(const std::string& key, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw UsageError(fmt::format("'{}' is {}; expected {} to {}.", key, value, low, high));
}

}  // namespace

PictureExport read_picture_export(const Request& request, const ItemContent& content,
                                  PictureExport::Kind kind) {
    PictureExport pictures{.kind = kind};
    Request camera = request;
    camera.body = request.has("camera") ? request.body.at("camera") : Json();
    if (!camera.body.is_object()) {
        throw UsageError(fmt::format("'{}' needs an object 'camera'.", request.name));
    }
    pictures.position = camera.vector("position");
    pictures.target = camera.vector("target");
    pictures.up = camera.vector("up");
    pictures.field_of_view = camera.number("field_of_view");
    pictures.width = request.integer("width");
    pictures.height = request.integer("height");
    pictures.from = request.integer_if("from").value_or(0);
    pictures.to = request.integer_if("to").value_or(content.facts().n_frames - 1);
    require_range("field_of_view", pictures.field_of_view, 1, 170);
    require_range("width", pictures.width, 1, kLargestSide);
    require_range("height", pictures.height, 1, kLargestSide);
    content.require_frame(pictures.from);
    content.require_frame(pictures.to);
    if (pictures.from > pictures.to) {
        throw UsageError(fmt::format("'from' is {} and 'to' is {}; expected frames in their order.",
                                     pictures.from, pictures.to));
    }
    if (kind == PictureExport::Kind::Film) {  // H.264 halves both sides for its colours
        pictures.width += pictures.width % 2;
        pictures.height += pictures.height % 2;
    }
    return pictures;
}

#ifdef TOILE_WITH_EMBREE
namespace {

constexpr int kSamples = 8;

SceneView view_of(const ItemContent& content) {
    SceneView view;
    view.up = content.facts().up.value_or(Vec3::UnitY());
    int n_cloths = 0, n_obstacles = 0;
    for (const ItemBody& body : content.facts().bodies) {
        const bool obstacle = body.role == BodyRole::Obstacle;
        view.bodies.push_back(
            make_render_body(body.name, *body.mesh,
                             obstacle ? obstacle_look(n_obstacles++) : cloth_look(n_cloths++)));
        view.bodies.back().is_subject = !obstacle;
    }
    return view;
}

/// Where pictures go, one after another.
class Album {
  public:
    Album(const PictureExport& pictures, const std::filesystem::path& path, double frame_rate)
        : path_(path) {
        if (pictures.kind == PictureExport::Kind::Pictures) {
            archive_.emplace(path);
        } else {
            film_.emplace(path, FilmOptions{.size = {pictures.width, pictures.height},
                                            .frame_rate = frame_rate});
        }
    }

    void add(int frame, const Image& picture) {
        if (film_) return film_->add(picture);
        std::filesystem::path page = path_;
        page += ".png";
        write_png(page, picture);
        archive_->add(fmt::format("frame_{:04}.png", frame), read_bytes(page));
        std::filesystem::remove(page);
    }

    void finish() {
        if (film_) return film_->finish();
        archive_->finish();
    }

  private:
    std::filesystem::path path_;
    std::optional<ZipWriter> archive_;
    std::optional<FilmWriter> film_;
};

}  // namespace

void write_pictures(const ItemContent& content, const PictureExport& pictures,
                    const std::filesystem::path& path, const JobContext& context) {
    SceneView view = view_of(content);
    const Camera camera{.from = pictures.position,
                        .to = pictures.target,
                        .up = pictures.up,
                        .vertical_fov = radians(pictures.field_of_view)};
    const PictureOptions options{.size = {pictures.width, pictures.height}, .samples = kSamples};
    Album album(pictures, path, content.facts().frame_rate);
    FramePlayer frames(content, pictures.from);
    for (int frame = pictures.from; frame <= pictures.to; ++frame) {
        context.check();
        const auto positions = frames.next();
        for (size_t b = 0; b < view.bodies.size(); ++b) {
            view.bodies[b].positions.assign(positions[b].begin(), positions[b].end());
        }
        album.add(frame, render_picture(view, camera, options));
        context.progress(frame - pictures.from + 1, pictures.to - pictures.from + 1, "pictures");
    }
    album.finish();
}
#else
void write_pictures(const ItemContent&, const PictureExport&, const std::filesystem::path&,
                    const JobContext&) {
    throw MissingFeature("This build of Toile makes no pictures: it lacks Embree.");
}
#endif

}  // namespace toile::studio
