// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/cloth.h"

#include "toile/cloth/neighbourhood.h"
#include "toile/core/error.h"

#include <fmt/format.h>

namespace toile {
namespace {

void check_mesh(const TriangleMesh& mesh) {
    for (int v = 0; v < mesh.n_vertices(); ++v) {
        if (!mesh.positions[v].allFinite()) {
            throw InvalidInput(fmt::format("Vertex {} has a position that is not finite.", v));
        }
    }
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        for (const int v : mesh.triangles[t]) {
            if (v < 0 || v >= mesh.n_vertices()) {
                throw InvalidInput(fmt::format("Triangle {} names vertex {}; the mesh has {}.", t,
                                               v, mesh.n_vertices()));
            }
        }
    }
}

std::string loose_warning(std::span<const int> vertices) {
    constexpr size_t kMost = 10;
    std::string list;
    for (size_t i = 0; i < std::min(kMost, vertices.size()); ++i) {
        list += fmt::format("{}{}", i == 0 ? "" : ", ", vertices[i]);
    }
    return fmt::format("{} vert{} ({}{}) in no triangle with area: without mass, held in place.",
                       vertices.size(), vertices.size() == 1 ? "ex" : "ices", list,
                       vertices.size() > kMost ? ", ..." : "");
}

}  // namespace

Cloth::Cloth(const TriangleMesh& mesh, const Fabric& fabric, const RestShapeOptions& options)
    : fabric_(fabric), positions_(mesh.positions), triangles_(mesh.triangles) {
    check_mesh(mesh);
    check_fabric(fabric);
    const RestShape rest = rest_shape(mesh, options);
    warnings_ = rest.warnings;
    masses_.assign(mesh.positions.size(), 0.0);
    build_shells(rest);
    weigh();
}

void Cloth::build_shells(const RestShape& rest) {
    const auto neighbours = triangle_neighbours(triangles_, n_vertices());
    const BendingStiffness stiffness = {
        .warp = fabric_.bend_warp, .weft = fabric_.bend_weft, .twist = fabric_.bend_twist};
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
        const Triangle& corners = triangles_[t];
        ShellTriangle shell;
        for (int i = 0; i < 3; ++i) {
            const int other = neighbours[t].triangle[i];
            shell.vertices[i] = corners[i];
            shell.vertices[i + 3] =
                other < 0 ? corners[i] : triangles_[other][neighbours[t].far_corner[i]];
        }
        shell.membrane = membrane_shape(rest.corners[t]);
        shell.bending =
            bending_shape(unfolded_patch(triangles_, rest, neighbours[t], t), stiffness);
        if (!rest.flat_hinges) {
            shell.bending.rest_angles = hinge_angles(shell.bending, gather(shell, positions_));
        }
        shells_.push_back(shell);
    }
}

void Cloth::weigh() {
    for (const ShellTriangle& shell : shells_) {
        for (int i = 0; i < 3; ++i) {
            masses_[shell.vertices[i]] += fabric_.density * shell.membrane.area / 3;
        }
    }
    for (int v = 0; v < n_vertices(); ++v) {
        if (!(masses_[v] > 0)) loose_vertices_.push_back(v);
    }
    if (!loose_vertices_.empty()) warnings_.push_back(loose_warning(loose_vertices_));
}

MembraneStiffness Cloth::membrane_stiffness() const {
    return {.warp = fabric_.stretch_warp, .weft = fabric_.stretch_weft, .shear = fabric_.shear};
}

ClothState Cloth::initial_state() const {
    return {.positions = positions_,
            .velocities = std::vector<Vec3>(positions_.size(), Vec3::Zero())};
}

}  // namespace toile
