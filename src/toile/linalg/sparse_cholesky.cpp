// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/sparse_cholesky.h"

#include "toile/core/error.h"
#include "toile/linalg/cholesky_factor.h"

#include <fmt/format.h>

#include <utility>

namespace toile {
namespace detail {

void require_positive_pivots(std::span<const double> pivots, std::span<const int> row_of,
                             const SparseMatrix& lower) {
    const VecX diagonal = lower.diagonal();
    for (size_t k = 0; k < pivots.size(); ++k) {
        const int row = row_of[k];
        if (pivots[k] > kSmallestPivot * diagonal[row]) continue;
        throw ComputationFailed(fmt::format(
            "The matrix is not positive definite: row {} has the pivot {:.3g} (diagonal entry "
            "{:.3g}).",
            row, pivots[k], diagonal[row]));
    }
}

namespace {

std::unique_ptr<CholeskyFactor> make_factor(const SparseMatrix& lower, CholeskyBackend backend) {
#ifdef TOILE_WITH_CHOLMOD
    if (backend == CholeskyBackend::Best) return make_cholmod_cholesky(lower);
#endif
    static_cast<void>(backend);
    return make_eigen_cholesky(lower);
}

}  // namespace
}  // namespace detail

namespace {

/// The matrix, or a compressed copy that lives as long as this.
class Compressed {
  public:
    explicit Compressed(const SparseMatrix& matrix) : matrix_(matrix) {
        if (matrix.isCompressed()) return;
        copy_ = matrix;
        copy_.makeCompressed();
    }
    operator const SparseMatrix&() const { return matrix_.isCompressed() ? matrix_ : copy_; }

  private:
    const SparseMatrix& matrix_;
    SparseMatrix copy_;
};

}  // namespace

SparseCholesky::SparseCholesky(const SparseMatrix& lower, CholeskyBackend backend)
    : size_(static_cast<int>(lower.rows())) {
    if (lower.rows() != lower.cols()) {
        throw InvalidInput(
            fmt::format("A Cholesky factor needs a square matrix; this one is {} x "
                        "{}.",
                        lower.rows(), lower.cols()));
    }
    if (size_ > 0) factor_ = detail::make_factor(Compressed(lower), backend);
    refactor(lower);
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::refactor(const SparseMatrix& lower) {
    if (lower.rows() != size_ || lower.cols() != size_) {
        throw InvalidInput(fmt::format("A factor of size {} cannot take a matrix of {} x {}.",
                                       size_, lower.rows(), lower.cols()));
    }
    if (size_ > 0) factor_->factor(Compressed(lower));
}

void SparseCholesky::solve(std::span<const Vec3> b, std::span<Vec3> out_x) const {
    Eigen::MatrixXd columns(size_, 3);
    for (int i = 0; i < size_; ++i) columns.row(i) = b[static_cast<size_t>(i)].transpose();
    solve(columns);
    for (int i = 0; i < size_; ++i) out_x[static_cast<size_t>(i)] = columns.row(i).transpose();
}

void SparseCholesky::solve(Eigen::Ref<Eigen::MatrixXd> in_out) const {
    if (size_ > 0 && in_out.cols() > 0) factor_->solve(in_out);
}

}  // namespace toile
