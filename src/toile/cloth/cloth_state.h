// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <vector>

namespace toile {

/// Where a cloth is and how it moves: n_vertices each, metres and m/s.
struct ClothState {
    std::vector<Vec3> positions;
    std::vector<Vec3> velocities;

    bool operator==(const ClothState&) const = default;
};

}  // namespace toile
