// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh.h"

#include <span>
#include <vector>

namespace toile::brute_force {

/// The slow obvious twins of `Bvh`: every box against every other, same results in the same order.

/// Whether two boxes share a point; an empty box or one with NaN shares none.
bool boxes_meet(const Aabb& a, const Aabb& b);

void query(std::span<const Aabb> boxes, const Aabb& box, std::vector<int>& out);
void pairs(std::span<const Aabb> boxes_a, std::span<const Aabb> boxes_b,
           std::vector<ElementPair>& out);
void self_pairs(std::span<const Aabb> boxes, std::vector<ElementPair>& out);

}  // namespace toile::brute_force
