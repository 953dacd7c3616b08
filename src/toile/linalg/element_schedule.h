// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/parallel.h"
#include "toile/core/types.h"
#include "toile/linalg/block_sparse_matrix.h"

#include <span>
#include <vector>

namespace toile {

/// An order in which elements may add to shared rows in parallel: elements are sorted along a curve
/// through space, cut into pieces, and pieces that share a row get different colours. Colours run
/// one after the other, so every sum has one order: the same bits on any number of threads.
class ElementSchedule {
  public:
    /// `centres[e]` places element e in space; `stencils[e]` lists its rows.
    ElementSchedule(const StencilList& stencils, std::span<const Vec3> centres, int n_rows);

    /// Calls `body(element)` once for every element.
    template <class Body>
    void for_each(const Body& body) const {
        for (size_t colour = 0; colour + 1 < first_piece_.size(); ++colour) {
            const int begin = first_piece_[colour];
            parallel_for(first_piece_[colour + 1] - begin, 1, [&](int from, int to) {
                for (int i = from; i < to; ++i) run_piece(pieces_[begin + i], body);
            });
        }
    }

    [[nodiscard]] int n_colours() const { return static_cast<int>(first_piece_.size()) - 1; }
    [[nodiscard]] std::span<const int> order() const { return order_; }

    /// Colour of every piece of kPieceSize elements of order().
    [[nodiscard]] std::vector<int> colour_of_piece() const;

    static constexpr int kPieceSize = 128;

  private:
    template <class Body>
    void run_piece(int piece, const Body& body) const {
        const int n = static_cast<int>(order_.size());
        const int end = std::min(n, (piece + 1) * kPieceSize);
        for (int k = piece * kPieceSize; k < end; ++k) body(order_[k]);
    }

    std::vector<int> order_;        ///< elements along the curve
    std::vector<int> pieces_;       ///< sorted by colour
    std::vector<int> first_piece_;  ///< n_colours + 1 offsets into `pieces_`
};

}  // namespace toile
