// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_stencil.h"

#include "toile/collision/distance.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace toile {
namespace {

/// Below this part of the stencil's size the direction between closest points is rounding noise.
constexpr double kTouching = 1e-11;

double size_of(const StencilPoints& points) {
    double size = 0;
    for (int i = 1; i < 4; ++i)
        size = std::max(size, (points[i] - points[0]).cwiseAbs().maxCoeff());
    return size;
}

std::array<double, 4> closest_weights(StencilKind kind, const StencilPoints& x) {
    if (kind == StencilKind::PointTriangle) {
        const Vec3 w = closest_point_triangle(x[0], x[1], x[2], x[3]).barycentric;
        return {1, -w[0], -w[1], -w[2]};
    }
    const EdgeEdgeClosest closest = closest_edge_edge(x[0], x[1], x[2], x[3]);
    return {1 - closest.a, closest.a, closest.b - 1, -closest.b};
}

/// Normal of touching sides, towards where the first side mostly lies.
Vec3 touching_normal(StencilKind kind, const StencilPoints& x) {
    const Vec3 cross = kind == StencilKind::PointTriangle ? (x[2] - x[1]).cross(x[3] - x[1]).eval()
                                                          : (x[1] - x[0]).cross(x[3] - x[2]).eval();
    const double length = cross.norm();
    if (!(length > 0)) return Vec3::UnitX();
    const Vec3 normal = cross / length;
    return gap_along(kind, x, normal) >= gap_along(kind, x, -normal) ? normal : Vec3(-normal);
}

}  // namespace

double gap_along(StencilKind kind, const StencilPoints& points, const Vec3& direction) {
    const double h0 = direction.dot(points[0]), h1 = direction.dot(points[1]);
    const double h2 = direction.dot(points[2]), h3 = direction.dot(points[3]);
    if (kind == StencilKind::PointTriangle) return h0 - std::max({h1, h2, h3});
    return std::min(h0, h1) - std::max(h2, h3);
}

StencilGap measure_gap(StencilKind kind, const StencilPoints& points) {
    StencilGap gap;
    gap.weights = closest_weights(kind, points);
    // Differences first, so that a stencil far from the origin loses nothing.
    const Vec3 difference = gap.weights[1] * (points[1] - points[0]) +
                            gap.weights[2] * (points[2] - points[0]) +
                            gap.weights[3] * (points[3] - points[0]);
    gap.distance = difference.norm();
    gap.normal = gap.distance > kTouching * size_of(points) ? Vec3(difference / gap.distance)
                                                            : touching_normal(kind, points);
    return gap;
}

}  // namespace toile
