// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh.h"

#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace toile {

/// The point of a triangle surface nearest to a given one.
struct SurfacePoint {
    int triangle = -1;  ///< -1: none within reach; of equally near ones, the first
    Vec3 barycentric = Vec3::Zero();
    double distance = std::numeric_limits<double>::infinity();  ///< m
};

struct ClosestPointOptions {
    double max_distance = std::numeric_limits<double>::infinity();  ///< m, inclusive
    /// Triangles that count; empty: all.
    std::function<bool(int triangle)> filter;
};

/// Answers closest point queries on a triangle surface. Construct = build a tree, O(n log n);
/// a query is about O(log n) and const. Keeps views: the arrays must outlive it.
class ClosestPointQuery {
  public:
    ClosestPointQuery(std::span<const Vec3> positions, std::span<const Triangle> triangles);

    /// Moves the surface; same counts as at construction.
    void refit(std::span<const Vec3> positions);

    /// Nothing (triangle -1) for a point with NaN.
    [[nodiscard]] SurfacePoint closest(const Vec3& p,
                                       const ClosestPointOptions& options = {}) const;

  private:
    std::span<const Vec3> positions_;
    std::span<const Triangle> triangles_;
    std::vector<Aabb> boxes_;
    Bvh tree_;
};

namespace brute_force {

/// The slow obvious twin: every triangle is looked at.
SurfacePoint closest_on_surface(const Vec3& p, std::span<const Vec3> positions,
                                std::span<const Triangle> triangles,
                                const ClosestPointOptions& options = {});

}  // namespace brute_force

}  // namespace toile
