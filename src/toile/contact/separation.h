// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>

namespace toile {

/// How near two sides of a pair may come, m. Everything is relative to the pair's thickness, to the
/// gap it starts with, and to what rounding the positions to float32 can close: no absolute length.
struct Separation {
    /// What writing both sides as float32 can close, with room to spare: see `rounding_gap`.
    double rounding = 0;
    /// Part of the pair's thickness that collisions leave between the sides.
    double thickness_share = 0.1;

    /// Gap below which the response counts a hit. A pair that starts nearer than its share keeps
    /// most of what it has, so that it is not hit at time 0, but never goes below `rounding`.
    [[nodiscard]] double of_hit(double pair_thickness, double start_gap) const;
    /// Gap that a motion must keep to be certified: below `of_hit`, so that what the response
    /// leaves is accepted whatever the order of the last roundings.
    [[nodiscard]] double of_certificate(double start_gap) const;
};

/// 8 x 2^-24 x the largest coordinate of both states, m. Rounding a coordinate x to float32 moves
/// it by at most 2^-24 |x|, a point by at most sqrt(3) 2^-24 max|x|, and two sides towards each
/// other by at most 3.47 x 2^-24 max|x|. Throws InvalidInput where a coordinate is not finite.
double rounding_gap(std::span<const Vec3> start, std::span<const Vec3> end);

}  // namespace toile
