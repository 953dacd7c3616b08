// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/bending_energy.h"

#include "toile/cloth/dihedral_angle.h"

#include <cmath>

namespace toile {
SlopeJacobian slope_jacobian(const BendingShape& shape, const BendingSplit& split,
                             const BendingCorners& corners) {
    SlopeJacobian jacobian = SlopeJacobian::Zero();
    for (int i = 0; i < 3; ++i) {
        if (!shape.has_hinge[i]) continue;
        const HingeCorners gradient = dihedral_gradient(hinge_corners(corners, i));
        for (int k = 0; k < 4; ++k) {
            jacobian.block<3, 1>(3 * hinge_of_triangle(i)[k], i) = split.share[i] * gradient[k];
        }
    }
    return jacobian;
}

Mat3 slope_stiffness(const std::array<Vec2, 3>& rest_corners, const BendingStiffness& stiffness) {
    const Vec2 d1 = rest_corners[1] - rest_corners[0], d2 = rest_corners[2] - rest_corners[0];
    const double area = std::abs(d1[0] * d2[1] - d2[0] * d1[1]) / 2;
    if (!(area > 0)) return Mat3::Zero();
    Mat3 curvature;  // column i: (κ11, κ22, κ12) of unit slope at edge i
    for (int i = 0; i < 3; ++i) {
        const Vec2 e = rest_corners[(i + 2) % 3] - rest_corners[(i + 1) % 3];
        const double factor = 1 / (area * e.norm());
        curvature.col(i) = factor * Vec3(e[1] * e[1], e[0] * e[0], -e[0] * e[1]);
    }
    const Vec3 weight = area * Vec3(stiffness.warp, stiffness.weft, 2 * stiffness.twist);
    return curvature.transpose() * weight.asDiagonal() * curvature;
}

std::array<Vec3, 4> hinge_corners(const BendingCorners& corners, int i) {
    const std::array<int, 4> at = hinge_of_triangle(i);
    return {corners[at[0]], corners[at[1]], corners[at[2]], corners[at[3]]};
}

Vec3 hinge_angles(const BendingShape& shape, const BendingCorners& corners) {
    Vec3 angles = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        if (shape.has_hinge[i]) angles[i] = dihedral_angle(hinge_corners(corners, i));
    }
    return angles;
}

Vec3 edge_slopes(const BendingShape& shape, const BendingSplit& split,
                 const BendingCorners& corners) {
    return split.share.cwiseProduct(hinge_angles(shape, corners) - shape.rest_angles) +
           split.offset;
}

double bending_value(const BendingShape& shape, const BendingSplit& split,
                     const BendingCorners& corners) {
    const Vec3 slopes = edge_slopes(shape, split, corners);
    return 0.5 * slopes.dot(shape.stiffness * slopes);
}

BendingCorners bending_gradient(const BendingShape& shape, const BendingSplit& split,
                                const BendingCorners& corners) {
    const Vec3 moments = shape.stiffness * edge_slopes(shape, split, corners);
    const Eigen::Matrix<double, 18, 1> flat = slope_jacobian(shape, split, corners) * moments;
    BendingCorners gradient;
    for (int v = 0; v < 6; ++v) gradient[v] = flat.segment<3>(3 * v);
    return gradient;
}

BendingHessian bending_hessian_positive(const BendingShape& shape, const BendingSplit& split,
                                        const BendingCorners& corners) {
    const SlopeJacobian jacobian = slope_jacobian(shape, split, corners);
    return jacobian * shape.stiffness * jacobian.transpose();
}

BendingHessian bending_hessian(const BendingShape& shape, const BendingSplit& split,
                               const BendingCorners& corners) {
    BendingHessian hessian = bending_hessian_positive(shape, split, corners);
    const Vec3 moments = shape.stiffness * edge_slopes(shape, split, corners);
    for (int i = 0; i < 3; ++i) {
        if (!shape.has_hinge[i]) continue;
        const HingeHessian curvature = dihedral_hessian(hinge_corners(corners, i));
        const std::array<int, 4> at = hinge_of_triangle(i);
        for (int k = 0; k < 4; ++k) {
            for (int l = 0; l < 4; ++l) {
                hessian.block<3, 3>(3 * at[k], 3 * at[l]) +=
                    split.share[i] * moments[i] * curvature.block<3, 3>(3 * k, 3 * l);
            }
        }
    }
    return hessian;
}

}  // namespace toile
