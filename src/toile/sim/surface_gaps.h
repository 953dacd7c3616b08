// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/closest_point.h"

#include <span>
#include <vector>

namespace toile {

/// A surface as SurfaceGaps sees it. Keeps views: what they show must outlive it.
struct GapSurface {
    std::span<const Vec3> positions;  ///< m
    std::span<const Triangle> triangles;
    bool obstacle = false;
};

/// How far surfaces are from each other and from themselves, vertex by vertex.
class SurfaceGaps {
  public:
    explicit SurfaceGaps(std::vector<GapSurface> surfaces);

    /// Moves a surface; same counts as at construction.
    void move(size_t surface, std::span<const Vec3> positions);

    /// m, for every vertex of a surface: its distance to the nearest triangle of another surface,
    /// or of its own that does not have this vertex, as the contact model counts pairs; obstacles
    /// look at cloths only. Thickness is not taken off; edges that meet between their vertices are
    /// nearer than this. NaN where there is nothing to look at.
    void compute(size_t surface, std::span<double> out_gaps) const;

  private:
    [[nodiscard]] double gap(size_t surface, int vertex) const;

    std::vector<GapSurface> surfaces_;
    std::vector<ClosestPointQuery> queries_;
};

}  // namespace toile
