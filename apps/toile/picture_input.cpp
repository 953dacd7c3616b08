// SPDX-License-Identifier: Apache-2.0
#include "picture_input.h"

#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile::app {
namespace {

/// A body that the scene gives no colour keeps that of the palette.
void take_color(const std::optional<Vec3>& color, SurfaceLook& look) {
    if (!color) return;
    const Eigen::Vector3f c = color->cast<float>();
    const Color named = from_srgb(c.x(), c.y(), c.z());
    if (look.front.isApprox(look.back)) {
        look.back = named;
    } else {
        look.back = 0.45F * named + 0.45F;  // the wrong side of a fabric is paler
    }
    look.front = named;
}

int count_frames(FrameSource& source) {
    if (const std::optional<int> known = source.n_frames()) return *known;
    std::vector<Vec3> positions = frame_buffer(source);
    int n = 0;
    while (source.next(positions)) ++n;
    return n;
}

}  // namespace

PictureInput::PictureInput(const PictureInputOptions& options) : options_(options) {
    int n_cloths = 0;
    for (const std::string& input : options.inputs) {
        if (is_run_folder(input)) {
            add_run(input);
        } else {
            add_sequence(input, cloth_look(n_cloths++),
                         std::filesystem::path(input).stem().string());
        }
    }
    if (options.up) view_.up = *options.up;
    settle_frame_count();
}

void PictureInput::add_run(const std::filesystem::path& folder) {
    const Scene scene = load_scene(folder / "scene.toml");
    const auto add = [&](const BodySetup& body, SurfaceLook look) {
        take_color(body.colour, look);
        add_sequence((folder / (body.name + ".pc2")).string(), look, body.name);
    };
    const size_t n_before = motions_.size();
    int n_cloths = 0;
    for (const ClothSetup& cloth : scene.cloths) add(cloth, cloth_look(n_cloths++));
    int n_obstacles = 0;
    for (const ObstacleSetup& obstacle : scene.obstacles) {
        add(obstacle, obstacle_look(n_obstacles++));
        view_.bodies.back().is_subject = false;
    }
    std::vector<std::string> names;
    for (size_t i = n_before; i < motions_.size(); ++i) names.push_back(view_.bodies[i].name);
    const int n_frames = whole_frames(folder, names);
    for (size_t i = n_before; i < motions_.size(); ++i) motions_[i].n_frames = n_frames;
    if (!scene.settings.gravity.isZero(0)) view_.up = -scene.settings.gravity;
    frame_rate_ = scene.settings.frame_rate;
}

void PictureInput::add_sequence(const std::string& spec, const SurfaceLook& look,
                                std::string name) {
    OpenedSequence opened = open_sequence(spec, {.mesh = options_.mesh});
    if (!opened.mesh) {
        throw InvalidInput(
            fmt::format("{} has positions but no triangles; name its mesh by --mesh FILE.", spec));
    }
    view_.bodies.push_back(make_render_body(std::move(name), *opened.mesh, look));
    if (!frame_rate_) frame_rate_ = opened.frames->frame_rate();
    Motion& motion = motions_.emplace_back();
    motion.spec = spec;
    motion.n_frames = count_frames(*opened.frames);
    if (motion.n_frames == 0) throw InvalidInput(fmt::format("{} has no frames.", spec));
}

void PictureInput::settle_frame_count() {
    for (const Motion& motion : motions_) n_frames_ = std::max(n_frames_, motion.n_frames);
    for (const Motion& motion : motions_) {
        if (motion.n_frames == 1 || motion.n_frames == n_frames_) continue;
        throw InvalidInput(
            fmt::format("{} has {} frames, another input {}; bodies shown together must "
                        "have equally many, or one.",
                        motion.spec, motion.n_frames, n_frames_));
    }
}

void PictureInput::reopen(Motion& motion) const {
    motion.frames = open_sequence(motion.spec, {.mesh = options_.mesh}).frames;
    motion.next = 0;
}

void PictureInput::place(size_t body, const Transform& transform) {
    motions_.at(body).placement = transform;
    motions_.at(body).frames.reset();
}

void PictureInput::seek(int frame) {
    for (size_t i = 0; i < motions_.size(); ++i) {
        Motion& motion = motions_[i];
        const int own = std::min(frame, motion.n_frames - 1);
        if (motion.frames && motion.next == own + 1) continue;
        if (!motion.frames || motion.next > own) reopen(motion);
        for (; motion.next <= own; ++motion.next) {
            if (motion.frames->next(view_.bodies[i].positions)) continue;
            throw InvalidInput(fmt::format("{} ends before frame {}.", motion.spec, own));
        }
        transform_points(motion.placement, view_.bodies[i].positions);
    }
}

}  // namespace toile::app
