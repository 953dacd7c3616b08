// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/sphere.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/revolution.h"
#include "toile/mesh/shapes/shape_checks.h"
#include "toile/mesh/topology.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr int kMostSubdivisions = 8;

TriangleMesh unit_icosahedron() {
    const double g = std::numbers::phi;
    TriangleMesh mesh;
    mesh.positions = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                      {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (Vec3& p : mesh.positions) p.normalize();
    return mesh;
}

/// Cuts every triangle in four; new vertices come after the old, in the order of the edges.
void subdivide_on_unit_sphere(TriangleMesh& mesh) {
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    const int n_old = mesh.n_vertices();
    for (const Edge& e : topology.edges) {
        mesh.positions.push_back((mesh.positions[e[0]] + mesh.positions[e[1]]).normalized());
    }
    std::vector<Triangle> finer;
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        const auto [a, b, c] = mesh.triangles[t];
        const auto& sides = topology.edges_of_triangle[t];
        const int bc = n_old + sides[0];
        const int ca = n_old + sides[1];
        const int ab = n_old + sides[2];
        finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
}

}  // namespace

TriangleMesh make_sphere(const SphereOptions& options) {
    detail::require_length(options.radius, "sphere's radius");
    if (options.subdivisions < 0 || options.subdivisions > kMostSubdivisions) {
        throw InvalidInput(fmt::format("The sphere's subdivisions must lie in 0 to {}; found {}.",
                                       kMostSubdivisions, options.subdivisions));
    }
    TriangleMesh mesh = unit_icosahedron();
    for (int i = 0; i < options.subdivisions; ++i) subdivide_on_unit_sphere(mesh);
    transform_points({.translation = options.center, .scale = options.radius}, mesh.positions);
    return mesh;
}

TriangleMesh make_uv_sphere(const UvSphereOptions& options) {
    detail::require_length(options.radius, "sphere's radius");
    detail::require_count(options.segments, 3, "sphere's segments");
    detail::require_count(options.rings, 2, "sphere's rings");
    std::vector<Vec2> profile = {{0, -options.radius}};
    for (int r = 1; r < options.rings; ++r) {
        const double angle = std::numbers::pi * r / options.rings;
        profile.emplace_back(options.radius * std::sin(angle), -options.radius * std::cos(angle));
    }
    profile.emplace_back(0, options.radius);
    TriangleMesh mesh = make_revolution(profile, options.segments);
    transform_points({.translation = options.center}, mesh.positions);
    return mesh;
}

}  // namespace toile
