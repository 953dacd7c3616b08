// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

/// Measures of the flat pattern, which is the same in front and behind but for the neck.
struct TshirtOptions {
    double chest_width = 0.5;        ///< metres, of each layer
    double length = 0.7;             ///< metres from hem to the neck's end of the shoulder
    double shoulder_drop = 0.04;     ///< metres from there down to the shoulder's outer end
    double armhole = 0.22;           ///< metres from the shoulder's outer end down to the armpit
    double sleeve_length = 0.2;      ///< metres along the upper side
    double sleeve_opening = 0.17;    ///< metres across the sleeve's end
    double sleeve_angle = 0.4887;    ///< radians below the horizontal (28 degrees)
    double neck_width = 0.18;        ///< metres
    double neck_depth_front = 0.09;  ///< metres
    double neck_depth_back = 0.025;  ///< metres
    double inflation = 0.03;         ///< metres from the middle plane to each layer, far from seams
    double edge_length = 0.025;      ///< metres, about that of the mesh's edges
    Vec3 center = Vec3::Zero();      ///< metres, of the pattern's middle line at half length
};

/// A T-shirt that can be worn: one manifold surface with four openings (hem, neck, two sleeves),
/// upright in the xy plane, its front at +z. The layers part smoothly from the seams, so front and
/// back meet nowhere else; triangles look outwards. Vertices: the whole front with all seams, then
/// what else the back has. UVs are the flat pattern in metres, front and back side by side, seam
/// vertices with one in each. Throws InvalidInput for measures that fit no shirt.
TriangleMesh make_tshirt(const TshirtOptions& options);

}  // namespace toile
