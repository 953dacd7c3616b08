// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// What lies round one triangle; edge i is opposite to corner i.
struct TriangleNeighbours {
    std::array<int, 3> triangle = {-1, -1, -1};    ///< the one it bends with; -1 at a free edge
    std::array<int, 3> far_corner = {-1, -1, -1};  ///< 0, 1 or 2 within that triangle
    std::array<int, 3> edge = {-1, -1, -1};        ///< number of the edge; -1 for one without ends
    /// How this side sees the edge's slope: +1 and -1 for the two sides of an edge, +1 twice where
    /// their orientations disagree, 0 for a third triangle.
    std::array<int, 3> side = {0, 0, 0};
};

/// Who bends with whom, on any connectivity. Orientations may differ. Where more than two triangles
/// meet in an edge, the first two bend with each other and each further one with the first. A
/// neighbour on the same three vertices is none.
struct Neighbourhood {
    std::vector<TriangleNeighbours> of_triangle;
    int n_edges = 0;
};

Neighbourhood find_neighbours(std::span<const Triangle> triangles, int n_vertices);

}  // namespace toile
