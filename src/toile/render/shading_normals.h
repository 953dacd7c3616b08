// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// Unit normals for every corner of every triangle (3 * n_triangles): the sum of the area-weighted
/// normals of those triangles round the corner's vertex that lie within `crease_angle` (radians) of
/// the corner's own triangle. With pi the surface is smooth everywhere, with 0 it is faceted. The
/// corners of a triangle without area get the sum of all round the vertex; zero where that
/// vanishes.
std::vector<Eigen::Vector3f> corner_normals(std::span<const Vec3> positions,
                                            std::span<const Triangle> triangles,
                                            double crease_angle);

}  // namespace toile
