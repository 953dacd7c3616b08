// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <Eigen/SparseCore>

#include <memory>
#include <span>

namespace toile {

/// Columns compressed; of a symmetric matrix only the lower triangle (row >= column) is stored.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// Best: CHOLMOD where Toile is built with it, else Eigen's.
enum class CholeskyBackend { Best, Eigen };

namespace detail {
class CholeskyFactor;
}

/// The factor of a symmetric positive definite matrix: CHOLMOD [Chen08] where Toile is built with
/// it, Eigen's LDLᵀ otherwise. The same bits on any number of threads.
class SparseCholesky {
  public:
    /// Analyses and factors. `lower` is square and holds the lower triangle. Throws
    /// ComputationFailed, naming the first bad row, where the matrix is not positive definite.
    explicit SparseCholesky(const SparseMatrix& lower,
                            CholeskyBackend backend = CholeskyBackend::Best);
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    /// New values in the same pattern; the analysis is kept.
    void refactor(const SparseMatrix& lower);

    [[nodiscard]] int size() const { return size_; }

    /// out_x = A⁻¹ b, for the three coordinates at once; both have size() rows and may be the same
    /// memory. Const, and may run on several threads side by side.
    void solve(std::span<const Vec3> b, std::span<Vec3> out_x) const;

    /// As above for any number of columns: `in_out` is size() × k, columns contiguous.
    void solve(Eigen::Ref<Eigen::MatrixXd> in_out) const;

  private:
    std::unique_ptr<detail::CholeskyFactor> factor_;  ///< none where the size is 0
    int size_ = 0;
};

}  // namespace toile
