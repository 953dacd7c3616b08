// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/loose_gradient.h"

#include "toile/core/parallel.h"

#include <Eigen/LU>

#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 1024;
constexpr int kBlock = 9;  // floats
constexpr int kRowsOfAggregate = 40;
/// By so much single precision can lower a residual and know it.
constexpr double kReachOfFloat = 1e-4;

using Vec4f = Eigen::Vector4f;

/// Column j of a block of nine floats; its fourth number is the next block's, and means nothing.
Vec4f column(const float* block, int j) {
    return Eigen::Map<const Vec4f>(block + 3 * j);
}

/// block × x in the first three numbers.
Vec4f times(const float* block, const Vec4f& x) {
    return column(block, 0) * x[0] + column(block, 1) * x[1] + column(block, 2) * x[2];
}

Vec4f without_fourth(Vec4f x) {
    x[3] = 0;
    return x;
}

void store(const Mat3& block, float* out) {
    for (int k = 0; k < kBlock; ++k) out[k] = static_cast<float>(block.data()[k]);
}

/// The identity where a block is singular: the answer is left to the iterations.
Mat3 safe_inverse(const Mat3& block) {
    Mat3 inverse;
    bool invertible = false;
    block.computeInverseWithCheck(inverse, invertible, 0.0);
    return invertible && inverse.allFinite() ? inverse : Mat3::Identity();
}

/// Folds what `map(begin, end)` returns over fixed pieces, in their order, without allocating.
template <class Map>
double sum_pieces(int n, std::vector<double>& partial, const Map& map) {
    partial.assign((n + kGrain - 1) / kGrain, 0.0);
    parallel_for(n, kGrain, [&](int begin, int end) { partial[begin / kGrain] = map(begin, end); });
    double sum = 0;
    for (const double part : partial) sum += part;
    return sum;
}

/// In double, pair by pair: single precision sums of 20,000 rows lose too much.
double dot_rows(const std::vector<Vec4f>& a, const std::vector<Vec4f>& b, int begin, int end) {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (int v = begin; v < end; ++v) {
        sum += (a[v].array() * b[v].array()).matrix().cast<double>();
    }
    return sum.sum();
}

}  // namespace

LooseGradient::LooseGradient(std::span<const BlockSparseMatrix* const> matrices,
                             int least_rows_for_coarse)
    : matrices_(matrices.begin(), matrices.end()), first_row_(1, 0), first_(1, 0) {
    for (size_t m = 0; m < matrices_.size(); ++m) copy_pattern(m);
    const size_t n = n_rows();
    values_.assign(columns_.size() * kBlock + 1, 0.0F);
    inverse_diagonal_.assign(n * kBlock + 1, 0.0F);
    fixed_.assign(n, 0);
    diagonal_.assign(n, Mat3::Zero());
    scratch_.assign(n, Vec3::Zero());
    for (Vector* v : {&residual_, &preconditioned_, &direction_, &product_, &solution_}) {
        v->assign(n, Vec4f::Zero());
    }
    if (n_rows() >= least_rows_for_coarse) {
        coarse_ = CoarseSpace(first_, columns_, kRowsOfAggregate);
    }
}

void LooseGradient::copy_pattern(size_t matrix) {
    const BlockSparseMatrix& m = *matrices_[matrix];
    const int row = first_row_.back();
    const int block = static_cast<int>(columns_.size());
    for (const int column : m.columns()) columns_.push_back(row + column);
    for (const int first : m.first().subspan(1)) first_.push_back(block + first);
    first_row_.push_back(row + m.n_rows());
}

void LooseGradient::set_matrices(std::span<const char> fixed, std::span<const StencilTerm> terms) {
    fixed_.assign(fixed.begin(), fixed.end());
    size_t offset = 0;
    for (const BlockSparseMatrix* matrix : matrices_) {
        const std::span<const Mat3> blocks = matrix->blocks();
        parallel_for(static_cast<int>(blocks.size()), 16 * kGrain, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) store(blocks[k], &values_[(offset + k) * kBlock]);
        });
        offset += blocks.size();
    }
    if (coarse_.n_aggregates() == 0) return;
    coarse_.set_matrix(values_, fixed_);
    coarse_.factorise(terms);
}

void LooseGradient::invert_diagonal(const StencilOperator& terms) {
    for (size_t m = 0; m < matrices_.size(); ++m) {
        for (int row = 0; row < matrices_[m]->n_rows(); ++row) {
            diagonal_[first_row_[m] + row] = matrices_[m]->diagonal(row);
        }
    }
    terms.add_diagonal(diagonal_);
    parallel_for(n_rows(), kGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            const Mat3 inverse = fixed_[v] ? Mat3::Zero() : safe_inverse(diagonal_[v]);
            store(inverse, &inverse_diagonal_[static_cast<size_t>(v) * kBlock]);
        }
    });
}

void LooseGradient::multiply(const StencilOperator& terms, std::span<const Vec3> x,
                             std::span<Vec3> out_y) const {
    for (size_t m = 0; m < matrices_.size(); ++m) {
        const size_t row = first_row_[m], n = matrices_[m]->n_rows();
        matrices_[m]->multiply(x.subspan(row, n), out_y.subspan(row, n));
    }
    terms.add_product(x, out_y);
}

void LooseGradient::multiply_float(const StencilOperator& terms, const Vector& x,
                                   Vector& out_y) const {
    parallel_for(n_rows(), kGrain, [&](int begin, int end) {
        for (int row = begin; row < end; ++row) {
            Vec4f sum = Vec4f::Zero();
            for (int k = first_[row]; k < first_[row + 1]; ++k) {
                sum += times(&values_[static_cast<size_t>(k) * kBlock], x[columns_[k]]);
            }
            out_y[row] = without_fourth(sum);
        }
    });
    terms.add_product(x, out_y);
}

