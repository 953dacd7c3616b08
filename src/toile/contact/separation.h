// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"

#include <span>

namespace toile {

/// How near the two sides of one pair may come, m. Everything is relative to the pair's thickness,
/// to the gap it starts with, and to what rounding its positions to float32 can close: no absolute
/// length, and nothing of what else is in the world.
struct Separation {
    /// What writing the pair as float32 can close, with room to spare: see `rounding_gap`.
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

/// 8 x 2^-24 x `largest`, m, the largest coordinate of a pair's vertices over the step. Rounding a
/// coordinate x to float32 moves it by at most 2^-24 |x|, a vertex, and so every point between the
/// vertices of a side, by at most sqrt(3) 2^-24 max|x|, and two sides towards each other by at most
/// 3.47 x 2^-24 max|x|.
double rounding_gap(double largest);
/// That of a pair at the start and the end of a straight motion.
double rounding_gap(const StencilPoints& start, const StencilPoints& end);

/// Throws InvalidInput where a coordinate is not finite.
void require_finite(std::span<const Vec3> positions);

}  // namespace toile
