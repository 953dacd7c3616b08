// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/conjugate_gradient.h"

#include "toile/core/parallel.h"

#include <Eigen/LU>

#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 4096;

void keep_free_part(std::span<const RowFilter> filters, std::span<Vec3> inout_x) {
    for (const RowFilter& filter : filters) {
        Vec3& x = inout_x[static_cast<size_t>(filter.row)];
        x = filter.free * x;
    }
}

Vec3 prescribed_part(const RowFilter& filter) {
    return filter.value - filter.free * filter.value;
}

/// Inverse of a diagonal block; the identity where it is singular, which keeps the preconditioner
/// positive and leaves the answer to the iterations.
Mat3 safe_inverse(const Mat3& block) {
    Mat3 inverse;
    bool invertible = false;
    block.computeInverseWithCheck(inverse, invertible, 0.0);
    return invertible && inverse.allFinite() ? inverse : Mat3::Identity();
}

/// Where nothing pulls on the free directions, only the prescribed parts remain.
SolveReport exact_answer(std::span<const RowFilter> filters, std::span<Vec3> out_x) {
    set_zero(out_x);
    for (const RowFilter& filter : filters) {
        out_x[static_cast<size_t>(filter.row)] = prescribed_part(filter);
    }
    return {};
}

}  // namespace

void ConjugateGradient::resize(size_t n) {
    inverse_diagonal_.resize(n);
    for (auto* vector : {&residual_, &preconditioned_, &direction_, &product_}) vector->resize(n);
}

void ConjugateGradient::invert_diagonal(const SystemMatrix& matrix) {
    const int n = matrix.sparse.n_rows();
    for (int v = 0; v < n; ++v) {
        inverse_diagonal_[static_cast<size_t>(v)] = matrix.sparse.diagonal(v);
    }
    for (const LinearOperator* term : matrix.extra) term->add_diagonal(inverse_diagonal_);
    parallel_for(n, kGrain, [&](int begin, int end) {
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
            inverse_diagonal_[v] = safe_inverse(inverse_diagonal_[v]);
        }
    });
}

void ConjugateGradient::multiply(const SystemMatrix& matrix, std::span<const Vec3> x,
                                 std::span<Vec3> out_y) const {
    matrix.sparse.multiply(x, out_y);
    for (const LinearOperator* term : matrix.extra) term->add_product(x, out_y);
}

void ConjugateGradient::precondition() {
    parallel_for(static_cast<int>(residual_.size()), kGrain, [&](int begin, int end) {
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
            preconditioned_[v].noalias() = inverse_diagonal_[v] * residual_[v];
        }
    });
}

/// Leaves the filtered residual of the start in residual_; returns the squared norm of the filtered
/// right-hand side.
double ConjugateGradient::start(const SystemMatrix& matrix, std::span<const Vec3> rhs,
                                std::span<const RowFilter> filters, std::span<Vec3> inout_x) {
    set_zero(direction_);
    for (const RowFilter& filter : filters) {
        direction_[static_cast<size_t>(filter.row)] = prescribed_part(filter);
    }
    multiply(matrix, direction_, product_);
    for (size_t v = 0; v < rhs.size(); ++v) residual_[v] = rhs[v] - product_[v];
    keep_free_part(filters, residual_);
    precondition();
    const double rhs_norm = dot(residual_, preconditioned_, scratch_);

    keep_free_part(filters, inout_x);
    add_scaled(1.0, direction_, inout_x);
    multiply(matrix, inout_x, product_);
    for (size_t v = 0; v < rhs.size(); ++v) residual_[v] = rhs[v] - product_[v];
    keep_free_part(filters, residual_);
    return rhs_norm;
}

SolveReport ConjugateGradient::solve(const SystemMatrix& matrix, std::span<const Vec3> rhs,
                                     std::span<const RowFilter> filters, std::span<Vec3> inout_x,
                                     const ConjugateGradientOptions& options) {
    resize(rhs.size());
    invert_diagonal(matrix);
    SolveReport report;
    const double rhs_norm = start(matrix, rhs, filters, inout_x);
    if (rhs_norm == 0) return exact_answer(filters, inout_x);
    precondition();
    keep_free_part(filters, preconditioned_);
    direction_ = preconditioned_;
    double delta = dot(residual_, preconditioned_, scratch_);
    const double target = options.relative_tolerance * options.relative_tolerance * rhs_norm;

    const auto finish = [&](SolveStatus status) {
        report.status = status;
        report.relative_residual = delta == 0 ? 0.0 : std::sqrt(std::abs(delta / rhs_norm));
        return report;
    };
    if (!std::isfinite(rhs_norm)) return finish(SolveStatus::NotFinite);
    if (rhs_norm < 0) return finish(SolveStatus::NotPositive);
    while (!(delta >= 0 && delta <= target)) {
        if (!std::isfinite(delta)) return finish(SolveStatus::NotFinite);
        if (delta < 0) return finish(SolveStatus::NotPositive);
        if (report.iterations == options.max_iterations) {
            return finish(SolveStatus::IterationLimit);
        }
        multiply(matrix, direction_, product_);
        keep_free_part(filters, product_);
        const double curvature = dot(direction_, product_, scratch_);
        if (!(curvature > 0)) return finish(SolveStatus::NotPositive);
        const double alpha = delta / curvature;
        add_scaled(alpha, direction_, inout_x);
        add_scaled(-alpha, product_, residual_);
        precondition();
        keep_free_part(filters, preconditioned_);
        const double previous = delta;
        delta = dot(residual_, preconditioned_, scratch_);
        scale_and_add(preconditioned_, delta / previous, direction_);
        ++report.iterations;
    }
    return finish(SolveStatus::Converged);
}

}  // namespace toile
