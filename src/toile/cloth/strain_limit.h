// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/membrane_energy.h"

#include <optional>

namespace toile {

/// Beyond a stretch that cloth reaches only as its threads straighten, it becomes much stiffer.
struct StrainLimit {
    double stretch = 1.1;  ///< principal stretch at which it begins; 0: never
    double stiffness = 0;  ///< N/m, of what is beyond
};

/// The two principal stretches σ₁ ≥ σ₂ of F = (w_u, w_v) = U Σ Vᵀ.
struct PrincipalStretch {
    double first = 0, second = 0;
    Vec3 first_direction, second_direction, normal;  ///< columns of U
    Vec2 first_rest, second_rest;                    ///< columns of V
};

PrincipalStretch principal_stretch(const Stretch& stretch);

/// E = ½ A k Σᵢ max(0, σᵢ - s)², J. Convex in the corners, since σ₁ is a norm and σ₁ + σ₂ is one:
/// its Hessian is positive semi-definite as it stands.
double strain_limit_value(const MembraneShape& shape, const StrainLimit& limit,
                          const std::array<Vec3, 3>& corners);
/// ∂E/∂p, per corner, N.
std::array<Vec3, 3> strain_limit_gradient(const MembraneShape& shape, const StrainLimit& limit,
                                          const std::array<Vec3, 3>& corners);
/// Exact second derivatives.
MembraneHessian strain_limit_hessian(const MembraneShape& shape, const StrainLimit& limit,
                                     const std::array<Vec3, 3>& corners);

/// The same in the stretch vectors, for the step: derivative and second derivative of E / A by
/// (w_u, w_v), six numbers. Empty where no stretch is beyond the limit, which is found out cheaply.
struct StrainLimitTerms {
    Eigen::Matrix<double, 6, 1> gradient;
    Eigen::Matrix<double, 6, 6> hessian;
};
std::optional<StrainLimitTerms> strain_limit_terms(const Stretch& stretch,
                                                   const StrainLimit& limit);

}  // namespace toile
