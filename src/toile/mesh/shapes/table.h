// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

struct TableOptions {
    double width = 1;             ///< metres along x
    double length = 0.6;          ///< metres along z
    double height = 0.75;         ///< metres from the feet to the top
    double top_thickness = 0.03;  ///< metres
    double leg_radius = 0.025;    ///< metres
    double leg_inset = 0.05;      ///< metres from the side of the top to the axis of a leg
    int width_divisions = 1;      ///< cells of the top along its width
    int length_divisions = 1;     ///< cells of the top along its length
    int leg_segments = 16;        ///< round a leg, 3 or more
    Vec3 foot = Vec3::Zero();     ///< metres, the middle of the floor between the legs
};

/// A table of five closed components, each looking outwards: the top, then four cylindrical legs at
/// (-x, -z), (+x, -z), (-x, +z), (+x, +z). Legs end 0.01 of the thickness of the top below it, so
/// that the surface does not touch itself. Throws InvalidInput where legs do not fit below the top.
TriangleMesh make_table(const TableOptions& options);

}  // namespace toile
