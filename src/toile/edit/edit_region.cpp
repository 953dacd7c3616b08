// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_region.h"

namespace toile {
namespace {

constexpr int kOutside = -1;

void grow(std::span<const Triangle> triangles, std::vector<char>& inout_inside) {
    const std::vector<char> before = inout_inside;
    for (const auto& [a, b, c] : triangles) {
        if (before[a] || before[b] || before[c]) {
            inout_inside[a] = inout_inside[b] = inout_inside[c] = 1;
        }
    }
}

std::vector<char> free_flags(std::span<const Triangle> triangles, int n_vertices,
                             std::span<const int> moved, int rings) {
    std::vector<char> inside(static_cast<size_t>(n_vertices), 0);
    for (const int v : moved) inside[v] = 1;
    for (int ring = 0; ring < rings; ++ring) grow(triangles, inside);
    return inside;
}

}  // namespace

std::vector<int> moved_vertices(std::span<const Vec3> original, std::span<const Vec3> edited,
                                double tolerance, std::span<const char> mask) {
    std::vector<int> moved;
    for (size_t v = 0; v < original.size(); ++v) {
        if (!mask.empty() && !mask[v]) continue;
        if ((edited[v] - original[v]).norm() > tolerance) moved.push_back(static_cast<int>(v));
    }
    return moved;
}

EditRegion make_edit_region(std::span<const Triangle> triangles, int n_vertices,
                            std::span<const int> moved, int rings) {
    const std::vector<char> inside = free_flags(triangles, n_vertices, moved, rings);
    EditRegion region;
    std::vector<int> local(static_cast<size_t>(n_vertices), kOutside);
    const auto number = [&](int v) {
        if (local[v] != kOutside) return;
        local[v] = static_cast<int>(region.vertices.size());
        region.vertices.push_back(v);
    };
    for (int v = 0; v < n_vertices; ++v) {
        if (inside[v]) number(v);
    }
    region.n_free = static_cast<int>(region.vertices.size());
    for (size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        if (!inside[a] && !inside[b] && !inside[c]) continue;
        for (const int v : triangles[t]) number(v);
        region.triangles.push_back(static_cast<int>(t));
        region.local_triangles.push_back({local[a], local[b], local[c]});
    }
    region.around =
        build_vertex_triangles(region.local_triangles, static_cast<int>(region.vertices.size()));
    return region;
}

std::vector<Vec3> gather(const EditRegion& region, std::span<const Vec3> values) {
    std::vector<Vec3> local;
    local.reserve(region.vertices.size());
    for (const int v : region.vertices) local.push_back(values[v]);
    return local;
}

}  // namespace toile
