// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

#include <array>
#include <string>
#include <vector>

namespace toile {

/// How the rest shape of every triangle is found.
struct RestShapeOptions {
    /// Use the mesh's UVs as the flat pattern (warp = u, weft = v), where it has them.
    bool from_uvs = true;
    double uv_scale = 1;  ///< metres per UV unit
    /// Without UVs the warp is this direction, projected on the triangle; where the triangle is
    /// nearly across it, the global z axis takes its place, then the y axis.
    Vec3 warp_direction = {1, 0, 0};
};

/// Rest shape of every triangle on its own, flat, in metres along (warp, weft).
struct RestShape {
    std::vector<std::array<Vec2, 3>> corners;  ///< n_triangles
    bool flat_hinges = false;  ///< rest angles are zero (a flat pattern), not those of the mesh
    std::vector<std::string> warnings;  ///< sentences that name triangles
};

/// The rest shape. Inverted UV triangles (against most of their island; a wholly mirrored island is
/// fine) and those without area are named in a warning and take their 3-D shape; a pattern of quite
/// another area than the mesh gets a warning too. Throws
/// InvalidInput where uv_scale or warp_direction is not positive and finite.
RestShape rest_shape(const TriangleMesh& mesh, const RestShapeOptions& options);

/// Area of a flat triangle, m².
double flat_area(const std::array<Vec2, 3>& corners);

}  // namespace toile
