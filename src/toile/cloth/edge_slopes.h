// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

/// The slopes that a bent cloth takes across the middles of its edges, as those of least energy: a
/// linear system with one unknown an edge and a constant matrix, factorised once.
///
/// With these slopes as unknowns of their own, piecewise constant curvature converges on any mesh
/// (the plate element of [Morley68], with the edge directors of [Grinspun06]); a fixed rule from
/// hinge angles alone does not: it is right on some patterns of diagonals and wrong by tens of
/// percent on others.
///
/// A triangle whose three vertices are all held is a clamp: it keeps its plane up to its edges.
class EdgeSlopes {
  public:
    /// `cloth` must outlive this. O(n log n), more for the factorisation.
    explicit EdgeSlopes(const Cloth& cloth);
    ~EdgeSlopes();
    EdgeSlopes(EdgeSlopes&&) noexcept;
    EdgeSlopes& operator=(EdgeSlopes&&) = delete;

    /// Says which vertices are held; costs a factorisation where it changes which triangles clamp.
    /// `held` has n_vertices, other than 0 for held.
    void set_held(std::span<const char> held);

    /// Finds the slopes at `positions` and returns the splits of all triangles. Allocates nothing;
    /// the same bits on any number of threads.
    std::span<const BendingSplit> solve(std::span<const Vec3> positions);

    /// As of the last solve; shares (without offsets) before the first.
    [[nodiscard]] std::span<const BendingSplit> splits() const { return splits_; }
    /// Per triangle and edge i: offset_i = sign × the edge's own slope; 0 where it has none.
    [[nodiscard]] std::span<const std::array<int, 3>> signs() const { return signs_; }
    [[nodiscard]] const Cloth& cloth() const { return cloth_; }

  private:
    struct Factor;

    void rebuild();
    void set_sides();
    void factorise();
    void gather_right_hand_side();

    const Cloth& cloth_;
    std::vector<char> clamped_;              ///< per triangle
    std::vector<std::array<int, 3>> signs_;  ///< per triangle and edge: side, 0 without offset
    std::vector<std::array<int, 2>> sides_of_edge_;  ///< 3 t + i of the sides with a sign, or -1
    std::vector<BendingSplit> splits_;
    std::vector<Vec3> moments_;  ///< per triangle, of the slopes without offsets
    VecX offsets_, scratch_;     ///< per edge
    std::unique_ptr<Factor> factor_;
};

}  // namespace toile
