// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>

namespace toile {

/// A hinge: {p0, p1, p2, p3} where p1 → p2 is the common edge, (p0, p1, p2) the first triangle in
/// its own orientation and p3 the far corner of the second, whatever the orientation of that one.
using HingeCorners = std::array<Vec3, 4>;
using HingeHessian = Eigen::Matrix<double, 12, 12>;

/// The angle by which the second triangle rises out of the plane of the first, towards the first
/// one's normal: zero when flat, in (-π, π] radians. Zero where a triangle has no area.
double dihedral_angle(const HingeCorners& corners);

/// ∂θ/∂p per corner, rad/m, as in [Wardetzky07, §4.2]. Zero where a triangle has no area.
HingeCorners dihedral_gradient(const HingeCorners& corners);

/// Second derivatives of the angle (compare [Tamstorf13]). Zero where a triangle has no area.
HingeHessian dihedral_hessian(const HingeCorners& corners);

struct AngleAndGradient {
    double angle;
    HingeCorners gradient;
};

/// Both at once, for the price of one.
AngleAndGradient dihedral_angle_and_gradient(const HingeCorners& corners);

}  // namespace toile
