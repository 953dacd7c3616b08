// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <vector>

namespace toile {

/// A mean of points: positions of `vertices` times `weights`, which sum to 1 (or are none).
struct WeightedMean {
    std::vector<int> vertices;
    std::vector<double> weights;

    [[nodiscard]] bool empty() const { return vertices.empty(); }
    [[nodiscard]] Vec3 operator()(std::span<const Vec3> positions) const;
};

/// Mean of the centroids of target triangles, weighted by their areas, and the same mean over the
/// centroids of their source triangles.
struct PairedMeans {
    WeightedMean target;
    WeightedMean source;  ///< empty where no triangle has a pair: `target` is then of all
};

/// What pairs say about places and sizes. Keeps views; the arrays must outlive it.
class PairGeometry {
  public:
    /// `target_areas`: of every target triangle; those of area 0 weigh a little all the same, so
    /// that a mean exists.
    PairGeometry(const TriangleMesh& source, const TriangleMesh& target, const TrianglePairs& pairs,
                 std::span<const double> target_areas);

    [[nodiscard]] bool has_pair(int target_triangle) const {
        return !pairs_.sources_of(target_triangle).empty();
    }
    [[nodiscard]] PairedMeans means(std::span<const int> target_triangles) const;

    /// Size of the target over that of the source, by the spread of all paired centroids; 1 where
    /// either has none.
    [[nodiscard]] double scale() const;
    /// The rotation that brings the source's paired centroids nearest to the target's; the identity
    /// where the points do not decide it.
    [[nodiscard]] Mat3 rotation() const;

  private:
    [[nodiscard]] Vec3 source_centroid(int target_triangle) const;

    const TriangleMesh& source_;
    const TriangleMesh& target_;
    const TrianglePairs& pairs_;
    std::vector<double> weights_;  ///< of target triangles
};

}  // namespace toile
