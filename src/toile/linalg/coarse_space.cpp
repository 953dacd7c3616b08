// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/coarse_space.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <algorithm>

namespace toile {
namespace {

constexpr int kGrain = 64;  // aggregates
constexpr int kRowGrain = 1024;
constexpr int kBlock = 9;  // floats
/// Of the diagonal, so that an aggregate without a free row leaves the matrix regular.
constexpr double kEmptyDiagonal = 1;

}  // namespace

CoarseSpace::CoarseSpace(std::span<const int> first, std::span<const int> columns, int rows_each)
    : first_(first), columns_(columns) {
    grow_aggregates(rows_each);
    list_rows();
    find_blocks();
    solution_.resize(3 * n_aggregates_, 1);
}

/// Breadth first from the lowest row that is left, so aggregates are compact where the pattern is.
void CoarseSpace::grow_aggregates(int rows_each) {
    const int n = static_cast<int>(first_.size()) - 1;
    aggregate_of_.assign(n, -1);
    std::vector<int> front;
    for (int seed = 0; seed < n; ++seed) {
        if (aggregate_of_[seed] >= 0) continue;
        front.assign(1, seed);
        aggregate_of_[seed] = n_aggregates_;
        for (size_t i = 0; i < front.size(); ++i) {
            for (int k = first_[front[i]]; k < first_[front[i] + 1]; ++k) {
                const int row = columns_[k];
                if (static_cast<int>(front.size()) >= rows_each) break;
                if (aggregate_of_[row] >= 0) continue;
                aggregate_of_[row] = n_aggregates_;
                front.push_back(row);
            }
        }
        ++n_aggregates_;
    }
}

void CoarseSpace::list_rows() {
    first_row_.assign(n_aggregates_ + 1, 0);
    for (const int a : aggregate_of_) ++first_row_[a + 1];
    for (int a = 0; a < n_aggregates_; ++a) first_row_[a + 1] += first_row_[a];
    rows_.resize(aggregate_of_.size());
    std::vector<int> next(first_row_.begin(), first_row_.end() - 1);
    for (int row = 0; row < static_cast<int>(aggregate_of_.size()); ++row) {
        rows_[next[aggregate_of_[row]]++] = row;
    }
}

void CoarseSpace::find_blocks() {
    const auto for_each = [&](const auto& visit) {
        for (int row = 0; row + 1 < static_cast<int>(first_.size()); ++row) {
            for (int k = first_[row]; k < first_[row + 1]; ++k) {
                visit(k, std::array{aggregate_of_[row], aggregate_of_[columns_[k]]});
            }
        }
    };
    for_each([&](int, const std::array<int, 2>& pair) {
        if (pair[0] >= pair[1]) pairs_.push_back(pair);
    });
    std::ranges::sort(pairs_);
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    pair_of_block_.assign(columns_.size(), -1);
    for_each([&](int k, const std::array<int, 2>& pair) {
        if (pair[0] < pair[1]) return;
        pair_of_block_[k] =
            static_cast<int>(std::ranges::lower_bound(pairs_, pair) - pairs_.begin());
    });
    blocks_.assign(pairs_.size(), Mat3::Zero());
}

void CoarseSpace::set_matrix(std::span<const float> values, std::span<const char> fixed) {
    fixed_.assign(fixed.begin(), fixed.end());
    for (Mat3& block : blocks_) block.setZero();
    for (int row = 0; row + 1 < static_cast<int>(first_.size()); ++row) {
        if (fixed_[row]) continue;
        for (int k = first_[row]; k < first_[row + 1]; ++k) {
            if (pair_of_block_[k] < 0 || fixed_[columns_[k]]) continue;
            const Eigen::Map<const Eigen::Matrix3f> block(&values[static_cast<size_t>(k) * kBlock]);
            blocks_[pair_of_block_[k]] += block.cast<double>();
        }
    }
}

/// The part of a block in the lower triangle.
void CoarseSpace::add_triplets(int a, int b, const Mat3& block) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (3 * a + i >= 3 * b + j) triplets_.emplace_back(3 * a + i, 3 * b + j, block(i, j));
        }
    }
}

void CoarseSpace::factorise(std::span<const StencilTerm> terms) {
    usable_ = false;
    triplets_.clear();
    for (size_t p = 0; p < pairs_.size(); ++p) {
        const auto [a, b] = pairs_[p];
        Mat3 block = blocks_[p];
        if (a == b && block.isZero(0)) block = kEmptyDiagonal * Mat3::Identity();
        add_triplets(a, b, block);
    }
    for (const StencilTerm& term : terms) {
        const Mat3 block = term_block(term);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                if (term.rows[i] < 0 || term.rows[j] < 0) continue;
                const int a = aggregate_of_[term.rows[i]], b = aggregate_of_[term.rows[j]];
                if (a >= b) add_triplets(a, b, term.weights[i] * term.weights[j] * block);
            }
        }
    }
    matrix_.resize(3 * n_aggregates_, 3 * n_aggregates_);
    matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
    try {
        factor_ = std::make_unique<SparseCholesky>(matrix_);
    } catch (const ComputationFailed&) {
        return;
    }
    usable_ = true;
}

void CoarseSpace::add_correction(std::span<const Eigen::Vector4f> r,
                                 std::span<Eigen::Vector4f> inout_z) {
    parallel_for(n_aggregates_, kGrain, [&](int begin, int end) {
        for (int a = begin; a < end; ++a) {
            Vec3 sum = Vec3::Zero();
            for (int i = first_row_[a]; i < first_row_[a + 1]; ++i) {
                sum += r[rows_[i]].head<3>().cast<double>();
            }
            solution_.block<3, 1>(3 * a, 0) = sum;
        }
    });
    factor_->solve(solution_);
    parallel_for(static_cast<int>(inout_z.size()), kRowGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            if (fixed_[v]) continue;
            inout_z[v].head<3>() += solution_.block<3, 1>(3 * aggregate_of_[v], 0).cast<float>();
        }
    });
}

}  // namespace toile
