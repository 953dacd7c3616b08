// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/block_vector.h"
#include "toile/linalg/sparse_cholesky.h"

#include <Eigen/SparseCore>

#include <optional>
#include <span>
#include <vector>

namespace toile {

/// A quadratic pull of one unknown to a place: (d - place)ᵀ W (d - place), W = along (n nᵀ) +
/// across (I - n nᵀ).
struct Pull {
    Vec3 place = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  ///< unit
    double along = 0;            ///< weight along the normal; 0 where nothing pulls
    double across = 0;
};

/// Displacements that minimise dᵀ K d + pulls, with some rows held. Construct = gather the matrix;
/// a solve factors one scalar matrix for the three coordinates, the analysis being kept.
class FitSystem {
  public:
    /// `lower` is the lower triangle of K with every diagonal entry, `held` says which rows are not
    /// free, `anchors` is added to the diagonal.
    FitSystem(const SparseMatrix& lower, std::span<const char> held,
              std::span<const double> anchors);

    [[nodiscard]] int size() const { return static_cast<int>(held_.size()); }

    /// Minimises exactly where every pull has across = along or weighs nothing; else by conjugate
    /// gradients, preconditioned by the factor of K + `shift` on every free row, from the
    /// displacements given. `inout_d` brings the held rows. Pulls go to the first rows. Returns the
    /// iterations taken, 0 for an exact solve.
    int solve(std::span<const Pull> pulls, double shift, std::span<Vec3> inout_d);

    /// K d at row i: what holds it.
    [[nodiscard]] Vec3 force(int i, std::span<const Vec3> d) const;

    /// How stiff each row of `rows` (all of them held) is against moving alone, with the rest of
    /// the held rows held: the diagonal of the Schur complement. Uses the last factor.
    [[nodiscard]] std::vector<double> stiffness(std::span<const int> rows) const;

    int max_iterations = 20;
    double relative_tolerance = 1e-7;  ///< of the right-hand side, preconditioner's norm

  private:
    void factor(std::span<const double> diagonal);
    void multiply(std::span<const Pull> pulls, std::span<const Vec3> x, std::span<Vec3> out) const;
    int iterate(std::span<const Pull> pulls, std::span<Vec3> inout_d);

    std::vector<char> held_;
    std::vector<double> anchors_;
    Eigen::SparseMatrix<double, Eigen::RowMajor> rows_;  ///< K whole
    SparseMatrix free_lower_;                            ///< held rows and columns are unity's
    VecX free_diagonal_;
    std::vector<double> shifts_;
    std::optional<SparseCholesky> factor_;
    std::vector<Vec3> rhs_, residual_, preconditioned_, direction_, product_;
    DotScratch scratch_;
};

}  // namespace toile
