// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/deformation/gradient.h"
#include "toile/edit/edit_region.h"
#include "toile/linalg/sparse_cholesky.h"

#include <optional>
#include <span>
#include <vector>

namespace toile {

/// Joins what every triangle and every vertex of a region asks for into one field of offsets u:
/// minimises
///
///   sum_k A_k |grad u - G_k|² + lambda sum_i m_i |u_i - t_i|²,   lambda = 1 / (pull_length rho)²
///
/// over the free vertices, u = 0 at the border; A_k is the area of triangle k, m_i the third of the
/// areas round vertex i, rho the radius of a disc of the region's area. Always solvable: a vertex
/// without area gets u = t.
class OffsetSystem {
  public:
    /// Factors. `hats` are those of region.local_triangles; `pull_length` is in units of rho.
    OffsetSystem(const EditRegion& region, std::span<const TriangleHats> hats, double pull_length);

    /// `inout_gradients` has one G for each triangle of the region and is used up, `targets` one t
    /// for each vertex, zero at the border; `out_offsets` (n_free) takes u. Solved for the distance
    /// from the targets, so that where both agree nothing is lost to rounding.
    void solve(std::span<Mat3> inout_gradients, std::span<const Vec3> targets,
               std::span<Vec3> out_offsets) const;

  private:
    void subtract_targets(std::span<const Vec3> targets, std::span<Mat3> inout_gradients) const;

    const EditRegion& region_;
    std::span<const TriangleHats> hats_;
    std::optional<SparseCholesky> factor_;  ///< nothing where nothing is free
};

/// Radius of a disc with the area of all triangles; metres.
double region_radius(std::span<const TriangleHats> hats);

}  // namespace toile
