// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// A spring between two points that are weighted sums of up to four rows: the matrix
/// w wᵀ ⊗ (along n nᵀ + across (I - n nᵀ - t tᵀ)), of rank 3, or 2 where it has a loose direction.
struct StencilTerm {
    std::array<int, 4> rows = {-1, -1, -1, -1};  ///< -1: nothing there
    std::array<double, 4> weights = {0, 0, 0, 0};
    Vec3 normal = {0, 0, 0};  ///< unit
    Vec3 loose = {0, 0, 0};   ///< t, unit and across the normal, or zero
    double along = 0;         ///< 0 or more
    double across = 0;        ///< 0 or more
};

/// The 3×3 matrix of a term in its weighted difference.
inline Mat3 term_block(const StencilTerm& term) {
    return term.across * Mat3::Identity() +
           (term.along - term.across) * term.normal * term.normal.transpose() -
           term.across * term.loose * term.loose.transpose();
}

/// A sum of terms as an operator that is never formed. Terms change from solve to solve; what they
/// add to a row is gathered by the row, in the order of the terms, so the bits are the same on any
/// number of threads.
class StencilOperator {
  public:
    /// `terms` must outlive the calls that follow. Keeps its memory.
    void set(std::span<const StencilTerm> terms, int n_rows);

    [[nodiscard]] std::span<const StencilTerm> terms() const { return terms_; }

    /// inout_y += A x.
    void add_product(std::span<const Vec3> x, std::span<Vec3> inout_y) const;
    /// The same in single precision, four floats a row of which the last is zero.
    void add_product(std::span<const Eigen::Vector4f> x, std::span<Eigen::Vector4f> inout_y) const;
    /// inout_blocks[row] += diagonal block.
    void add_diagonal(std::span<Mat3> inout_blocks) const;

  private:
    /// One row's part in one term.
    struct Entry {
        int term;
        float weight;
    };
    struct FloatTerm {
        Eigen::Vector4f normal, loose, weights;
        std::array<int, 4> rows;  // 0 where there is none, with weight 0
        float difference, across;
    };

    std::span<const StencilTerm> terms_;
    std::vector<FloatTerm> float_terms_;
    std::vector<int> touched_;  // rows with entries, ascending
    std::vector<int> first_;    // offsets of their entries, one more than rows
    std::vector<Entry> entries_;
    std::vector<int> count_;  // per row
    mutable std::vector<Eigen::Vector4f> forces_;
};

}  // namespace toile
