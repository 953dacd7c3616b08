// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/topology.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// An edge and how many times longer it is than at rest, after both shapes were brought to one
/// size.
struct EdgeStretch {
    Edge edge;
    double ratio = 1;
};

/// Whether a pose belongs to the rest mesh whose vertex order it claims: edges of a pose in another
/// order leap across the shape. What a uniform scale changes is taken out first (the median of the
/// edges' ratios, but at most twice or half the ratio of the shapes' spreads).
struct PoseCheck {
    int n_edges = 0;
    int n_stretched = 0;             ///< edges whose length changed more than fourfold
    int n_leaps = 0;                 ///< edges more than sixteen times as long as at rest
    std::vector<EdgeStretch> worst;  ///< the most lengthened edges, worst first, at most ten

    [[nodiscard]] double share() const { return n_edges ? double(n_stretched) / n_edges : 0; }
    /// At most a tenth of the edges stretched and a thousandth leaping.
    [[nodiscard]] bool belongs() const;
    /// It belongs, but more than 2 % of the edges are stretched, or one leaps.
    [[nodiscard]] bool is_doubtful() const;
    /// `edge 12-873 is 214.8 times as long as at rest, edge …`: the worst, for a message.
    [[nodiscard]] std::string worst_edges() const;
};

/// Coordinates must be finite.
PoseCheck check_pose(std::span<const Edge> edges, std::span<const Vec3> rest,
                     std::span<const Vec3> pose);

}  // namespace toile
