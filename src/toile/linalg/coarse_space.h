// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/sparse_cholesky.h"
#include "toile/linalg/stencil_terms.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

/// The coarse half of a two-level preconditioner [Nicolaides87]: the subspace in which all free
/// rows of an aggregate move alike, one 3-vector each. Its matrix is Pᵀ A P, springs included, so
/// what couples far parts of a body, or two bodies, is solved at once.
class CoarseSpace {
  public:
    /// Of no use.
    CoarseSpace() = default;
    /// Aggregates of about `rows_each` rows, grown over the pattern (compressed rows). The spans
    /// must outlive this.
    CoarseSpace(std::span<const int> first, std::span<const int> columns, int rows_each);

    [[nodiscard]] bool usable() const { return usable_; }
    [[nodiscard]] int n_aggregates() const { return n_aggregates_; }
    /// Per row.
    [[nodiscard]] std::span<const int> aggregate_of() const { return aggregate_of_; }

    /// Sums the matrix's blocks (nine numbers each, by columns) over the free rows of aggregates.
    void set_matrix(std::span<const float> values, std::span<const char> fixed);
    /// Adds springs and factorises. Where the matrix is not positive definite as far as rounding
    /// can tell, the space is of no use until the next call.
    void factorise(std::span<const StencilTerm> terms);

    /// inout_z += P (PᵀAP)⁻¹ Pᵀ r; `r` is zero on fixed rows, which `inout_z` keeps.
    void add_correction(std::span<const Eigen::Vector4f> r, std::span<Eigen::Vector4f> inout_z);

  private:
    void grow_aggregates(int rows_each);
    void list_rows();
    void find_blocks();
    void add_triplets(int a, int b, const Mat3& block);

    std::span<const int> first_, columns_;
    int n_aggregates_ = 0;
    bool usable_ = false;
    std::vector<int> aggregate_of_;          // per row
    std::vector<int> first_row_, rows_;      // rows of each aggregate
    std::vector<std::array<int, 2>> pairs_;  // of aggregates that share a block, first >= second
    std::vector<int> pair_of_block_;         // per block of the fine pattern; -1 above diagonal
    std::vector<Mat3> blocks_;               // of the pairs, springs not included
    std::vector<char> fixed_;                // per row
    std::vector<Eigen::Triplet<double>> triplets_;
    SparseMatrix matrix_;
    std::unique_ptr<SparseCholesky> factor_;
    Eigen::MatrixXd solution_;
};

}  // namespace toile
