// SPDX-License-Identifier: Apache-2.0
// Everything here is a decision tree over the signs of exact determinants; nothing is constructed.
#include "toile/collision/exact_segment.h"

#include "toile/collision/exact_predicates.h"

#include <algorithm>

namespace toile {
namespace {

/// Along any line this order is monotone, so that it sorts collinear points.
bool before(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

const Vec3& first(const Vec3& a, const Vec3& b) {
    return before(b, a) ? b : a;
}

const Vec3& last(const Vec3& a, const Vec3& b) {
    return before(b, a) ? a : b;
}

bool collinear_segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    return !before(last(p, q), first(r, s)) && !before(last(r, s), first(p, q));
}

/// For points of one plane whose projection along `axis` is one-to-one.
bool planar_segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s,
                               int axis) {
    const int pq_r = orient2d(p, q, r, axis);
    const int pq_s = orient2d(p, q, s, axis);
    const int rs_p = orient2d(r, s, p, axis);
    const int rs_q = orient2d(r, s, q, axis);
    if (pq_r == 0 && pq_s == 0 && rs_p == 0 && rs_q == 0) {
        return collinear_segments_intersect(p, q, r, s);
    }
    return pq_r * pq_s <= 0 && rs_p * rs_q <= 0;
}

/// An axis along which the four coplanar points do not project to one line; -1: they lie on a line.
int projection_axis(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    for (int axis = 0; axis < 3; ++axis) {
        if (orient2d(p, q, r, axis) != 0 || orient2d(p, q, s, axis) != 0 ||
            orient2d(r, s, p, axis) != 0 || orient2d(r, s, q, axis) != 0) {
            return axis;
        }
    }
    return -1;
}

/// The triangle has area along `axis`, and p lies in its plane.
bool planar_point_in_triangle(const Vec3& p, const std::array<Vec3, 3>& t, int axis) {
    const int a = orient2d(t[0], t[1], p, axis);
    const int b = orient2d(t[1], t[2], p, axis);
    const int c = orient2d(t[2], t[0], p, axis);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool meets_outline(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
    return segments_intersect(p, q, t[0], t[1]) || segments_intersect(p, q, t[1], t[2]) ||
           segments_intersect(p, q, t[2], t[0]);
}

bool planar_segment_meets_triangle(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t,
                                   int axis) {
    return planar_point_in_triangle(p, t, axis) ||
           planar_segments_intersect(p, q, t[0], t[1], axis) ||
           planar_segments_intersect(p, q, t[1], t[2], axis) ||
           planar_segments_intersect(p, q, t[2], t[0], axis);
}

/// The axis along which a triangle has area; -1: it has none at all.
int area_axis(const std::array<Vec3, 3>& t) {
    for (int axis = 0; axis < 3; ++axis) {
        if (orient2d(t[0], t[1], t[2], axis) != 0) return axis;
    }
    return -1;
}

/// On which sides of line p q the triangle's edges run.
struct LineSides {
    int a, b, c;

    LineSides(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t)
        : a(orient3d(p, q, t[0], t[1])),
          b(orient3d(p, q, t[1], t[2])),
          c(orient3d(p, q, t[2], t[0])) {}
    [[nodiscard]] bool passes() const {
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    [[nodiscard]] bool touches_outline() const { return a == 0 || b == 0 || c == 0; }
};

}  // namespace

bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    if (orient3d(p, q, r, s) != 0) return false;
    const int axis = projection_axis(p, q, r, s);
    if (axis < 0) return collinear_segments_intersect(p, q, r, s);
    return planar_segments_intersect(p, q, r, s, axis);
}

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& triangle) {
    const int side_p = orient3d(triangle[0], triangle[1], triangle[2], p);
    const int side_q = orient3d(triangle[0], triangle[1], triangle[2], q);
    if (side_p * side_q > 0) return false;
    if (side_p != 0 || side_q != 0) return LineSides(p, q, triangle).passes();
    const int axis = area_axis(triangle);
    return axis < 0 ? meets_outline(p, q, triangle)
                    : planar_segment_meets_triangle(p, q, triangle, axis);
}

Passage passage(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& triangle) {
    const int side_p = orient3d(triangle[0], triangle[1], triangle[2], p);
    const int side_q = orient3d(triangle[0], triangle[1], triangle[2], q);
    if (side_p * side_q > 0) return Passage::None;
    if (side_p == 0 && side_q == 0) {
        return area_axis(triangle) >= 0 && segment_meets_triangle(p, q, triangle)
                   ? Passage::Degenerate
                   : Passage::None;
    }
    const LineSides sides(p, q, triangle);
    if (!sides.passes()) return Passage::None;
    const bool clean = side_p != 0 && side_q != 0 && !sides.touches_outline();
    return clean ? Passage::Through : Passage::Degenerate;
}

}  // namespace toile
