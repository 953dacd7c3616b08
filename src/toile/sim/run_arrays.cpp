// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_arrays.h"

#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace toile {
RunArrays::RunArrays(const std::filesystem::path& folder)
    : frame_rate_(read_run_record(folder).frame_rate) {
    const Scene scene = load_scene(folder / "scene.toml");
    const size_t n_bodies = scene.cloths.size() + scene.obstacles.size();
    bodies_.reserve(n_bodies);  // gaps_ views them
    for (const ClothSetup& setup : scene.cloths) {
        cloths_.push_back(make_cloth_body(setup).cloth);
        add_body(folder, setup, false);
    }
    for (const ObstacleSetup& setup : scene.obstacles) add_body(folder, setup, true);
    std::vector<std::string> names;
    for (const BodyArrays& body : bodies_) names.push_back(body.name);
    std::vector<GapSurface> surfaces;
    for (const BodyArrays& body : bodies_) {
        surfaces.push_back({body.positions, body.mesh.triangles, body.obstacle});
    }
    gaps_.emplace(std::move(surfaces));
    n_frames_ = whole_frames(folder, names);
}

void RunArrays::add_body(const std::filesystem::path& folder, const BodySetup& setup,
                         bool obstacle) {
    BodyArrays& body = bodies_.emplace_back();
    body.name = setup.name;
    body.obstacle = obstacle;
    body.mesh = body_mesh(setup);
    const std::filesystem::path path = folder / (setup.name + ".pc2");
    const Pc2Source& source = sources_.emplace_back(path);
    const size_t n = body.mesh.positions.size();
    if (source.n_vertices() != body.mesh.n_vertices()) {
        throw InvalidInput(fmt::format("{} has {} points a frame; {} has {} vertices.",
                                       path.string(), source.n_vertices(), setup.mesh.string(), n));
    }
    body.positions = body.mesh.positions;
    body.speed.assign(n, 0);
    body.gap.assign(n, std::numeric_limits<double>::quiet_NaN());
    body.strain.assign(body.mesh.triangles.size(), 0);
}

bool RunArrays::next() {
    if (next_ == n_frames_) return false;
    for (size_t b = 0; b < bodies_.size(); ++b) read_frame(b);
    for (size_t b = 0; b < bodies_.size(); ++b) gaps_->compute(b, bodies_[b].gap);
    ++next_;
    return true;
}

void RunArrays::read_frame(size_t b) {
    BodyArrays& body = bodies_[b];
    other_.assign(body.positions.begin(), body.positions.end());
    sources_[b].next(body.positions);
    if (next_ == 0 && n_frames_ > 1) {
        sources_[b].next(other_);
        sources_[b].seek(1);
    } else if (next_ == 0) {
        other_ = body.positions;
    }
    for (size_t v = 0; v < other_.size(); ++v) {
        body.speed[v] = (body.positions[v] - other_[v]).norm() * frame_rate_;
    }
    gaps_->move(b, body.positions);
    if (body.obstacle) return;
    const std::vector<TriangleStrain> strain = strains(cloths_[b], body.positions);
    for (size_t t = 0; t < strain.size(); ++t) body.strain[t] = strain[t].largest;
}

}  // namespace toile
