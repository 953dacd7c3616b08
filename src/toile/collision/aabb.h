// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <limits>

namespace toile {

/// An axis-aligned box, closed: boxes that only touch overlap. The default box is empty.
struct Aabb {
    Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

    [[nodiscard]] bool empty() const { return (min.array() > max.array()).any(); }
    [[nodiscard]] Vec3 center() const { return 0.5 * (min + max); }
    [[nodiscard]] double diagonal() const { return empty() ? 0 : (max - min).norm(); }

    void extend(const Vec3& p) {
        min = min.cwiseMin(p);
        max = max.cwiseMax(p);
    }
    void extend(const Aabb& other) {
        min = min.cwiseMin(other.min);
        max = max.cwiseMax(other.max);
    }
    /// Moves every side outwards by `margin` (metres).
    void enlarge(double margin) {
        min.array() -= margin;
        max.array() += margin;
    }
    [[nodiscard]] bool overlaps(const Aabb& other) const {
        return (min.array() <= other.max.array()).all() && (other.min.array() <= max.array()).all();
    }
};

}  // namespace toile
