// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/cloth.h"

#include "toile/cloth/neighbourhood.h"
#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

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

/// Bending below this share of the stiffest direction is raised to it, so that edge slopes stay
/// determined.
constexpr double kLeastAnisotropy = 1e-6;

BendingStiffness bending_stiffness(const Fabric& fabric) {
    const double least =
        kLeastAnisotropy * std::max({fabric.bend_warp, fabric.bend_weft, fabric.bend_twist});
    return {.warp = std::max(fabric.bend_warp, least),
            .weft = std::max(fabric.bend_weft, least),
            .twist = std::max(fabric.bend_twist, least)};
}

/// Height of corner i over the opposite edge; zero for a triangle without area.
double corner_height(const std::array<Vec2, 3>& corners, int i) {
    const double area = flat_area(corners);
    return area > 0 ? 2 * area / (corners[(i + 2) % 3] - corners[(i + 1) % 3]).norm() : 0.0;
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
    const Neighbourhood neighbourhood = find_neighbours(triangles_, n_vertices());
    const BendingStiffness stiffness = bending_stiffness(fabric_);
    n_edges_ = neighbourhood.n_edges;
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
        const TriangleNeighbours& own = neighbourhood.of_triangle[t];
        ShellTriangle shell;
        shell.edges = own.edge;
        shell.sides = own.side;
        shell.neighbours = own.triangle;
        shell.membrane = membrane_shape(rest.corners[t]);
        shell.bending.stiffness = slope_stiffness(rest.corners[t], stiffness);
        for (int i = 0; i < 3; ++i) {
            const int other = own.triangle[i];
            shell.vertices[i] = triangles_[t][i];
            shell.vertices[i + 3] =
                other < 0 ? triangles_[t][i] : triangles_[other][own.far_corner[i]];
            if (other < 0) continue;
            const double height = corner_height(rest.corners[t], i);
            const double other_height = corner_height(rest.corners[other], own.far_corner[i]);
            shell.bending.has_hinge[i] = height > 0 && other_height > 0;
            if (!shell.bending.has_hinge[i]) continue;
            shell.shares[i] = own.side[i] == 0 ? 1.0 : height / (height + other_height);
        }
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
