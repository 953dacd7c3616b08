// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

struct CylinderOptions {
    double radius = 0.25;        ///< metres
    double height = 1;           ///< metres along y
    int segments = 32;           ///< round the axis, 3 or more
    int height_divisions = 8;    ///< 1 or more
    int cap_rings = 2;           ///< from the axis to the rim, 1 or more
    Vec3 center = Vec3::Zero();  ///< metres, of the solid
};

/// A cylinder round the y axis with both caps. Closed, looks outwards; order as of make_revolution.
TriangleMesh make_cylinder(const CylinderOptions& options);

}  // namespace toile
