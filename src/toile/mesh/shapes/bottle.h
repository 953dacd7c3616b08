// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

struct BottleOptions {
    double height = 0.3;         ///< metres
    double radius = 0.04;        ///< metres, of the body
    double neck_radius = 0.014;  ///< metres, not above `radius`
    int segments = 32;           ///< round the axis, 3 or more
    int height_divisions = 30;   ///< 4 or more
    int cap_rings = 3;           ///< of the bottom and of the closed mouth, 1 or more
    Vec3 foot = Vec3::Zero();    ///< metres, the middle of the bottom
};

/// A corked wine bottle round the y axis: body up to 0.6 of the height, shoulder up to 0.75, neck.
/// Closed, looks outwards; order as of make_revolution.
TriangleMesh make_bottle(const BottleOptions& options);

}  // namespace toile
