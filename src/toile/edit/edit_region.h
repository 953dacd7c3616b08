// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/topology.h"

#include <span>
#include <vector>

namespace toile {

/// The part of a mesh that an edit may move, as a small mesh of its own whose vertices are the free
/// ones and then those at its border, which stay.
struct EditRegion {
    int n_free = 0;
    std::vector<int> vertices;              ///< of the mesh: n_free ascending, then the border's
    std::vector<int> triangles;             ///< of the mesh: all with a free vertex, ascending
    std::vector<Triangle> local_triangles;  ///< the same, with indices into `vertices`
    VertexTriangles around;                 ///< places in `triangles` round each of `vertices`
};

/// Vertices whose position differs by more than `tolerance` (metres; 0: in any bit), ascending.
/// `mask`, where it is not empty, has a flag for every vertex and leaves out those without.
std::vector<int> moved_vertices(std::span<const Vec3> original, std::span<const Vec3> edited,
                                double tolerance, std::span<const char> mask = {});

/// The region of `moved` and of the vertices within `rings` edges of it. Indices must be valid.
EditRegion make_edit_region(std::span<const Triangle> triangles, int n_vertices,
                            std::span<const int> moved, int rings);

/// `values[v]` of every vertex of the region, border too.
std::vector<Vec3> gather(const EditRegion& region, std::span<const Vec3> values);

}  // namespace toile
