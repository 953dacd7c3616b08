// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"

#include <span>
#include <vector>

namespace toile {

/// Boxes of a surface's parts, each enlarged by `margin` (metres; for proximity, half of the
/// thickness) and rounded outwards. `out_boxes` is resized and keeps its memory from call to call.
void point_boxes(std::span<const Vec3> positions, double margin, std::vector<Aabb>& out_boxes);
void edge_boxes(std::span<const Vec3> positions, std::span<const Edge> edges, double margin,
                std::vector<Aabb>& out_boxes);
void triangle_boxes(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                    double margin, std::vector<Aabb>& out_boxes);

/// Straight motion of every vertex; both spans are n_vertices long.
struct SurfaceMotion {
    std::span<const Vec3> start;
    std::span<const Vec3> end;
};

/// The same over a whole motion: of the positions at its start and its end, between which all
/// others lie.
void swept_point_boxes(const SurfaceMotion& motion, double margin, std::vector<Aabb>& out_boxes);
void swept_edge_boxes(const SurfaceMotion& motion, std::span<const Edge> edges, double margin,
                      std::vector<Aabb>& out_boxes);
void swept_triangle_boxes(const SurfaceMotion& motion, std::span<const Triangle> triangles,
                          double margin, std::vector<Aabb>& out_boxes);

}  // namespace toile
