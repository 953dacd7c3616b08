// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/continuous.h"

#include <array>
#include <cstddef>

namespace toile::detail {

/// The corners of the set of differences of two parts: t_i - p (three), or b_j - a_i (four: b0-a0,
/// b1-a0, b0-a1, b1-a1). The parts' distance is the distance of the corners' hull from the origin.
template <size_t K>
using Differences = std::array<Vec3, K>;

/// The motion of the corners, each along a straight line, since both ends of a difference are.
template <size_t K>
struct DifferenceMotion {
    Differences<K> start;
    Differences<K> end;
    /// What n . d must exceed, for a unit vector n and a computed corner d at any time, so that
    /// the true product exceeds the separation; see `threshold` below.
    double threshold;
};

DifferenceMotion<3> point_triangle_differences(const StencilMotion& motion, double min_separation);
DifferenceMotion<4> edge_edge_differences(const StencilMotion& motion, double min_separation);

/// The corners at time t; 1 - t must be exact, as it is for multiples of 2^-53.
template <size_t K>
void differences_at(const DifferenceMotion<K>& motion, double t, Differences<K>& out_corners) {
    for (size_t k = 0; k < K; ++k) {
        out_corners[k] = (1 - t) * motion.start[k] + t * motion.end[k];
    }
}

/// Whether all corners lie beyond the plane n . x = threshold. False if anything is NaN.
template <size_t K>
bool beyond_plane(const Vec3& n, const Differences<K>& corners, double threshold) {
    bool beyond = true;
    for (size_t k = 0; k < K; ++k) beyond = beyond & (n.dot(corners[k]) > threshold);
    return beyond;
}

/// Whether all corners lie beyond the threshold along one axis, at both ends and hence always.
template <size_t K>
bool separated_along_axis(const DifferenceMotion<K>& motion) {
    const double threshold = motion.threshold;
    for (int axis = 0; axis < 3; ++axis) {
        bool above = true;
        bool below = true;
        for (size_t k = 0; k < K; ++k) {
            const double start = motion.start[k][axis];
            const double end = motion.end[k][axis];
            above = above & (start > threshold) & (end > threshold);
            below = below & (start < -threshold) & (end < -threshold);
        }
        if (above || below) return true;
    }
    return false;
}

}  // namespace toile::detail
