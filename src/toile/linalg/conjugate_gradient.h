// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/block_sparse_matrix.h"
#include "toile/linalg/block_vector.h"
#include "toile/linalg/linear_operator.h"

#include <span>
#include <vector>

namespace toile {

/// What a solution may not change at one row: x[row] = value + free · (anything).
struct RowFilter {
    int row = 0;
    Mat3 free = Mat3::Zero();   ///< symmetric projection on the free directions; zero = all fixed
    Vec3 value = Vec3::Zero();  ///< used outside of the free directions only
};

struct ConjugateGradientOptions {
    double relative_tolerance = 1e-3;  ///< of the filtered right-hand side, preconditioner's norm
    int max_iterations = 1500;
};

enum class SolveStatus { Converged, IterationLimit, NotPositive, NotFinite };

/// How a solve ended. The solution is usable where `status` is Converged, and the best so far
/// where it is IterationLimit.
struct SolveReport {
    SolveStatus status = SolveStatus::Converged;
    int iterations = 0;
    double relative_residual = 0;
};

/// The symmetric matrix `sparse` + the sum of `extra`, never formed.
struct SystemMatrix {
    const BlockSparseMatrix& sparse;
    std::span<const LinearOperator* const> extra = {};
};

/// Modified preconditioned conjugate gradients [Baraff98, §5.2] with the corrections of [Ascher03]:
/// start x = (I - S) z + S y, convergence against the filtered right-hand side b - A (I - S) z, and
/// the inverses of the diagonal blocks as preconditioner. Owns its vectors: a second solve of the
/// same size allocates nothing.
class ConjugateGradient {
  public:
    /// Solves A x = b on the free directions; `inout_x` brings the start y and takes the solution.
    /// Each row may have one filter at most. The same bits on any number of threads.
    SolveReport solve(const SystemMatrix& matrix, std::span<const Vec3> rhs,
                      std::span<const RowFilter> filters, std::span<Vec3> inout_x,
                      const ConjugateGradientOptions& options);

  private:
    void resize(size_t n);
    void invert_diagonal(const SystemMatrix& matrix);
    void multiply(const SystemMatrix& matrix, std::span<const Vec3> x, std::span<Vec3> out_y) const;
    void precondition();
    double start(const SystemMatrix& matrix, std::span<const Vec3> rhs,
                 std::span<const RowFilter> filters, std::span<Vec3> inout_x);

    std::vector<Mat3> inverse_diagonal_;
    std::vector<Vec3> residual_, preconditioned_, direction_, product_;
    DotScratch scratch_;
};

}  // namespace toile
