// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// The six vertices that bend with a triangle: its corners, then for each corner i the far vertex
/// of the neighbour across the edge opposite to i.
using BendingCorners = std::array<Vec3, 6>;
using BendingHessian = Eigen::Matrix<double, 18, 18>;

/// N·m: moment per width at curvature (or twist) 1/m.
struct BendingStiffness {
    double warp = 0;
    double weft = 0;
    double twist = 0;
};

/// How a triangle resists being curved: E = ½ φᵀ K φ, where φ_i is the slope of the cloth across
/// the middle of edge i, measured from the plane of the triangle (positive where it rises
/// outwards).
struct BendingShape {
    Mat3 stiffness = Mat3::Zero();  ///< K, N·m
    Vec3 rest_angles = Vec3::Zero();
    std::array<bool, 3> has_hinge = {false, false, false};
};

/// How the angle θ of a hinge is shared between its two triangles: φ_i = share_i (θ_i - θ0_i) +
/// offset_i. Shares of a hinge sum to one, offsets to zero; a free edge has an offset only.
struct BendingSplit {
    Vec3 share = Vec3::Zero();
    Vec3 offset = Vec3::Zero();  ///< rad, see EdgeSlopes
};

/// K of the triangle with flat rest corners (warp, weft), m: the curvature that the three slopes
/// mean is κ = Σ l_i φ_i n_i n_iᵀ / A with edge lengths l and outward normals n [Morley68], and its
/// energy ½ A (B_warp κ11² + B_weft κ22² + 2 B_twist κ12²). Positive definite for positive
/// stiffness; zero for a triangle without area.
Mat3 slope_stiffness(const std::array<Vec2, 3>& rest_corners, const BendingStiffness& stiffness);

/// Signed hinge angles of the triangle, rad (see dihedral_angle()); zero without a neighbour.
Vec3 hinge_angles(const BendingShape& shape, const BendingCorners& corners);

/// φ.
Vec3 edge_slopes(const BendingShape& shape, const BendingSplit& split,
                 const BendingCorners& corners);

/// ∂φ_i/∂p for the six vertices at constant offsets: column i holds 18 coordinates, 1/m.
using SlopeJacobian = Eigen::Matrix<double, 18, 3>;
SlopeJacobian slope_jacobian(const BendingShape& shape, const BendingSplit& split,
                             const BendingCorners& corners);

/// In J, for given offsets.
double bending_value(const BendingShape& shape, const BendingSplit& split,
                     const BendingCorners& corners);
/// ∂E/∂p per vertex at constant offsets, N. Where the offsets are those of least energy it is the
/// whole derivative.
BendingCorners bending_gradient(const BendingShape& shape, const BendingSplit& split,
                                const BendingCorners& corners);
/// Second derivatives of the value at constant offsets; may be indefinite.
BendingHessian bending_hessian(const BendingShape& shape, const BendingSplit& split,
                               const BendingCorners& corners);
/// Jᵀ K J with J = ∂φ/∂p: positive semi-definite, exact where the slopes are zero.
BendingHessian bending_hessian_positive(const BendingShape& shape, const BendingSplit& split,
                                        const BendingCorners& corners);

/// The four points of hinge i among the six.
constexpr std::array<int, 4> hinge_of_triangle(int i) {
    return {i, (i + 1) % 3, (i + 2) % 3, i + 3};
}
std::array<Vec3, 4> hinge_corners(const BendingCorners& corners, int i);

}  // namespace toile
