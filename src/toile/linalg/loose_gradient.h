// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/block_sparse_matrix.h"
#include "toile/linalg/coarse_space.h"
#include "toile/linalg/conjugate_gradient.h"
#include "toile/linalg/stencil_terms.h"

#include <span>
#include <vector>

namespace toile {

struct LooseGradientOptions {
    double relative_tolerance = 1e-2;  ///< of `reference`
    /// Norm that residuals are measured against, as norm_of() tells it; 0: that of this solve's
    /// right-hand side.
    double reference = 0;
    int max_iterations = 1500;
};

struct LooseReport {
    SolveReport solve;
    double reference = 0;
};

/// Conjugate gradients for one system over several bodies: a block-diagonal sum of sparse matrices
/// and springs between any of their rows. Made for many solves to a loose tolerance: the residual
/// of the start is taken in double precision, the correction to it is found in single, and where
/// the residual has fallen so far that single precision cannot know it, it is taken anew.
///
/// The preconditioner inverts the 3×3 diagonal blocks; where there are enough rows, one 3-vector
/// per aggregate of neighbouring rows is solved for exactly besides (CoarseSpace). Same bits on any
/// number of threads; allocates nothing once it has seen as many terms.
class LooseGradient {
  public:
    /// The matrices, whose pattern is fixed, must outlive this; row 0 of each follows the last of
    /// the one before. With fewer rows than `least_rows_for_coarse` there is no coarse space.
    explicit LooseGradient(std::span<const BlockSparseMatrix* const> matrices,
                           int least_rows_for_coarse = 8000);

    [[nodiscard]] int n_rows() const { return first_row_.back(); }

    /// Takes the values of the matrices; rows other than 0 in `fixed` keep what `solve` is given
    /// for them. `terms` are those that the coarse space is to know of until the next call; it may
    /// solve with others.
    void set_matrices(std::span<const char> fixed, std::span<const StencilTerm> terms = {});

    /// Solves (matrices + terms) x = rhs on the free rows; `inout_x` brings the start, and the
    /// values of fixed rows.
    LooseReport solve(const StencilOperator& terms, std::span<const Vec3> rhs,
                      std::span<Vec3> inout_x, const LooseGradientOptions& options);

    /// Norm of a right-hand side on the free rows, with what the values of fixed rows in `x` pull,
    /// as the preconditioner of the blocks measures it.
    double norm_of(const StencilOperator& terms, std::span<const Vec3> rhs,
                   std::span<const Vec3> x);

    /// out_y = (matrices + terms) x, in double precision, all rows.
    void multiply(const StencilOperator& terms, std::span<const Vec3> x,
                  std::span<Vec3> out_y) const;

  private:
    using Vector = std::vector<Eigen::Vector4f>;

    void copy_pattern(size_t matrix);
    void invert_diagonal(const StencilOperator& terms);
    void multiply_float(const StencilOperator& terms, const Vector& x, Vector& out_y) const;
    double precondition();
    double load_residual(const StencilOperator& terms, std::span<const Vec3> rhs,
                         std::span<const Vec3> x);
    double correct_coarsely(double delta);
    double advance(double alpha);
    double descend(const StencilOperator& terms, double delta, double target, int max_iterations,
                   SolveReport& inout_report);

    std::vector<const BlockSparseMatrix*> matrices_;
    std::vector<int> first_row_;        // n_matrices + 1
    std::vector<int> first_, columns_;  // the pattern of all
    std::vector<float> values_;         // nine a block, by columns, and one more
    std::vector<char> fixed_;
    std::vector<Mat3> diagonal_;
    std::vector<float> inverse_diagonal_;  // nine a row, by columns, and one more
    Vector residual_, preconditioned_, direction_, product_, solution_;
    std::vector<Vec3> scratch_, start_;
    std::vector<double> partial_;
    CoarseSpace coarse_;
};

}  // namespace toile
