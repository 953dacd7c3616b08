// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/block_sparse_matrix.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr int kGrain = 1024;

void check_rows(const StencilList& stencils, int n_rows) {
    for (const int row : stencils.rows) {
        if (row < 0 || row >= n_rows) {
            throw InvalidInput(fmt::format("A stencil names row {}; the matrix has rows 0 to {}.",
                                           row, n_rows - 1));
        }
    }
}

std::vector<std::vector<int>> neighbours(int n_rows, const StencilList& stencils) {
    std::vector<std::vector<int>> columns(static_cast<size_t>(n_rows));
    for (int row = 0; row < n_rows; ++row) columns[static_cast<size_t>(row)].push_back(row);
    for (int s = 0; s < stencils.size(); ++s) {
        for (const int row : stencils[s]) {
            auto& list = columns[static_cast<size_t>(row)];
            list.insert(list.end(), stencils[s].begin(), stencils[s].end());
        }
    }
    for (auto& list : columns) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return columns;
}

}  // namespace

BlockSparseMatrix::BlockSparseMatrix(int n_rows, const StencilList& stencils) {
    check_rows(stencils, n_rows);
    first_.push_back(0);
    for (const auto& list : neighbours(n_rows, stencils)) {
        columns_.insert(columns_.end(), list.begin(), list.end());
        first_.push_back(static_cast<int>(columns_.size()));
    }
    for (int row = 0; row < n_rows; ++row) diagonal_.push_back(slot(row, row));
    blocks_.assign(columns_.size(), Mat3::Zero());
}

int BlockSparseMatrix::slot(int row, int column) const {
    const auto begin = columns_.begin() + first_[static_cast<size_t>(row)];
    const auto end = columns_.begin() + first_[static_cast<size_t>(row) + 1];
    const auto found = std::lower_bound(begin, end, column);
    if (found == end || *found != column) return -1;
    return static_cast<int>(found - columns_.begin());
}

std::vector<int> BlockSparseMatrix::slots_of(std::span<const int> rows) const {
    std::vector<int> slots;
    for (const int row : rows) {
        for (const int column : rows) slots.push_back(slot(row, column));
    }
    return slots;
}

void BlockSparseMatrix::set_zero() {
    parallel_for(n_blocks(), kGrain * 16, [&](int begin, int end) {
        std::fill(blocks_.begin() + begin, blocks_.begin() + end, Mat3::Zero());
    });
}

void BlockSparseMatrix::multiply(std::span<const Vec3> x, std::span<Vec3> out_y) const {
    parallel_for(n_rows(), kGrain, [&](int begin, int end) {
        for (auto row = static_cast<size_t>(begin); row < static_cast<size_t>(end); ++row) {
            Vec3 sum = Vec3::Zero();
            for (auto k = static_cast<size_t>(first_[row]);
                 k < static_cast<size_t>(first_[row + 1]); ++k) {
                sum.noalias() += blocks_[k] * x[static_cast<size_t>(columns_[k])];
            }
            out_y[row] = sum;
        }
    });
}

}  // namespace toile
