// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// Whether two closed triangles share a point, by exact arithmetic on the given doubles; right for
/// coplanar and degenerate ones too. Coordinates must be finite.
bool triangles_intersect(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

/// Crossing pairs within one surface, (smaller, larger), sorted. Two triangles that share vertices
/// cross if they share any point beyond those vertices or the edge between them (exact).
/// Vertices are the same where their indices are: two of them at one place touch, so their
/// triangles cross. Throws InvalidInput for a triangle with an infinite or NaN coordinate, here and
/// below.
std::vector<ElementPair> self_crossings(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles);

/// Crossing pairs (a, b) of two surfaces, sorted. Touching counts.
std::vector<ElementPair> crossings(std::span<const Vec3> positions_a,
                                   std::span<const Triangle> triangles_a,
                                   std::span<const Vec3> positions_b,
                                   std::span<const Triangle> triangles_b);

/// Vertices of `points` inside the closed surface (odd number of crossings of a ray, exact),
/// ascending. Points on the surface are not inside. Empty where the surface is open (an edge with
/// an odd number of triangles).
std::vector<int> points_inside(std::span<const Vec3> points, std::span<const Vec3> positions,
                               std::span<const Triangle> triangles);

namespace brute_force {

/// The slow obvious twins: the same tests on every pair.
std::vector<ElementPair> self_crossings(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles);
std::vector<ElementPair> crossings(std::span<const Vec3> positions_a,
                                   std::span<const Triangle> triangles_a,
                                   std::span<const Vec3> positions_b,
                                   std::span<const Triangle> triangles_b);

}  // namespace brute_force

}  // namespace toile
