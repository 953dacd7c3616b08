// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/bending_energy.h"
#include "toile/cloth/rest_shape.h"
#include "toile/core/types.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// The triangles across the three edges of one, edge i opposite to corner i; -1 at a free edge.
struct TriangleNeighbours {
    std::array<int, 3> triangle = {-1, -1, -1};
    std::array<int, 3> far_corner = {-1, -1, -1};  ///< 0, 1 or 2 within that triangle
};

/// Who bends with whom. Orientations may differ. Where more than two triangles meet in an edge, the
/// first two bend with each other and each further one with the first. A neighbour on the same
/// three vertices is none.
std::vector<TriangleNeighbours> triangle_neighbours(std::span<const Triangle> triangles,
                                                    int n_vertices);

/// Triangle t and its neighbours, each with its own rest shape, laid into the plane of t. Where the
/// common edge has two rest lengths (a seam), the far corner keeps its height and its place along
/// the edge relative to the length.
UnfoldedPatch unfolded_patch(std::span<const Triangle> triangles, const RestShape& rest,
                             const TriangleNeighbours& neighbours, int t);

}  // namespace toile
