// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh_node.h"

#include <span>
#include <vector>

namespace toile::detail {

/// Largest depth of a tree: beyond half of it ranges are cut in the middle whatever the costs.
inline constexpr int kLargestTreeDepth = 80;

/// The nodes of a tree over `boxes` in depth-first order with children and sizes but no boxes yet,
/// one element a leaf; the same for the same boxes. Empty and NaN boxes go anywhere.
std::vector<BvhNode> build_tree_shape(std::span<const Aabb> boxes);

}  // namespace toile::detail
