// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_tracks.h"

#include "toile/core/error.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/bodies.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <utility>

namespace toile {
namespace {

const Vec3 kObstacleColor(0.72, 0.71, 0.69);

BodyTrack track_of(const BodySetup& setup) {
    BodyTrack track{.name = setup.name, .mesh = body_mesh(setup)};
    if (setup.colour) {
        track.front = *setup.colour;
        track.back = 0.5 * (*setup.colour + Vec3::Ones());
    }
    return track;
}

BodyTrack track_of(const ObstacleSetup& setup) {
    BodyTrack track = track_of(static_cast<const BodySetup&>(setup));
    if (!setup.colour) track.front = track.back = kObstacleColor;
    track.moves = !setup.frames.path.empty() || !setup.pieces.empty() || !setup.keyframes.empty();
    return track;
}

}  // namespace

RunTracks::RunTracks(const std::filesystem::path& folder)
    : frame_rate_(read_run_record(folder).frame_rate) {
    const Scene scene = load_scene(folder / "scene.toml");
    for (const ClothSetup& setup : scene.cloths) add_body(folder, track_of(setup));
    for (const ObstacleSetup& setup : scene.obstacles) add_body(folder, track_of(setup));
    std::vector<std::string> names;
    for (const BodyTrack& track : tracks_) names.push_back(track.name);
    n_frames_ = whole_frames(folder, names);
    for (const std::vector<Vec3>& positions : positions_) views_.emplace_back(positions);
}

void RunTracks::add_body(const std::filesystem::path& folder, BodyTrack track) {
    const std::filesystem::path path = folder / (track.name + ".pc2");
    const Pc2Source& source = sources_.emplace_back(path);
    if (source.n_vertices() != track.mesh.n_vertices()) {
        throw InvalidInput(
            fmt::format("{} has {} points a frame; the mesh of '{}' has {} "
                        "vertices.",
                        path.string(), source.n_vertices(), track.name, track.mesh.n_vertices()));
    }
    positions_.push_back(track.mesh.positions);
    tracks_.push_back(std::move(track));
}

int RunTracks::n_vertices() const {
    int n = 0;
    for (const BodyTrack& track : tracks_) n += track.mesh.n_vertices();
    return n;
}

bool RunTracks::next() {
    if (next_ == n_frames_) return false;
    for (size_t b = 0; b < sources_.size(); ++b) sources_[b].next(positions_[b]);
    ++next_;
    return true;
}

}  // namespace toile
