// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/shapes/plane.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

/// Which way the cells of a rectangle are cut, seen with width to the right and length upwards.
enum class Diagonals {
    Forward,         ///< every cell from lower left to upper right: /
    Backward,        ///< every cell from upper left to lower right: backslash
    Alternating,     ///< chessboard of both, a vertex with eight triangles beside one with four
    AlternatingRows  ///< forward in even rows, backward in odd ones
};

struct RectangleOptions {
    double width = 1;            ///< metres along u (x)
    double length = 1;           ///< metres along v (-z where horizontal, y where upright)
    int width_divisions = 15;    ///< cells along the width
    int length_divisions = 15;   ///< cells along the length
    Vec3 center = Vec3::Zero();  ///< metres
    Plane plane = Plane::Horizontal;
    Diagonals diagonals = Diagonals::Alternating;
};

/// A flat rectangle of (w + 1)(l + 1) vertices and 2wl triangles. Vertices stand row by row: that
/// of column i and row j is j * (w + 1) + i; row 0 has the smallest v, column 0 the smallest u. UVs
/// are metres from the corner of vertex 0, one for each vertex, so the pattern is the rest shape.
/// Triangles look to +y (horizontal) or +z (upright). Throws InvalidInput unless sizes are above 0
/// and divisions are 1 or more.
TriangleMesh make_rectangle(const RectangleOptions& options);

}  // namespace toile
