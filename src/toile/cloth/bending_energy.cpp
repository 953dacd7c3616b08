// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/bending_energy.h"

#include "toile/cloth/dihedral_angle.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

/// Height of a surface of unit curvature over the plane: for κ11, κ22, κ12.
Vec3 curved_height(const Vec2& p) {
    return {0.5 * p[0] * p[0], 0.5 * p[1] * p[1], p[0] * p[1]};
}

double cross(const Vec2& a, const Vec2& b) {
    return a[0] * b[1] - a[1] * b[0];
}

/// C_i: the angle at hinge i of a surface of unit curvature, to first order.
Vec3 angle_per_curvature(const UnfoldedPatch& patch, size_t i) {
    const Vec2 &q = patch.corners[i], &q1 = patch.corners[(i + 1) % 3],
               &q2 = patch.corners[(i + 2) % 3], &far = patch.far_corners[i];
    const double twice_area = cross(q1 - q, q2 - q);
    const double b1 = cross(far - q, q2 - q) / twice_area;
    const double b2 = cross(q1 - q, far - q) / twice_area;
    const double height = std::abs(cross(q2 - q1, far - q1)) / (q2 - q1).norm();
    return (curved_height(far) - (1 - b1 - b2) * curved_height(q) - b1 * curved_height(q1) -
            b2 * curved_height(q2)) /
           height;
}

/// Inverse of the rows and columns of the hinges that are there; zero elsewhere.
Mat3 invert_present(const Mat3& compliance, const std::array<bool, 3>& present) {
    Mat3 padded = compliance;
    for (int i = 0; i < 3; ++i) {
        if (present[static_cast<size_t>(i)]) continue;
        padded.row(i).setZero();
        padded.col(i).setZero();
        padded(i, i) = compliance.trace();
    }
    Mat3 stiffness = padded.inverse();
    for (int i = 0; i < 3; ++i) {
        if (present[static_cast<size_t>(i)]) continue;
        stiffness.row(i).setZero();
        stiffness.col(i).setZero();
    }
    return stiffness;
}

/// ∂θ_i/∂p for the six vertices, as rows of three columns.
using AngleJacobian = Eigen::Matrix<double, 18, 3>;

AngleJacobian angle_jacobian(const BendingShape& shape, const BendingCorners& corners) {
    AngleJacobian jacobian = AngleJacobian::Zero();
    for (int i = 0; i < 3; ++i) {
        if (!shape.has_hinge[static_cast<size_t>(i)]) continue;
        const HingeCorners gradient = dihedral_gradient(hinge_corners(corners, i));
        for (size_t k = 0; k < 4; ++k) {
            jacobian.block<3, 1>(3 * hinge_of_triangle(i)[k], i) = gradient[k];
        }
    }
    return jacobian;
}

}  // namespace

BendingShape bending_shape(const UnfoldedPatch& patch, const BendingStiffness& stiffness) {
    BendingShape shape;
    const double stiffest = std::max({stiffness.warp, stiffness.weft, stiffness.twist});
    const double area =
        std::abs(cross(patch.corners[1] - patch.corners[0], patch.corners[2] - patch.corners[0])) /
        2;
    if (!(area > 0) || !(stiffest > 0)) return shape;
    Mat3 rows = Mat3::Zero();
    int n = 0;
    for (size_t i = 0; i < 3; ++i) {
        if (!patch.has_hinge[i]) continue;
        rows.row(static_cast<int>(i)) = angle_per_curvature(patch, i).transpose();
        ++n;
    }
    if (n == 0) return shape;
    const double least = kLeastAnisotropy * stiffest;
    const Vec3 d = Vec3(stiffness.warp, stiffness.weft, 2 * stiffness.twist).cwiseMax(least);
    Mat3 compliance = rows * d.cwiseInverse().asDiagonal() * rows.transpose() / area;
    compliance.diagonal().array() +=
        kHingeCompliance * (rows * rows.transpose()).trace() / (stiffest * area * n);
    shape.has_hinge = patch.has_hinge;
    shape.stiffness = invert_present(compliance, patch.has_hinge);
    return shape;
}

std::array<Vec3, 4> hinge_corners(const BendingCorners& corners, int i) {
    const std::array<int, 4> at = hinge_of_triangle(i);
    return {corners[static_cast<size_t>(at[0])], corners[static_cast<size_t>(at[1])],
            corners[static_cast<size_t>(at[2])], corners[static_cast<size_t>(at[3])]};
}

Vec3 hinge_angles(const BendingShape& shape, const BendingCorners& corners) {
    Vec3 angles = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        if (shape.has_hinge[static_cast<size_t>(i)]) {
            angles[i] = dihedral_angle(hinge_corners(corners, i));
        }
    }
    return angles;
}

double bending_value(const BendingShape& shape, const BendingCorners& corners) {
    const Vec3 change = hinge_angles(shape, corners) - shape.rest_angles;
    return 0.5 * change.dot(shape.stiffness * change);
}

BendingCorners bending_gradient(const BendingShape& shape, const BendingCorners& corners) {
    const Vec3 moments = shape.stiffness * (hinge_angles(shape, corners) - shape.rest_angles);
    const Eigen::Matrix<double, 18, 1> flat = angle_jacobian(shape, corners) * moments;
    BendingCorners gradient;
    for (int v = 0; v < 6; ++v) gradient[static_cast<size_t>(v)] = flat.segment<3>(3 * v);
    return gradient;
}

BendingHessian bending_hessian_positive(const BendingShape& shape, const BendingCorners& corners) {
    const AngleJacobian jacobian = angle_jacobian(shape, corners);
    return jacobian * shape.stiffness * jacobian.transpose();
}

BendingHessian bending_hessian(const BendingShape& shape, const BendingCorners& corners) {
    BendingHessian hessian = bending_hessian_positive(shape, corners);
    const Vec3 moments = shape.stiffness * (hinge_angles(shape, corners) - shape.rest_angles);
    for (int i = 0; i < 3; ++i) {
        if (!shape.has_hinge[static_cast<size_t>(i)]) continue;
        const HingeHessian curvature = dihedral_hessian(hinge_corners(corners, i));
        const std::array<int, 4> at = hinge_of_triangle(i);
        for (int k = 0; k < 4; ++k) {
            for (int l = 0; l < 4; ++l) {
                hessian.block<3, 3>(3 * at[static_cast<size_t>(k)],
                                    3 * at[static_cast<size_t>(l)]) +=
                    moments[i] * curvature.block<3, 3>(3 * k, 3 * l);
            }
        }
    }
    return hessian;
}

}  // namespace toile
