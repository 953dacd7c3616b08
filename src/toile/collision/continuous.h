// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// Straight motion of four points from time 0 to time 1: p, t0, t1, t2 or ea0, ea1, eb0, eb1.
struct StencilMotion {
    std::array<Vec3, 4> start;
    std::array<Vec3, 4> end;
};

struct ContinuousOptions {
    /// Distance that counts as touching, metres. 0 asks for crossings alone.
    double min_separation = 0;
    /// Times are found to this part of the step; never later than the true one.
    double time_tolerance = 1e-3;
    int max_boxes = 1 << 16;  ///< bisections after which the answer is the safe one: a hit
};

struct ContinuousHit {
    bool hit = false;
    double time = 1;         ///< a time not later than the first touch, in [0, 1]
    bool undecided = false;  ///< a hit only because the bisections ran out
};

/// Whether the point comes within min_separation of the triangle at any time in [0, 1].
/// Never misses (conservative by construction, rounding included); may give a false alarm.
ContinuousHit point_triangle_hit(const StencilMotion& motion,
                                 const ContinuousOptions& options = {});

/// The same for two edges.
ContinuousHit edge_edge_hit(const StencilMotion& motion, const ContinuousOptions& options = {});

}  // namespace toile
