// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <array>

namespace toile {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;

/// Vertex indices of a triangle, counter-clockwise seen from outside; the memory of a (n, 3) int32
/// array.
using Triangle = std::array<int, 3>;

/// Vertex indices of an edge; smaller index first wherever the edge is not part of a loop.
using Edge = std::array<int, 2>;

static_assert(sizeof(Vec3) == 3 * sizeof(double), "a Vec3 array must be a C-order (n, 3) array");

}  // namespace toile
