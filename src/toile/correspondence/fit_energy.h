// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/sparse_cholesky.h"

#include <span>

namespace toile {

/// Weights of smoothness and identity; both dimensionless where the mean edge is one long.
struct FitWeights {
    double smoothness = 1;
    double identity = 1;
};

/// The lower triangle of K, n_vertices square, of the plate energy dᵀ K d of displacements d:
/// K = 2 w_S L M⁻¹ L + (w_I / a) L, L the cotangent Laplacian, M the areas of the vertices (not
/// below a twentieth of their mean), a the mean area of the triangles. It is the continuous limit
/// of `full_energy` without its fourth vertices. Rows of vertices without area are zero; every
/// diagonal entry is stored.
SparseMatrix plate_energy(std::span<const Vec3> rest, std::span<const Triangle> triangles,
                          const FitWeights& weights);

/// The lower triangle of K, (n_vertices + n_triangles) square, of
/// dᵀ K d = 2 w_S sum |T_s - T_t|² over triangles that share an edge + w_I sum |T_t - I|², with the
/// fourth vertices' displacements behind those of the vertices [Sumner04, eqs. 11, 12]. Degenerate
/// triangles take no part; every diagonal entry is stored.
SparseMatrix full_energy(std::span<const Vec3> rest, std::span<const Triangle> triangles,
                         const FitWeights& weights);

}  // namespace toile
