// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <string>
#include <vector>

namespace toile::test {

/// A small mesh of a kind that code must cope with, and what is true of it.
struct BatteryMesh {
    std::string name;
    TriangleMesh mesh;
    int n_components = 1;  ///< of vertices through triangles; a vertex of no triangle counts too
    int n_edges = 0;
    int n_boundary_loops = 0;
    bool closed = false;      ///< every edge has exactly two triangles that agree in orientation
    bool manifold = true;     ///< no edge has more than two triangles
    bool oriented = true;     ///< neighbours agree in orientation
    bool degenerate = false;  ///< has a triangle without area, or that names a vertex twice
};

/// Closed, open, non-manifold, degenerate, one triangle, empty, inconsistently oriented, several
/// components, a vertex of no triangle.
std::vector<BatteryMesh> mesh_battery();

}  // namespace toile::test
