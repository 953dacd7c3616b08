// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>
#include <span>

namespace toile {

enum class StencilKind { PointTriangle, EdgeEdge };

/// Four vertices that touch, come near or cross: p t0 t1 t2, or ea0 ea1 eb0 eb1. The point, or edge
/// a, is the first side; the triangle, or edge b, the second.
struct ContactStencil {
    StencilKind kind;
    std::array<int, 4> vertices;

    auto operator<=>(const ContactStencil&) const = default;

    /// Vertices before this position belong to the first side.
    [[nodiscard]] int second_side() const { return kind == StencilKind::PointTriangle ? 1 : 2; }
};

using StencilPoints = std::array<Vec3, 4>;

/// Where the two sides are closest. The signed weights hold both closest points at once:
/// sum_i weights[i] x_i = (point of the first side) - (point of the second), and of velocities
/// likewise. Edge weights follow collision/distance.h: a = 0 is ea0.
struct StencilGap {
    double distance = 0;  ///< m
    Vec3 normal;          ///< unit, from the second side to the first
    std::array<double, 4> weights;
};

inline StencilPoints gather(const ContactStencil& stencil, std::span<const Vec3> positions) {
    return {positions[stencil.vertices[0]], positions[stencil.vertices[1]],
            positions[stencil.vertices[2]], positions[stencil.vertices[3]]};
}

/// Closest points of the two sides. Where they touch, so that no direction joins them, the normal
/// is that of the triangle or of both edges, or, where that has no length either, any unit vector.
StencilGap measure_gap(StencilKind kind, const StencilPoints& points);

/// Width of the slab across `direction` that parts the sides: min over the first side of
/// direction.x less max over the second. Negative where the plane does not part them.
double gap_along(StencilKind kind, const StencilPoints& points, const Vec3& direction);

/// sum_i weights[i] values[i]: relative position, displacement or velocity at the closest points.
inline Vec3 weighted_difference(const std::array<double, 4>& weights, const StencilPoints& values) {
    return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2] +
           weights[3] * values[3];
}

}  // namespace toile
