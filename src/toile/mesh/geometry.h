// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>

#include <limits>
#include <span>
#include <vector>

namespace toile {

/// Smallest and largest coordinates of a set of points (metres); the default box holds none.
struct BoundingBox {
    Vec3 min = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 max = Vec3::Constant(-std::numeric_limits<double>::infinity());

    [[nodiscard]] bool empty() const { return (min.array() > max.array()).any(); }
    [[nodiscard]] Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(max - min); }
    [[nodiscard]] Vec3 center() const { return 0.5 * (min + max); }
    /// 0 for the empty box.
    [[nodiscard]] double diagonal() const { return size().stableNorm(); }
};

/// The box of all points whose coordinates are finite; others are left out.
BoundingBox bounding_box(std::span<const Vec3> positions);

/// Twice the area times the unit normal of triangle (p0, p1, p2), by the right-hand rule; m².
inline Vec3 triangle_area_vector(const Vec3& p0, const Vec3& p1, const Vec3& p2) {
    return (p1 - p0).cross(p2 - p0);
}

/// Area of triangle (p0, p1, p2); m².
inline double triangle_area(const Vec3& p0, const Vec3& p1, const Vec3& p2) {
    return 0.5 * triangle_area_vector(p0, p1, p2).norm();
}

/// Area of every triangle; m². Here and below, indices must be valid (require_valid_indices).
std::vector<double> triangle_areas(std::span<const Vec3> positions,
                                   std::span<const Triangle> triangles);

/// Sum of the areas of all triangles; m².
double total_area(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// Unit normal of every triangle; the zero vector where the area is exactly zero.
std::vector<Vec3> triangle_normals(std::span<const Vec3> positions,
                                   std::span<const Triangle> triangles);

/// Unit normal of every vertex: its triangles' normals weighted by their areas. The zero vector for
/// a vertex of no triangle, or where the sum vanishes.
std::vector<Vec3> vertex_normals(std::span<const Vec3> positions,
                                 std::span<const Triangle> triangles);

/// The same into memory of the caller; `out_normals` has n_vertices.
void vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                    std::span<Vec3> out_normals);

/// Signed volume inside a closed surface, positive where triangles look outwards; m³. Without
/// meaning for a surface that is open.
double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> triangles);

/// Shortest, mean and longest of a list of lengths; metres; all 0 for an empty list.
struct LengthStatistics {
    double min = 0;
    double mean = 0;
    double max = 0;
};

LengthStatistics edge_length_statistics(std::span<const Vec3> positions,
                                        std::span<const Edge> edges);

}  // namespace toile
