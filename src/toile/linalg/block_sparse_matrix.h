// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// Groups of rows that meet in one element, as the four vertices of a hinge.
struct StencilList {
    std::vector<int> first = {0};  ///< n_stencils + 1 offsets into `rows`
    std::vector<int> rows;

    void add(std::span<const int> stencil) {
        rows.insert(rows.end(), stencil.begin(), stencil.end());
        first.push_back(static_cast<int>(rows.size()));
    }
    [[nodiscard]] int size() const { return static_cast<int>(first.size()) - 1; }
    [[nodiscard]] std::span<const int> operator[](int s) const {
        const auto begin = static_cast<size_t>(first[static_cast<size_t>(s)]);
        const auto end = static_cast<size_t>(first[static_cast<size_t>(s) + 1]);
        return std::span<const int>(rows).subspan(begin, end - begin);
    }
};

/// A square sparse matrix of 3×3 blocks whose pattern is fixed at construction (block compressed
/// rows, columns ascending, every diagonal block present). Both triangles are stored, so that each
/// row of a product belongs to one thread.
class BlockSparseMatrix {
  public:
    /// The pattern in which all rows of each stencil meet. Throws InvalidInput for a row outside of
    /// [0, n_rows). All blocks are zero.
    BlockSparseMatrix(int n_rows, const StencilList& stencils);

    [[nodiscard]] int n_rows() const { return static_cast<int>(first_.size()) - 1; }
    [[nodiscard]] int n_blocks() const { return static_cast<int>(columns_.size()); }

    /// Where block (row, column) is stored, for add(); -1 where the pattern lacks it. O(log n).
    [[nodiscard]] int slot(int row, int column) const;
    /// The slots of all pairs of `rows`, row after row: for construction, not for inner loops.
    [[nodiscard]] std::vector<int> slots_of(std::span<const int> rows) const;
    [[nodiscard]] int diagonal_slot(int row) const { return diagonal_[static_cast<size_t>(row)]; }

    void set_zero();
    void add(int slot, const Mat3& block) { blocks_[static_cast<size_t>(slot)] += block; }
    void add_transposed(int slot, const Mat3& block) {
        blocks_[static_cast<size_t>(slot)] += block.transpose();
    }
    void add_diagonal(int row, double value) {
        blocks_[static_cast<size_t>(diagonal_slot(row))].diagonal().array() += value;
    }
    [[nodiscard]] const Mat3& block(int slot) const { return blocks_[static_cast<size_t>(slot)]; }
    [[nodiscard]] const Mat3& diagonal(int row) const { return block(diagonal_slot(row)); }

    /// out_y = A x; `x` and `out_y` may not overlap. The same bits on any number of threads.
    void multiply(std::span<const Vec3> x, std::span<Vec3> out_y) const;

    /// The pattern, compressed by rows: row r has the blocks first()[r] to first()[r + 1] - 1.
    [[nodiscard]] std::span<const int> first() const { return first_; }
    [[nodiscard]] std::span<const int> columns() const { return columns_; }
    [[nodiscard]] std::span<const Mat3> blocks() const { return blocks_; }

    /// Calls `visit(row, column, block)` for every stored block, in order.
    template <class Visit>
    void for_each_block(const Visit& visit) const {
        for (int row = 0; row < n_rows(); ++row) {
            for (int k = first_[static_cast<size_t>(row)]; k < first_[static_cast<size_t>(row) + 1];
                 ++k) {
                visit(row, columns_[static_cast<size_t>(k)], block(k));
            }
        }
    }

  private:
    std::vector<int> first_;    ///< n_rows + 1 offsets into `columns_` and `blocks_`
    std::vector<int> columns_;  ///< ascending within a row
    std::vector<int> diagonal_;
    std::vector<Mat3> blocks_;
};

}  // namespace toile
