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
    /// Times of hits are found to this part of the step; never later than the true one.
    double time_tolerance = 1e-3;
    int max_intervals = 1 << 14;  ///< after which the answer is the safe one: a hit
};

struct ContinuousHit {
    bool hit = false;
    double time = 1;         ///< not later than the first touch, in [0, 1]
    bool undecided = false;  ///< a hit only because the intervals ran out
};

/// Whether the point comes within min_separation of the triangle at any time in [0, 1].
///
/// Never misses: no hit is said only where planes have been found that keep the two apart for the
/// whole time, rounding included (docs/algorithms/continuous-collision.md). Coordinates stand for
/// all real numbers that round to them, so that scaling or reading a motion does not lose a touch.
/// A false alarm is possible only for a gap of some rounding errors, (8 |difference| + 4
/// |coordinate|) 2^-53, or where the intervals run out. Degenerate triangles and motions are as
/// good as any; with infinite or NaN coordinates it is a hit unless the finite ones alone keep the
/// parts apart.
ContinuousHit point_triangle_hit(const StencilMotion& motion,
                                 const ContinuousOptions& options = {});

/// The same for two edges.
ContinuousHit edge_edge_hit(const StencilMotion& motion, const ContinuousOptions& options = {});

}  // namespace toile
