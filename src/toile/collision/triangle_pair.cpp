// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/triangle_pair.h"

#include "toile/collision/exact_predicates.h"
#include "toile/collision/exact_segment.h"
#include "toile/collision/intersection.h"

#include <algorithm>

namespace toile {
namespace {

using Corners = std::array<Vec3, 3>;

Corners corners(std::span<const Vec3> positions, const Triangle& t) {
    return {positions[static_cast<size_t>(t[0])], positions[static_cast<size_t>(t[1])],
            positions[static_cast<size_t>(t[2])]};
}

/// The vertices of `a`, each once, which `b` has too, followed by those it has not.
struct SharedFirst {
    Triangle vertices;
    int n_shared = 0;

    SharedFirst(const Triangle& a, const Triangle& b) : vertices(a) {
        const auto in_b = [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); };
        std::sort(vertices.begin(), vertices.end());
        auto end = std::unique(vertices.begin(), vertices.end());
        std::fill(end, vertices.end(), *(end - 1));
        end = std::stable_partition(vertices.begin(), end, in_b);
        n_shared = static_cast<int>(end - vertices.begin());
    }
};

/// Triangles o a1 a2 and o b1 b2, both with area or collapsed onto a segment o a1 = o a2. A common
/// point other than o lies on a ray from o that stays in both up to the side opposite o of one.
bool fans_cross(const Corners& a, const Corners& b) {
    return segment_meets_triangle(a[1], a[2], b) || segment_meets_triangle(b[1], b[2], a);
}

/// A triangle without area is the union of the segments from o to its other corners.
struct FanParts {
    std::array<Corners, 2> parts;
    size_t n = 0;

    explicit FanParts(const Corners& t) {
        if (!collinear(t[0], t[1], t[2])) {
            parts[n++] = t;
            return;
        }
        for (const Vec3& end : {t[1], t[2]}) {
            if (end != t[0]) parts[n++] = {t[0], end, end};
        }
    }
};

bool cross_beyond_vertex(const Corners& a, const Corners& b) {
    const FanParts parts_a(a);
    const FanParts parts_b(b);
    for (size_t i = 0; i < parts_a.n; ++i) {
        for (size_t j = 0; j < parts_b.n; ++j) {
            if (fans_cross(parts_a.parts[i], parts_b.parts[j])) return true;
        }
    }
    return false;
}

/// Side of the segment v w beyond which x lies on their line: -1 before v, 1 after w, 0 between.
int beyond(const Vec3& v, const Vec3& w, const Vec3& x) {
    for (int k = 0; k < 3; ++k) {
        if (v[k] == w[k]) continue;
        const double low = std::min(v[k], w[k]);
        const double high = std::max(v[k], w[k]);
        return (x[k] > high) - (x[k] < low);
    }
    return 0;
}

/// Triangles v w a and v w b: folded flat onto each other or not.
bool cross_beyond_edge(const Corners& a, const Corners& b) {
    const Vec3& v = a[0];
    const Vec3& w = a[1];
    if (v == w) return cross_beyond_vertex({v, a[2], a[2]}, {v, b[2], b[2]});
    if (orient3d(v, w, a[2], b[2]) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
        const int side = orient2d(v, w, a[2], axis) * orient2d(v, w, b[2], axis);
        if (side != 0) return side > 0;
    }
    // One has no area: only two collapsed ones can share more than the edge.
    const bool both_flat = collinear(v, w, a[2]) && collinear(v, w, b[2]);
    return both_flat && beyond(v, w, a[2]) * beyond(v, w, b[2]) > 0;
}

}  // namespace

bool triangles_cross(std::span<const Vec3> positions, const Triangle& a, const Triangle& b) {
    const SharedFirst order_a(a, b);
    const SharedFirst order_b(b, a);
    const Corners corners_a = corners(positions, order_a.vertices);
    const Corners corners_b = corners(positions, order_b.vertices);
    switch (order_a.n_shared) {
        case 0:
            return triangles_intersect(corners_a, corners_b);
        case 1:
            return cross_beyond_vertex(corners_a, corners_b);
        case 2:
            return cross_beyond_edge(corners_a, corners_b);
        default:
            return !collinear(corners_a[0], corners_a[1], corners_a[2]);
    }
}

}  // namespace toile
