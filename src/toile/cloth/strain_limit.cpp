// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/strain_limit.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

// Notation: F = (w_u, w_v), 3 × 2; e(u, v) = u vᵀ as six numbers; g_i = max(0, σ_i - s).

namespace toile {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// Below this part of the first, the second stretch has no direction of its own.
constexpr double kFlat = 1e-9;
/// Two stretches, which are near 1 where the limit matters, that differ by less are one.
constexpr double kEqualStretches = 1e-9;

Vec6 outer(const Vec3& u, const Vec2& v) {
    Vec6 e;
    e << v[0] * u, v[1] * u;
    return e;
}

/// σ₁² from the metric FᵀF.
double largest_squared(double uu, double uv, double vv) {
    return 0.5 * (uu + vv) + std::hypot(0.5 * (uu - vv), uv);
}

/// Slope of g between the two stretches: at most 1.
double slope(double g1, double g2, double difference) {
    if (difference > kEqualStretches) return (g1 - g2) / difference;
    return g2 > 0 ? 1 : 0;
}

std::array<Vec3, 3> on_corners(const MembraneShape& shape, const Vec6& gradient) {
    std::array<Vec3, 3> result;
    for (int m = 0; m < 3; ++m) {
        result[m] = shape.area *
                    (shape.d_warp[m] * gradient.head<3>() + shape.d_weft[m] * gradient.tail<3>());
    }
    return result;
}

}  // namespace

PrincipalStretch principal_stretch(const Stretch& w) {
    const double uu = w.warp.squaredNorm(), vv = w.weft.squaredNorm(), uv = w.warp.dot(w.weft);
    const double angle = 0.5 * std::atan2(2 * uv, uu - vv);
    PrincipalStretch p;
    p.first_rest = Vec2(std::cos(angle), std::sin(angle));
    p.second_rest = Vec2(-p.first_rest[1], p.first_rest[0]);
    const Vec3 first = p.first_rest[0] * w.warp + p.first_rest[1] * w.weft;
    const Vec3 second = p.second_rest[0] * w.warp + p.second_rest[1] * w.weft;
    p.first = first.norm();
    p.second = second.norm();
    p.first_direction = p.first > 0 ? Vec3(first / p.first) : Vec3(Vec3::UnitX());
    p.second_direction =
        p.second > kFlat * p.first ? Vec3(second / p.second) : p.first_direction.unitOrthogonal();
    p.normal = p.first_direction.cross(p.second_direction);
    return p;
}

double strain_limit_value(const MembraneShape& shape, const StrainLimit& limit,
                          const std::array<Vec3, 3>& corners) {
    if (!(limit.stretch > 0)) return 0;
    const PrincipalStretch p = principal_stretch(stretch(shape, corners));
    const double g1 = std::max(0.0, p.first - limit.stretch);
    const double g2 = std::max(0.0, p.second - limit.stretch);
    return 0.5 * shape.area * limit.stiffness * (g1 * g1 + g2 * g2);
}

std::optional<StrainLimitTerms> strain_limit_terms(const Stretch& w, const StrainLimit& limit) {
    const double s = limit.stretch;
    if (!(s > 0)) return {};
    if (largest_squared(w.warp.squaredNorm(), w.warp.dot(w.weft), w.weft.squaredNorm()) <= s * s) {
        return {};
    }
    const PrincipalStretch p = principal_stretch(w);
    const double g1 = std::max(0.0, p.first - s), g2 = std::max(0.0, p.second - s);
    const Vec6 e11 = outer(p.first_direction, p.first_rest);
    const Vec6 e22 = outer(p.second_direction, p.second_rest);
    const Vec6 e21 = outer(p.second_direction, p.first_rest);
    const Vec6 e12 = outer(p.first_direction, p.second_rest);
    const Vec6 e31 = outer(p.normal, p.first_rest), e32 = outer(p.normal, p.second_rest);
    const double k = limit.stiffness;
    StrainLimitTerms terms;
    terms.gradient = k * (g1 * e11 + g2 * e22);
    const auto add = [&](double factor, const Vec6& e) {
        if (factor > 0) terms.hessian += (k * factor * e) * e.transpose();
    };
    terms.hessian.setZero();
    add(g1 > 0 ? 1 : 0, e11);
    add(g2 > 0 ? 1 : 0, e22);
    add(0.5 * slope(g1, g2, p.first - p.second), e21 + e12);
    add(0.5 * (g1 + g2) / (p.first + p.second), e21 - e12);
    add(g1 / p.first, e31);
    if (g2 > 0) add(g2 / p.second, e32);
    return terms;
}

std::array<Vec3, 3> strain_limit_gradient(const MembraneShape& shape, const StrainLimit& limit,
                                          const std::array<Vec3, 3>& corners) {
    const auto terms = strain_limit_terms(stretch(shape, corners), limit);
    return on_corners(shape, terms ? terms->gradient : Vec6(Vec6::Zero()));
}

MembraneHessian strain_limit_hessian(const MembraneShape& shape, const StrainLimit& limit,
                                     const std::array<Vec3, 3>& corners) {
    MembraneHessian result = MembraneHessian::Zero();
    const auto terms = strain_limit_terms(stretch(shape, corners), limit);
    if (!terms) return result;
    const Mat6& h = terms->hessian;
    const Vec3 &s = shape.d_warp, &t = shape.d_weft;
    for (int m = 0; m < 3; ++m) {
        for (int n = 0; n < 3; ++n) {
            result.block<3, 3>(3 * m, 3 * n) =
                shape.area *
                (s[m] * s[n] * h.topLeftCorner<3, 3>() + s[m] * t[n] * h.topRightCorner<3, 3>() +
                 t[m] * s[n] * h.bottomLeftCorner<3, 3>() +
                 t[m] * t[n] * h.bottomRightCorner<3, 3>());
        }
    }
    return result;
}

}  // namespace toile
