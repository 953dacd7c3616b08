// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"

#include <span>

namespace toile {

struct PairSearchOptions {
    int n_nearest = 10;                     ///< source triangles of a target triangle, at most
    double max_distance = 0.05;             ///< of centroids, in parts of the target's diagonal
    double max_angle = 1.0471975511965976;  ///< radians, between normals
    bool both_directions = false;  ///< also the nearest target triangle of every source triangle
};

/// Pairs triangles whose centroids lie near each other and that look the same way, `source` being
/// laid over the target. Triangles without area get no pair.
TrianglePairs find_pairs(std::span<const Vec3> source, std::span<const Triangle> source_triangles,
                         std::span<const Vec3> target, std::span<const Triangle> target_triangles,
                         const PairSearchOptions& options = {});

namespace brute_force {

/// The slow obvious twin: all triangles against all.
TrianglePairs find_pairs(std::span<const Vec3> source, std::span<const Triangle> source_triangles,
                         std::span<const Vec3> target, std::span<const Triangle> target_triangles,
                         const PairSearchOptions& options = {});

}  // namespace brute_force

}  // namespace toile
