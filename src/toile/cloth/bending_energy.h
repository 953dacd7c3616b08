// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// The six vertices that bend with a triangle: its corners, then for each corner i the far vertex
/// of the neighbour across the edge opposite to i.
using BendingCorners = std::array<Vec3, 6>;
using BendingHessian = Eigen::Matrix<double, 18, 18>;

/// How a triangle resists the angles θ of its three hinges: E = ½ (θ - θ0)ᵀ K (θ - θ0).
struct BendingShape {
    Mat3 stiffness = Mat3::Zero();  ///< K, N·m; row and column i are zero without neighbour i
    Vec3 rest_angles = Vec3::Zero();
    std::array<bool, 3> has_hinge = {false, false, false};
};

/// N·m: moment per width at curvature (or twist) 1/m.
struct BendingStiffness {
    double warp = 0;
    double weft = 0;
    double twist = 0;
};

/// A triangle and its neighbours, unfolded into its own rest plane (warp, weft), metres.
struct UnfoldedPatch {
    std::array<Vec2, 3> corners;
    std::array<Vec2, 3> far_corners;  ///< far_corners[i] is used where has_hinge[i]
    std::array<bool, 3> has_hinge = {false, false, false};
};

/// The stiffness of the three hinges such that any shape of constant curvature κ has the energy
/// ½ A (B_warp κ11² + B_weft κ22² + 2 B_twist κ12²) on any mesh: a rotation-free triangle, as the
/// basic shell triangle of [Onate00], written by its compliance so that a missing neighbour just
/// drops a row (a free edge: the curvature left open takes its cheapest value).
///
/// A curvature κ bends hinge i by θ_i = C_i κ, where C_i measures by how much the far corner rises
/// out of the triangle's plane, over its height; K = (C D⁻¹ Cᵀ / A + δ I)⁻¹. The small compliance δ
/// (kHingeCompliance of the mean one) keeps K finite where the six points lie on a conic, which the
/// angles of no constant curvature can tell apart. All zero for a triangle without area.
BendingShape bending_shape(const UnfoldedPatch& patch, const BendingStiffness& stiffness);

inline constexpr double kHingeCompliance = 1e-3;
/// The softest direction bends at least this share of the stiffest.
inline constexpr double kLeastAnisotropy = 1e-6;

/// Signed hinge angles of the triangle, rad (see dihedral_angle()); zero without a neighbour.
Vec3 hinge_angles(const BendingShape& shape, const BendingCorners& corners);

/// In J.
double bending_value(const BendingShape& shape, const BendingCorners& corners);
/// ∂E/∂p per vertex, N.
BendingCorners bending_gradient(const BendingShape& shape, const BendingCorners& corners);
/// Second derivatives of the value; may be indefinite.
BendingHessian bending_hessian(const BendingShape& shape, const BendingCorners& corners);
/// Jᵀ K J with J = ∂θ/∂p: positive semi-definite, exact where the hinges are at rest.
BendingHessian bending_hessian_positive(const BendingShape& shape, const BendingCorners& corners);

/// The four points of hinge i among the six.
constexpr std::array<int, 4> hinge_of_triangle(int i) {
    return {i, (i + 1) % 3, (i + 2) % 3, i + 3};
}
std::array<Vec3, 4> hinge_corners(const BendingCorners& corners, int i);

}  // namespace toile
