// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

namespace toile {

/// Every triangle cut into four at the middles of its edges. Old vertices keep their index and
/// place; the middle of edge e (of build_edges) is vertex n_vertices + e. Triangle t becomes
/// 4 t … 4 t + 3: its corners in turn, then the middle. A triangle that names a vertex twice gives
/// triangles that do so too. Positions and triangles only: texture coordinates and names are left
/// out. Throws as build_edges.
TriangleMesh subdivide(const TriangleMesh& mesh);

}  // namespace toile
