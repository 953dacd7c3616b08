// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/disc.h"

#include "toile/mesh/shapes/shape_checks.h"

#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr int kSectors = 6;  // of a ring, as of a hexagon: keeps triangles nearly equilateral

void add_vertex(const DiscOptions& options, const Vec2& from_center, TriangleMesh& mesh) {
    mesh.positions.push_back(options.center + on_plane(options.plane, from_center));
    mesh.uvs.push_back(from_center + Vec2::Constant(options.radius));
}

void add_ring_vertices(const DiscOptions& options, int ring, TriangleMesh& mesh) {
    const double radius = options.radius * ring / options.rings;
    for (int i = 0; i < kSectors * ring; ++i) {
        const double angle = 2 * std::numbers::pi * i / (kSectors * ring);
        add_vertex(options, radius * Vec2(std::cos(angle), std::sin(angle)), mesh);
    }
}

/// Vertex i of a ring; the centre is ring 0.
int ring_vertex(int ring, int i) {
    return ring == 0 ? 0 : 1 + kSectors / 2 * ring * (ring - 1) + i % (kSectors * ring);
}

/// The triangles between ring - 1 and ring.
void add_ring_triangles(int ring, TriangleMesh& mesh) {
    for (int sector = 0; sector < kSectors; ++sector) {
        const auto outer = [&](int i) { return ring_vertex(ring, sector * ring + i); };
        const auto inner = [&](int i) { return ring_vertex(ring - 1, sector * (ring - 1) + i); };
        for (int i = 0; i < ring; ++i) {
            mesh.triangles.push_back({inner(i), outer(i), outer(i + 1)});
            if (i + 1 < ring) mesh.triangles.push_back({inner(i), outer(i + 1), inner(i + 1)});
        }
    }
}

}  // namespace

TriangleMesh make_disc(const DiscOptions& options) {
    detail::require_length(options.radius, "disc's radius");
    detail::require_count(options.rings, 1, "disc's rings");
    TriangleMesh mesh;
    add_vertex(options, Vec2::Zero(), mesh);
    for (int ring = 1; ring <= options.rings; ++ring) {
        add_ring_vertices(options, ring, mesh);
        add_ring_triangles(ring, mesh);
    }
    mesh.uv_triangles = mesh.triangles;
    return mesh;
}

}  // namespace toile
