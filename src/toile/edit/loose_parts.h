// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/edit/edit_region.h"

#include <span>
#include <vector>

namespace toile {

/// A component that the edit moves as a whole and that sits in or near another one, as an eye in a
/// head. Indices into EditRegion::vertices.
struct LoosePart {
    std::vector<int> vertices;
    std::vector<int> neighbours;  ///< moved vertices of the other component nearest to it
};

/// The loose parts of a region, each after the component that it follows. A component is loose
/// where all its vertices are free; it follows the nearest component with moved vertices that has a
/// border or, of those without, more vertices, if that is within `reach` (metres). `positions` and
/// `is_moved` have a value for each of region.vertices. Of a part at most some hundred vertices are
/// looked at.
std::vector<LoosePart> find_loose_parts(const EditRegion& region, std::span<const Vec3> positions,
                                        std::span<const char> is_moved, double reach);

/// Mean of `values` at `places`.
Vec3 mean_at(std::span<const int> places, std::span<const Vec3> values);

}  // namespace toile
