// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/intersection.h"

#include "toile/collision/exact_predicates.h"
#include "toile/collision/exact_segment.h"
#include "toile/collision/primitive_boxes.h"
#include "toile/collision/triangle_pair.h"
#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

std::array<Vec3, 3> corners(std::span<const Vec3> positions, const Triangle& t) {
    return {positions[static_cast<size_t>(t[0])], positions[static_cast<size_t>(t[1])],
            positions[static_cast<size_t>(t[2])]};
}

void require_finite(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (const int v : triangles[t]) {
            if (positions[static_cast<size_t>(v)].allFinite()) continue;
            throw InvalidInput(fmt::format(
                "Vertex {} of triangle {} has an infinite or NaN coordinate; crossings are defined "
                "for finite positions only.",
                v, t));
        }
    }
}

/// Whether all corners of `x` lie strictly on one side of the plane of `t`.
bool on_one_side(const std::array<Vec3, 3>& t, const std::array<Vec3, 3>& x) {
    const int side = orient3d(t[0], t[1], t[2], x[0]);
    return side != 0 && orient3d(t[0], t[1], t[2], x[1]) == side &&
           orient3d(t[0], t[1], t[2], x[2]) == side;
}

bool any_side_meets(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    return segment_meets_triangle(a[0], a[1], b) || segment_meets_triangle(a[1], a[2], b) ||
           segment_meets_triangle(a[2], a[0], b);
}

Bvh tree_of(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    std::vector<Aabb> boxes;
    triangle_boxes(positions, triangles, 0, boxes);
    return Bvh(boxes);
}

}  // namespace

bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    if (on_one_side(a, b) || on_one_side(b, a)) return false;
    return any_side_meets(a, b) || any_side_meets(b, a);
}

std::vector<ElementPair> self_crossings(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles) {
    require_finite(positions, triangles);
    std::vector<ElementPair> found;
    tree_of(positions, triangles)
        .collect_self_pairs(
            [&](int i, int j, std::vector<ElementPair>& piece) {
                if (triangles_cross(positions, triangles[static_cast<size_t>(i)],
                                    triangles[static_cast<size_t>(j)])) {
                    piece.emplace_back(i, j);
                }
            },
            found);
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<ElementPair> crossings(std::span<const Vec3> positions_a,
                                   std::span<const Triangle> triangles_a,
                                   std::span<const Vec3> positions_b,
                                   std::span<const Triangle> triangles_b) {
    require_finite(positions_a, triangles_a);
    require_finite(positions_b, triangles_b);
    std::vector<ElementPair> found;
    tree_of(positions_a, triangles_a)
        .collect_pairs(
            tree_of(positions_b, triangles_b),
            [&](int i, int j, std::vector<ElementPair>& piece) {
                if (triangles_intersect(
                        corners(positions_a, triangles_a[static_cast<size_t>(i)]),
                        corners(positions_b, triangles_b[static_cast<size_t>(j)]))) {
                    piece.emplace_back(i, j);
                }
            },
            found);
    std::sort(found.begin(), found.end());
    return found;
}

namespace brute_force {

std::vector<ElementPair> self_crossings(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles) {
    std::vector<ElementPair> found;
    for (size_t i = 0; i < triangles.size(); ++i) {
        for (size_t j = i + 1; j < triangles.size(); ++j) {
            if (triangles_cross(positions, triangles[i], triangles[j])) found.emplace_back(i, j);
        }
    }
    return found;
}

std::vector<ElementPair> crossings(std::span<const Vec3> positions_a,
                                   std::span<const Triangle> triangles_a,
                                   std::span<const Vec3> positions_b,
                                   std::span<const Triangle> triangles_b) {
    std::vector<ElementPair> found;
    for (size_t i = 0; i < triangles_a.size(); ++i) {
        for (size_t j = 0; j < triangles_b.size(); ++j) {
            if (triangles_intersect(corners(positions_a, triangles_a[i]),
                                    corners(positions_b, triangles_b[j]))) {
                found.emplace_back(i, j);
            }
        }
    }
    return found;
}

}  // namespace brute_force

}  // namespace toile
