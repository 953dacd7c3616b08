// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/membrane_energy.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

Vec3 direction_or_zero(const Vec3& w, double length) {
    return length > 0 ? Vec3(w / length) : Vec3(Vec3::Zero());
}

/// 1 - 1/|w|: tension over stretch; zero for a vector without direction.
double transverse_factor(double length) {
    return length > 0 ? 1 - 1 / length : 0.0;
}

/// ŵŵᵀ + factor (I - ŵŵᵀ): second derivative of ½(|w| - 1)² in w.
Mat3 stretch_curvature(const Vec3& w, double factor) {
    const Vec3 direction = direction_or_zero(w, w.norm());
    const Mat3 along = direction * direction.transpose();
    return along + factor * (Mat3::Identity() - along);
}

enum class Definiteness { Exact, Positive };

MembraneHessian hessian(const MembraneShape& shape, const MembraneStiffness& stiffness,
                        const std::array<Vec3, 3>& corners, Definiteness kind) {
    const Stretch w = stretch(shape, corners);
    const bool exact = kind == Definiteness::Exact;
    const double factor_u = transverse_factor(w.warp.norm());
    const double factor_v = transverse_factor(w.weft.norm());
    const Mat3 h_u =
        stiffness.warp * stretch_curvature(w.warp, exact ? factor_u : std::max(0.0, factor_u));
    const Mat3 h_v =
        stiffness.weft * stretch_curvature(w.weft, exact ? factor_v : std::max(0.0, factor_v));
    const double shear = exact ? stiffness.shear * w.warp.dot(w.weft) : 0.0;
    const Vec3 &s = shape.d_warp, &t = shape.d_weft;
    MembraneHessian result;
    for (int m = 0; m < 3; ++m) {
        const Vec3 c_m = s[m] * w.weft + t[m] * w.warp;
        for (int n = 0; n < 3; ++n) {
            const Vec3 c_n = s[n] * w.weft + t[n] * w.warp;
            result.block<3, 3>(3 * m, 3 * n) =
                shape.area *
                (s[m] * s[n] * h_u + t[m] * t[n] * h_v + stiffness.shear * c_m * c_n.transpose() +
                 shear * (s[m] * t[n] + t[m] * s[n]) * Mat3::Identity());
        }
    }
    return result;
}

}  // namespace

MembraneShape membrane_shape(const std::array<Vec2, 3>& rest_corners) {
    const Vec2 d1 = rest_corners[1] - rest_corners[0];
    const Vec2 d2 = rest_corners[2] - rest_corners[0];
    const double determinant = d1[0] * d2[1] - d2[0] * d1[1];
    if (determinant == 0) return {};
    MembraneShape shape;
    shape.area = std::abs(determinant) / 2;
    shape.d_warp = Vec3(d1[1] - d2[1], d2[1], -d1[1]) / determinant;
    shape.d_weft = Vec3(d2[0] - d1[0], -d2[0], d1[0]) / determinant;
    return shape;
}

Stretch stretch(const MembraneShape& shape, const std::array<Vec3, 3>& corners) {
    const Vec3 e1 = corners[1] - corners[0], e2 = corners[2] - corners[0];
    return {.warp = shape.d_warp[1] * e1 + shape.d_warp[2] * e2,
            .weft = shape.d_weft[1] * e1 + shape.d_weft[2] * e2};
}

double membrane_value(const MembraneShape& shape, const MembraneStiffness& stiffness,
                      const std::array<Vec3, 3>& corners) {
    const Stretch w = stretch(shape, corners);
    const double c_u = w.warp.norm() - 1, c_v = w.weft.norm() - 1, c_s = w.warp.dot(w.weft);
    return 0.5 * shape.area *
           (stiffness.warp * c_u * c_u + stiffness.weft * c_v * c_v + stiffness.shear * c_s * c_s);
}

std::array<Vec3, 3> membrane_gradient(const MembraneShape& shape,
                                      const MembraneStiffness& stiffness,
                                      const std::array<Vec3, 3>& corners) {
    const Stretch w = stretch(shape, corners);
    const double length_u = w.warp.norm(), length_v = w.weft.norm();
    const double c_s = w.warp.dot(w.weft);
    const Vec3 g_u = stiffness.warp * (length_u - 1) * direction_or_zero(w.warp, length_u) +
                     stiffness.shear * c_s * w.weft;
    const Vec3 g_v = stiffness.weft * (length_v - 1) * direction_or_zero(w.weft, length_v) +
                     stiffness.shear * c_s * w.warp;
    std::array<Vec3, 3> gradient;
    for (int m = 0; m < 3; ++m) {
        gradient[static_cast<size_t>(m)] =
            shape.area * (shape.d_warp[m] * g_u + shape.d_weft[m] * g_v);
    }
    return gradient;
}

MembraneHessian membrane_hessian(const MembraneShape& shape, const MembraneStiffness& stiffness,
                                 const std::array<Vec3, 3>& corners) {
    return hessian(shape, stiffness, corners, Definiteness::Exact);
}

MembraneHessian membrane_hessian_positive(const MembraneShape& shape,
                                          const MembraneStiffness& stiffness,
                                          const std::array<Vec3, 3>& corners) {
    return hessian(shape, stiffness, corners, Definiteness::Positive);
}

}  // namespace toile
