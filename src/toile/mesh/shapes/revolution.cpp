// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/revolution.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/shape_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

void check(std::span<const Vec2> profile, int segments) {
    detail::require_count(segments, 3, "surface of revolution's segments");
    if (profile.size() < 3) {
        throw InvalidInput(fmt::format(
            "A profile needs at least 3 points, a pole at each end; found {}.", profile.size()));
    }
    for (size_t i = 0; i < profile.size(); ++i) {
        const bool is_pole = i == 0 || i + 1 == profile.size();
        const double radius = profile[i].x();
        if (profile[i].allFinite() && (is_pole ? radius == 0 : radius > 0)) continue;
        throw InvalidInput(
            fmt::format("Point {} of the profile must have a radius {} 0; found ({}, {}).", i,
                        is_pole ? "of" : "above", radius, profile[i].y()));
    }
}

void add_ring(const Vec2& point, int segments, TriangleMesh& mesh) {
    for (int s = 0; s < segments; ++s) {
        const double angle = 2 * std::numbers::pi * s / segments;
        mesh.positions.emplace_back(point.x() * std::cos(angle), point.y(),
                                    -point.x() * std::sin(angle));
    }
}

void add_triangles(int n_rings, int segments, TriangleMesh& mesh) {
    const int last = mesh.n_vertices() - 1;
    const auto vertex = [&](int ring, int s) { return 1 + ring * segments + s % segments; };
    for (int s = 0; s < segments; ++s)
        mesh.triangles.push_back({0, vertex(0, s + 1), vertex(0, s)});
    for (int ring = 0; ring + 1 < n_rings; ++ring) {
        for (int s = 0; s < segments; ++s) {
            const int a = vertex(ring, s);
            const int b = vertex(ring, s + 1);
            const int c = vertex(ring + 1, s);
            const int d = vertex(ring + 1, s + 1);
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {a, d, c}});
        }
    }
    for (int s = 0; s < segments; ++s) {
        mesh.triangles.push_back({vertex(n_rings - 1, s), vertex(n_rings - 1, s + 1), last});
    }
}

}  // namespace

TriangleMesh make_revolution(std::span<const Vec2> profile, int segments) {
    check(profile, segments);
    TriangleMesh mesh;
    mesh.positions.emplace_back(0, profile.front().y(), 0);
    for (const Vec2& point : profile.subspan(1, profile.size() - 2)) {
        add_ring(point, segments, mesh);
    }
    mesh.positions.emplace_back(0, profile.back().y(), 0);
    add_triangles(static_cast<int>(profile.size()) - 2, segments, mesh);
    return mesh;
}

}  // namespace toile
