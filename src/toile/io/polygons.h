// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <vector>

namespace toile {

/// Corner loops of the polygons that the triangles [first, last) of a mesh were cut from.
struct PolygonLoop {
    std::vector<int> vertices;
    std::vector<int> uvs;  ///< as long as `vertices`, or empty where the mesh has no UVs
};

/// Puts together the polygon that begins at triangle `first` into `out_loop` and returns the
/// triangle after its last. Triangles that do not fan from one corner (an edited mesh), or whose
/// names differ, come out as triangles of their own.
int polygon_at(const TriangleMesh& mesh, int first, PolygonLoop& out_loop);

/// Number of polygons that `polygon_at` gives when walked from 0.
int count_polygons(const TriangleMesh& mesh);

}  // namespace toile
