// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"

#include <span>
#include <utility>
#include <vector>

namespace toile {

/// A pair of element indices; of one surface in self queries (first < second), of two otherwise.
using ElementPair = std::pair<int, int>;

/// A binary tree of boxes over elements 0 … n-1, whatever they are (triangles, swept edges,
/// points). Construct = choose the tree's shape; `refit` = new boxes in the same shape, O(n), no
/// allocation. Results are sorted, so that they do not depend on the tree or on the number of
/// threads.
class Bvh {
  public:
    Bvh() = default;
    explicit Bvh(std::span<const Aabb> boxes);

    void refit(std::span<const Aabb> boxes);

    [[nodiscard]] int n_elements() const { return static_cast<int>(leaf_boxes_.size()); }
    [[nodiscard]] Aabb bounds() const;

    /// Elements whose box overlaps `box`, ascending, appended to `out`.
    void query(const Aabb& box, std::vector<int>& out) const;
    /// All (own, other) pairs with overlapping boxes, sorted; `out` is replaced.
    void pairs(const Bvh& other, std::vector<ElementPair>& out) const;
    /// All (smaller, larger) pairs of own elements with overlapping boxes, sorted; `out` is
    /// replaced.
    void self_pairs(std::vector<ElementPair>& out) const;

  private:
    std::vector<Aabb> leaf_boxes_;
};

}  // namespace toile
