// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/linalg/sparse_cholesky.h"

#include <memory>
#include <span>

namespace toile::detail {

/// A pivot below this part of the diagonal entry it came from is rounding: the matrix is singular
/// as far as double precision can tell.
inline constexpr double kSmallestPivot = 1e-14;

/// What stands behind SparseCholesky. `solve` may run on several threads side by side.
class CholeskyFactor {
  public:
    virtual ~CholeskyFactor() = default;
    virtual void factor(const SparseMatrix& lower) = 0;
    virtual void solve(Eigen::Ref<Eigen::MatrixXd> in_out) const = 0;
};

/// Analyses only; `factor` comes after.
std::unique_ptr<CholeskyFactor> make_eigen_cholesky(const SparseMatrix& lower);
#ifdef TOILE_WITH_CHOLMOD
std::unique_ptr<CholeskyFactor> make_cholmod_cholesky(const SparseMatrix& lower);
#endif

/// Throws ComputationFailed, naming the row, at the first pivot that is not positive enough.
/// `pivots` are D of L D Lᵀ in the order of elimination; `row_of` maps that order to rows of
/// `lower`.
void require_positive_pivots(std::span<const double> pivots, std::span<const int> row_of,
                             const SparseMatrix& lower);

}  // namespace toile::detail
