// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/difference_motion.h"

namespace toile::detail {

/// A unit vector along which two parts are apart at one moment, and where they are closest.
struct Separation {
    Vec3 normal;  ///< from the first part to the second
    bool separated = false;
    /// Side of the triangle's plane, or of the edges' common plane, on which the origin lies, where
    /// the closest points are inside of both parts and the edges are not nearly parallel; else 0.
    int side = 0;
    Vec3 weights;  ///< barycentric coordinates; or a, b, 0
};

/// Looks for a direction with `beyond_plane(normal, corners, threshold)`. The normal is made from
/// the features that are closest (face, edge, vertex), not from the closest points' difference,
/// whose direction is lost when they nearly touch.
Separation find_separation(const Differences<3>& corners, double threshold);
Separation find_separation(const Differences<4>& corners, double threshold);

}  // namespace toile::detail
