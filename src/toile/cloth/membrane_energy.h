// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// How a triangle's stretch vectors follow from its corners p: w_u = Σ d_warp[i] p_i and
/// w_v = Σ d_weft[i] p_i [Baraff98, eq. 9], and its size at rest.
struct MembraneShape {
    Vec3 d_warp = Vec3::Zero();  ///< 1/m, sums to zero
    Vec3 d_weft = Vec3::Zero();  ///< 1/m, sums to zero
    double area = 0;             ///< m², at rest
};

/// Shape functions of the rest triangle with corners (warp, weft) in metres, of either
/// orientation. All zero, so without any force, where its area is zero.
MembraneShape membrane_shape(const std::array<Vec2, 3>& rest_corners);

/// N/m: tension per width at strain 1, shear force per width at shear angle 1.
struct MembraneStiffness {
    double warp = 0;
    double weft = 0;
    double shear = 0;
};

/// Stretch vectors: images of the unit warp and weft directions.
struct Stretch {
    Vec3 warp;
    Vec3 weft;
};

Stretch stretch(const MembraneShape& shape, const std::array<Vec3, 3>& corners);

using MembraneHessian = Eigen::Matrix<double, 9, 9>;

/// E = ½ A (k_warp (|w_u| - 1)² + k_weft (|w_v| - 1)² + k_shear (w_u · w_v)²), in J: the conditions
/// of [Baraff98, §4.2-4.3] with the rest area in the first power, so that the k are tensions. A
/// stretch vector of length zero has no direction, and then its own force is zero.
double membrane_value(const MembraneShape& shape, const MembraneStiffness& stiffness,
                      const std::array<Vec3, 3>& corners);

/// ∂E/∂p, per corner, N.
std::array<Vec3, 3> membrane_gradient(const MembraneShape& shape,
                                      const MembraneStiffness& stiffness,
                                      const std::array<Vec3, 3>& corners);

/// Second derivatives of the value; indefinite in compression and in shear.
MembraneHessian membrane_hessian(const MembraneShape& shape, const MembraneStiffness& stiffness,
                                 const std::array<Vec3, 3>& corners);

/// A positive semi-definite matrix near the Hessian: the transverse stiffness of a compressed
/// direction and the curvature of the shear condition are left out [Choi02].
MembraneHessian membrane_hessian_positive(const MembraneShape& shape,
                                          const MembraneStiffness& stiffness,
                                          const std::array<Vec3, 3>& corners);

}  // namespace toile
