// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_cloth.h"

#include "toile/core/error.h"
#include "toile/sim/bodies.h"

#include <fmt/format.h>

#include <utility>

namespace toile {
namespace {

std::string size_words(const TriangleMesh& mesh) {
    return fmt::format("{} vertices and {} triangles", mesh.n_vertices(), mesh.triangles.size());
}

}  // namespace

Cloth make_run_cloth(const ClothSetup& setup, const RunFiles& files, const TriangleMesh& mesh) {
    ClothBody body = make_cloth_body(setup);
    const bool same_size = body.mesh.n_vertices() == mesh.n_vertices() &&
                           body.mesh.triangles.size() == mesh.triangles.size();
    if (same_size && body.mesh.triangles == mesh.triangles) return std::move(body.cloth);
    throw InvalidInput(fmt::format(
        "{}: its cloth '{}' has {}; {} has {}: the scene or the mesh was changed after the run.",
        files.scene().string(), setup.name, size_words(body.mesh), files.mesh(setup.name).string(),
        same_size ? "other triangles" : size_words(mesh)));
}

}  // namespace toile
