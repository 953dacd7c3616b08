// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/shapes/plane.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

struct DiscOptions {
    double radius = 0.5;         ///< metres
    int rings = 8;               ///< edges from the centre to the border, 1 or more
    Vec3 center = Vec3::Zero();  ///< metres
    Plane plane = Plane::Horizontal;
};

/// A flat disc of nearly equal triangles: vertex 0 in the centre, then ring r of 6 r vertices, from
/// +u counter-clockwise. 6 rings² triangles that look to +y (horizontal) or +z (upright). UVs in
/// metres, one for each vertex, the centre at (radius, radius).
TriangleMesh make_disc(const DiscOptions& options);

}  // namespace toile