/// Adds the coarse part to z = P r, of which `delta` = r . z is known without it; returns r . z.
double LooseGradient::correct_coarsely(double delta) {
    if (!coarse_.usable()) return delta;
    coarse_.add_correction(residual_, preconditioned_);
    return sum_pieces(n_rows(), partial_, [&](int begin, int end) {
        return dot_rows(residual_, preconditioned_, begin, end);
    });
}

/// z = P r, and r . z.
double LooseGradient::precondition() {
    const double delta = sum_pieces(n_rows(), partial_, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            const float* inverse = &inverse_diagonal_[static_cast<size_t>(v) * kBlock];
            preconditioned_[v] = without_fourth(times(inverse, residual_[v]));
        }
        return dot_rows(residual_, preconditioned_, begin, end);
    });
    return correct_coarsely(delta);
}

/// Residual of `x` on the free rows, in double precision before it is rounded; and its norm.
double LooseGradient::load_residual(const StencilOperator& terms, std::span<const Vec3> rhs,
                                    std::span<const Vec3> x) {
    multiply(terms, x, scratch_);
    for (int v = 0; v < n_rows(); ++v) {
        residual_[v].setZero();
        if (!fixed_[v]) residual_[v].head<3>() = (rhs[v] - scratch_[v]).cast<float>();
    }
    return precondition();
}

double LooseGradient::norm_of(const StencilOperator& terms, std::span<const Vec3> rhs,
                              std::span<const Vec3> x) {
    invert_diagonal(terms);
    start_.assign(x.begin(), x.end());
    for (int v = 0; v < n_rows(); ++v) {
        if (!fixed_[v]) start_[v].setZero();
    }
    return std::sqrt(std::max(0.0, load_residual(terms, rhs, start_)));
}

/// Moves solution and residual along the direction; returns r . P r after it.
double LooseGradient::advance(double alpha) {
    const auto a = static_cast<float>(alpha);
    const double delta = sum_pieces(n_rows(), partial_, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            solution_[v] += a * direction_[v];
            residual_[v] -= a * product_[v];
            const float* inverse = &inverse_diagonal_[static_cast<size_t>(v) * kBlock];
            preconditioned_[v] = without_fourth(times(inverse, residual_[v]));
        }
        return dot_rows(residual_, preconditioned_, begin, end);
    });
    return correct_coarsely(delta);
}

/// Conjugate gradients from the residual that is loaded, whose norm squared is `delta`, until that
/// is `target` or less; the correction is then in solution_. Returns the norm squared reached.
double LooseGradient::descend(const StencilOperator& terms, double delta, double target,
                              int max_iterations, SolveReport& inout_report) {
    for (Vec4f& x : solution_) x.setZero();
    direction_ = preconditioned_;
    while (!(delta >= 0 && delta <= target)) {
        const auto stop = [&](SolveStatus status) {
            inout_report.status = status;
            return delta;
        };
        if (!std::isfinite(delta)) return stop(SolveStatus::NotFinite);
        if (delta < 0) return stop(SolveStatus::NotPositive);
        if (inout_report.iterations == max_iterations) return stop(SolveStatus::IterationLimit);
        multiply_float(terms, direction_, product_);
        const double curvature = sum_pieces(n_rows(), partial_, [&](int begin, int end) {
            for (int v = begin; v < end; ++v) {
                if (fixed_[v]) product_[v].setZero();
            }
            return dot_rows(direction_, product_, begin, end);
        });
        if (!(curvature > 0)) return stop(SolveStatus::NotPositive);
        const double previous = delta;
        delta = advance(delta / curvature);
        const auto beta = static_cast<float>(delta / previous);
        parallel_for(n_rows(), kGrain, [&](int begin, int end) {
            for (int v = begin; v < end; ++v) {
                direction_[v] = preconditioned_[v] + beta * direction_[v];
            }
        });
        ++inout_report.iterations;
    }
    inout_report.status = SolveStatus::Converged;
    return delta;
}

LooseReport LooseGradient::solve(const StencilOperator& terms, std::span<const Vec3> rhs,
                                 std::span<Vec3> inout_x, const LooseGradientOptions& options) {
    LooseReport report{.solve = {}, .reference = options.reference};
    if (!(report.reference > 0)) report.reference = norm_of(terms, rhs, inout_x);
    if (!(report.reference > 0)) {  // then zero is the answer
        for (int v = 0; v < n_rows(); ++v) {
            if (!fixed_[v]) inout_x[v].setZero();
        }
    }
    invert_diagonal(terms);
    const double target = std::pow(options.relative_tolerance * report.reference, 2);
    double delta = load_residual(terms, rhs, inout_x);
    // What single precision has lost on the way is seen when the residual is taken anew.
    for (bool again = true; again;) {
        const double within_reach = kReachOfFloat * kReachOfFloat * delta;
        again = within_reach > target;
        delta = descend(terms, delta, std::max(target, within_reach), options.max_iterations,
                        report.solve);
        for (int v = 0; v < n_rows(); ++v) inout_x[v] += solution_[v].head<3>().cast<double>();
        if (report.solve.status != SolveStatus::Converged) break;
        if (again) delta = load_residual(terms, rhs, inout_x);
    }
    if (delta > 0) report.solve.relative_residual = std::sqrt(delta) / report.reference;
    return report;
}

}  // namespace toile
