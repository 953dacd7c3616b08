// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/transform.h"

#include <span>

namespace toile {

/// Which motions may bring one set of points to another.
enum class Alignment { None, Translation, Rigid, Similarity };

/// The best motion, and how much of it the points decide.
struct AlignmentResult {
    Transform transform;
    /// Dimension in which the two sets vary together: 3, 2 (points of a plane), 1 (of a line) or 0.
    /// Below 2 the rotation is not unique; the smallest turn that serves is returned.
    int rank = 0;
    /// Root of the mean squared distance that stays; metres.
    double rms = 0;

    [[nodiscard]] bool rotation_is_unique() const { return rank >= 2; }
};

/// The transform of the given kind that moves `from` to `to` with the least sum of squared
/// distances between points of equal index [Kabsch76; Umeyama91, eqs. 34-43]. Never a reflection.
/// Sets that do not vary give scale 1. Throws InvalidInput where the sizes differ, naming both, or
/// where a coordinate is not finite, naming the point.
AlignmentResult align(std::span<const Vec3> from, std::span<const Vec3> to, Alignment kind);

}  // namespace toile
