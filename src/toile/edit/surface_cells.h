// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// The part of a mesh that may deform, as cells: a vertex with its edges. Local vertices are the
/// free ones, then the held ones beside them, then those that only end an edge of these; the first
/// two have a cell.
struct SurfaceCells {
    int n_free = 0;
    int n_cells = 0;
    std::vector<int> vertices;     ///< of the mesh, for each local vertex; ascending in each part
    std::vector<int> first = {0};  ///< n_cells + 1 offsets into `neighbours` and `weights`
    std::vector<int> neighbours;   ///< local vertices
    std::vector<double> weights;   ///< of edges, above 0
    std::vector<double> areas;     ///< m², of free vertices: a third of the triangles round each
};

/// The cells of the vertices with `is_free`. An edge weighs half the sum of the cotangents of the
/// angles opposite to it [Pinkall93], each of an angle of at least kSmallestAngle from 0 and pi,
/// and at least kSmallestWeight: triangles without area, obtuse ones and non-manifold edges leave
/// every weight positive and finite. Indices must be valid.
SurfaceCells make_surface_cells(std::span<const Triangle> triangles,
                                std::span<const Vec3> positions, std::span<const char> is_free);

inline constexpr double kSmallestAngle = 0.02;   ///< radians
inline constexpr double kSmallestWeight = 0.01;  ///< an equilateral pair's edge weighs 0.58

}  // namespace toile
