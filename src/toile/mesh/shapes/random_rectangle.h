// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/shapes/plane.h"
#include "toile/mesh/triangle_mesh.h"

#include <cstdint>

namespace toile {

struct RandomRectangleOptions {
    double width = 1;            ///< metres, as of RectangleOptions
    double length = 1;           ///< metres
    int width_divisions = 15;    ///< edges along each side of the width
    int length_divisions = 15;   ///< edges along each side of the length
    std::uint64_t seed = 1;      ///< the same seed, the same mesh
    Vec3 center = Vec3::Zero();  ///< metres
    Plane plane = Plane::Horizontal;
};

/// A flat rectangle with the counts of make_rectangle and its evenly spaced border, but with random
/// points inside, no two nearer than 0.7 of a cell's size (less where they would not fit), and
/// Delaunay triangles. Vertices: the border counter-clockwise from the corner of smallest u and v,
/// then the inner points by rows of cells. UVs as of make_rectangle.
TriangleMesh make_random_rectangle(const RandomRectangleOptions& options);

}  // namespace toile
