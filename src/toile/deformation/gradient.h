// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/linalg/sparse_cholesky.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// The linear functions of a triangle at rest: hat[c] is the gradient (1/m) of the function that is
/// 1 at corner c and 0 at the others. A function with values x_c at the corners has the gradient
/// sum_c x_c hat[c]ᵀ. [Botsch06, eq. 4]
struct TriangleHats {
    std::array<Vec3, 3> hats;
    double area = 0;  ///< m²
    /// The area is zero to rounding, or a vertex is used twice: hats are zero and the area is 0.
    bool degenerate = false;
};

/// Of every triangle, in order.
std::vector<TriangleHats> triangle_hats(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles);

/// The linear map from rest to pose of a triangle: exact on its two edges and on its normal, which
/// is scaled like a length (by the square root of the ratio of areas), so that a uniform scale s
/// gives s I [Sumner04, eq. 1 and 4]. Identity where the rest triangle is degenerate; where only
/// the pose is, the normal goes to zero.
Mat3 deformation_gradient(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& pose);

/// Of every triangle between two states of one mesh, into memory of the caller (n_triangles).
void deformation_gradients(std::span<const Triangle> triangles, std::span<const Vec3> rest,
                           std::span<const Vec3> pose, std::span<Mat3> out_gradients);

/// The lower triangle of L = Gᵀ D G, the cotangent Laplacian with positive diagonal
/// (L_ij = sum of area hat_i · hat_j), n_vertices square; every diagonal entry is stored.
SparseMatrix laplacian(std::span<const TriangleHats> hats, std::span<const Triangle> triangles,
                       int n_vertices);

/// A third of the area of the triangles round each vertex; m².
std::vector<double> vertex_areas(std::span<const TriangleHats> hats,
                                 std::span<const Triangle> triangles, int n_vertices);

}  // namespace toile
