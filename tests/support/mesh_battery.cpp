// SPDX-License-Identifier: Apache-2.0
#include "support/mesh_battery.h"

namespace toile::test {
namespace {

TriangleMesh mesh_of(std::vector<Vec3> positions, std::vector<Triangle> triangles) {
    TriangleMesh mesh;
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
    return mesh;
}

const std::vector<Vec3> kCorners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TriangleMesh tetrahedron() {
    return mesh_of(kCorners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
}

TriangleMesh two_tetrahedra() {
    TriangleMesh mesh = tetrahedron();
    for (const Vec3& p : kCorners) mesh.positions.push_back(p + Vec3(3, 0, 0));
    for (int t = 0; t < 4; ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        mesh.triangles.push_back({a + 4, b + 4, c + 4});
    }
    return mesh;
}

}  // namespace

std::vector<BatteryMesh> mesh_battery() {
    const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const std::vector<Vec3> on_a_line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const std::vector<Vec3> fin = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    std::vector<Vec3> with_lone_vertex = kCorners;
    with_lone_vertex.emplace_back(5, 5, 5);
    return {
        {.name = "empty", .mesh = {}, .n_components = 0},
        {.name = "one triangle",
         .mesh = mesh_of({square.begin(), square.begin() + 3}, {{0, 1, 2}}),
         .n_edges = 3,
         .n_boundary_loops = 1},
        {.name = "open square",
         .mesh = mesh_of(square, {{0, 1, 2}, {0, 2, 3}}),
         .n_edges = 5,
         .n_boundary_loops = 1},
        {.name = "closed tetrahedron", .mesh = tetrahedron(), .n_edges = 6, .closed = true},
        {.name = "two closed components",
         .mesh = two_tetrahedra(),
         .n_components = 2,
         .n_edges = 12,
         .closed = true},
        {.name = "three triangles on one edge",
         .mesh = mesh_of(fin, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}),
         .n_edges = 7,
         .n_boundary_loops = 2,
         .manifold = false,
         .oriented = false},
        {.name = "inconsistently oriented square",
         .mesh = mesh_of(square, {{0, 1, 2}, {0, 3, 2}}),
         .n_edges = 5,
         .n_boundary_loops = 1,
         .oriented = false},
        {.name = "triangle without area",
         .mesh = mesh_of(on_a_line, {{0, 1, 2}}),
         .n_edges = 3,
         .n_boundary_loops = 1,
         .degenerate = true},
        {.name = "triangle that names a vertex twice",
         .mesh = mesh_of(square, {{0, 1, 2}, {0, 2, 3}, {1, 2, 2}}),
         .n_edges = 5,
         .n_boundary_loops = 1,
         .degenerate = true},
        {.name = "vertex of no triangle",
         .mesh = mesh_of(with_lone_vertex, tetrahedron().triangles),
         .n_components = 2,
         .n_edges = 6,
         .closed = true},
    };
}

}  // namespace toile::test
