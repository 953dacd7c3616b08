// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

namespace toile::test {

inline TriangleMesh strip(int n_triangles) {
    TriangleMesh mesh;
    for (int v = 0; v < n_triangles + 2; ++v) mesh.positions.emplace_back(v / 2, v % 2, 0);
    for (int t = 0; t < n_triangles; ++t) mesh.triangles.push_back({t, t + 1, t + 2});
    return mesh;
}

/// The meshes that the kept files of pairs and markers are of: 6 and 5 vertices.
inline TriangleMesh kept_source() {
    return strip(4);
}
inline TriangleMesh kept_target() {
    return strip(3);
}

}  // namespace toile::test
