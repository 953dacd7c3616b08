// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// Whether closed segments p q and r s share a point, exactly; a segment may be a point.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s);

/// Whether a closed segment and a closed triangle share a point, exactly; both may be degenerate.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& triangle);

/// How the inner points of a segment pass a triangle: for counting parity.
enum class Passage {
    None,       ///< apart
    Through,    ///< through the inside, from one strict side to the other
    Degenerate  ///< touches an edge, a vertex or the plane: parity cannot be told from this segment
};
/// A triangle without area is never passed.
Passage passage(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& triangle);

}  // namespace toile
