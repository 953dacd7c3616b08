// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/topology.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// Whether a pose belongs to the rest mesh whose vertex order it claims: edges of a pose in another
/// order leap across the shape.
struct PoseCheck {
    int n_edges = 0;
    int n_stretched = 0;      ///< edges whose length changed more than fourfold
    std::vector<Edge> worst;  ///< the most changed edges, worst first, at most ten

    [[nodiscard]] double share() const { return n_edges ? double(n_stretched) / n_edges : 0; }
};

PoseCheck check_pose(std::span<const Edge> edges, std::span<const Vec3> rest,
                     std::span<const Vec3> pose);

}  // namespace toile
