// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/dihedral_angle.h"

#include <Eigen/Geometry>

#include <cmath>

// Notation: e = p2 - p1; N_a, N_b the area normals of (p0, p1, p2) and (p3, p2, p1); m = N
// |e|/|N|², that is the unit normal over the height; a, b the places of the feet of p0 and p3 on
// the edge.

namespace toile {
namespace {

/// An area normal shorter than this, relative to the squared edge, has no direction.
constexpr double kFlatness = 1e-12;

struct HingeFrame {
    Vec3 edge;
    double squared_edge;
    Vec3 normal_a, normal_b;
    double squared_a, squared_b;  ///< |N|²
    bool regular;
};

HingeFrame hinge_frame(const HingeCorners& p) {
    HingeFrame f;
    f.edge = p[2] - p[1];
    f.squared_edge = f.edge.squaredNorm();
    f.normal_a = f.edge.cross(p[0] - p[1]);
    f.normal_b = (p[3] - p[1]).cross(f.edge);
    f.squared_a = f.normal_a.squaredNorm();
    f.squared_b = f.normal_b.squaredNorm();
    const double least = kFlatness * kFlatness * f.squared_edge * f.squared_edge;
    f.regular = f.squared_a > least && f.squared_b > least;
    return f;
}

double angle_of(const HingeFrame& f) {
    const double sine = f.normal_b.cross(f.normal_a).dot(f.edge) / std::sqrt(f.squared_edge);
    return std::atan2(sine, f.normal_a.dot(f.normal_b));
}

HingeCorners gradient_of(const HingeFrame& f, const HingeCorners& p) {
    const double length = std::sqrt(f.squared_edge);
    const Vec3 m_a = f.normal_a * (length / f.squared_a);
    const Vec3 m_b = f.normal_b * (length / f.squared_b);
    const double a = (p[0] - p[1]).dot(f.edge) / f.squared_edge;
    const double b = (p[3] - p[1]).dot(f.edge) / f.squared_edge;
    return {m_a, -(1 - a) * m_a - (1 - b) * m_b, -a * m_a - b * m_b, m_b};
}

/// x ↦ r × x.
Mat3 cross_matrix(const Vec3& r) {
    Mat3 matrix;
    matrix << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    return matrix;
}

/// Derivatives of m and of the foot of one of the two triangles, by its far corner and the edge's
/// two ends.
struct SideDerivatives {
    Vec3 m;
    double foot;
    std::array<Mat3, 3> d_m;
    std::array<Vec3, 3> d_foot;
};

SideDerivatives side_derivatives(const Vec3& far_corner, const Vec3& start, const Vec3& end) {
    const Vec3 e = end - start;
    const Vec3 normal = e.cross(far_corner - start);
    const double ee = e.squaredNorm(), nn = normal.squaredNorm(), length = std::sqrt(ee);
    SideDerivatives d;
    d.m = normal * (length / nn);
    d.foot = (far_corner - start).dot(e) / ee;
    const Mat3 by_normal =
        (length / nn) * (Mat3::Identity() - (2 / nn) * normal * normal.transpose());
    d.d_m[0] = by_normal * cross_matrix(e);
    d.d_m[1] = by_normal * cross_matrix(far_corner - end);
    d.d_m[2] = by_normal * cross_matrix(start - far_corner);
    const Mat3 by_length = normal * e.transpose() / (nn * length);
    d.d_m[1] -= by_length;
    d.d_m[2] += by_length;
    d.d_foot[0] = e / ee;
    d.d_foot[2] = (far_corner - start) / ee - 2 * d.foot * e / ee;
    d.d_foot[1] = -d.d_foot[0] - d.d_foot[2];
    return d;
}

/// Adds one side's part of the Hessian: gradient (m, -(1-t) m, -t m) at rows (far, 1, 2).
void add_side(const SideDerivatives& d, double sign, int far, HingeHessian& inout_hessian) {
    const std::array<int, 3> at = {far, 1, 2};
    for (size_t k = 0; k < 3; ++k) {
        const Mat3 slide = d.m * d.d_foot[k].transpose();
        const int column = 3 * at[k];
        inout_hessian.block<3, 3>(3 * far, column) += sign * d.d_m[k];
        inout_hessian.block<3, 3>(3, column) += sign * (slide - (1 - d.foot) * d.d_m[k]);
        inout_hessian.block<3, 3>(6, column) -= sign * (slide + d.foot * d.d_m[k]);
    }
}

}  // namespace

double dihedral_angle(const HingeCorners& corners) {
    const HingeFrame f = hinge_frame(corners);
    return f.regular ? angle_of(f) : 0.0;
}

HingeCorners dihedral_gradient(const HingeCorners& corners) {
    return dihedral_angle_and_gradient(corners).gradient;
}

AngleAndGradient dihedral_angle_and_gradient(const HingeCorners& corners) {
    const HingeFrame f = hinge_frame(corners);
    if (!f.regular) return {0.0, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}};
    return {angle_of(f), gradient_of(f, corners)};
}

HingeHessian dihedral_hessian(const HingeCorners& corners) {
    HingeHessian hessian = HingeHessian::Zero();
    if (!hinge_frame(corners).regular) return hessian;
    add_side(side_derivatives(corners[0], corners[1], corners[2]), 1, 0, hessian);
    // The second triangle's own normal points the other way round the edge: N_b = -(e × (p3 - p1)).
    add_side(side_derivatives(corners[3], corners[1], corners[2]), -1, 3, hessian);
    return hessian;
}

}  // namespace toile
