// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/shell_terms.h"

#include "toile/cloth/dihedral_angle.h"

#include <algorithm>

// Notation: s, t = derivatives of w_u, w_v by the corners; c = condition, dc = its rate; h = step;
// tau = damping time. All forces are taken at the end of the step to first order, so a condition
// enters as c + (h + tau) dc, and its matrix as h² + h tau.

namespace toile {
namespace {

/// One stretch direction: its force per derivative, and its matrix in the stretch vector.
struct StretchTerms {
    Vec3 force;
    Mat3 matrix;
};

StretchTerms stretch_terms(const Vec3& w, const Vec3& w_rate, double stiffness, double h,
                           double tau) {
    const double length = w.norm();
    if (!(length > 0)) return {Vec3::Zero(), Mat3::Zero()};
    const Vec3 direction = w / length;
    const double rate = direction.dot(w_rate);
    const double across = std::max(0.0, 1 - 1 / length);
    const Vec3 force =
        stiffness *
        ((length - 1 + (h + tau) * rate - h * across * rate) * direction + h * across * w_rate);
    const double k_across = stiffness * h * h * across;
    const double k_along = stiffness * (h * h + h * tau) - k_across;
    Mat3 matrix = k_along * direction * direction.transpose();
    matrix.diagonal().array() += k_across;
    return {force, matrix};
}

}  // namespace

void ShellKernel::operator()(const ShellTriangle& shell, const BendingSplit& split,
                             const BendingCorners& positions, const BendingCorners& velocities,
                             ShellTerms& out_terms) const {
    set_bending(shell, split, positions, velocities, out_terms);
    add_membrane(shell, positions, velocities, out_terms);
}

void ShellKernel::add_membrane(const ShellTriangle& shell, const BendingCorners& positions,
                               const BendingCorners& velocities, ShellTerms& inout_terms) const {
    const MembraneShape& shape = shell.membrane;
    const Stretch w = stretch(shape, {positions[0], positions[1], positions[2]});
    const Stretch rate = stretch(shape, {velocities[0], velocities[1], velocities[2]});
    const StretchTerms u =
        stretch_terms(w.warp, rate.warp, shape.area * stiffness_.warp, h_, damping_.stretch);
    const StretchTerms v =
        stretch_terms(w.weft, rate.weft, shape.area * stiffness_.weft, h_, damping_.stretch);
    if (limit_.stretch > 0) add_strain_limit(shape, w, rate, inout_terms);
    const double k_shear = shape.area * stiffness_.shear;
    const double c_rate = rate.warp.dot(w.weft) + w.warp.dot(rate.weft);
    const double shear = k_shear * (w.warp.dot(w.weft) + (h_ + damping_.shear) * c_rate);
    const double shear_matrix = k_shear * (h_ * h_ + h_ * damping_.shear);
    std::array<Vec3, 3> c;  // ∂(w_u · w_v)/∂p
    for (int m = 0; m < 3; ++m) {
        const double s = shape.d_warp[m], t = shape.d_weft[m];
        c[m] = s * w.weft + t * w.warp;
        inout_terms.force[m] -= s * u.force + t * v.force + shear * c[m];
        for (int n = 0; n <= m; ++n) {
            Mat3& block = inout_terms.block[block_index(n, m)];
            block += (shape.d_warp[n] * s) * u.matrix;
            block += (shape.d_weft[n] * t) * v.matrix;
            block += (shear_matrix * c[n]) * c[m].transpose();
        }
    }
}

/// Energy, not condition: its force is taken at the end of the step to first order, undamped.
void ShellKernel::add_strain_limit(const MembraneShape& shape, const Stretch& w,
                                   const Stretch& rate, ShellTerms& inout_terms) const {
    const auto limit = strain_limit_terms(w, limit_);
    if (!limit) return;
    Eigen::Matrix<double, 6, 1> both;
    both << rate.warp, rate.weft;
    const Eigen::Matrix<double, 6, 1> force = limit->gradient + h_ * (limit->hessian * both);
    const auto& k = limit->hessian;
    for (int m = 0; m < 3; ++m) {
        const double s = shape.d_warp[m], t = shape.d_weft[m];
        inout_terms.force[m] -= shape.area * (s * force.head<3>() + t * force.tail<3>());
        for (int n = 0; n <= m; ++n) {
            const double sn = shape.d_warp[n], tn = shape.d_weft[n];
            inout_terms.block[block_index(n, m)] +=
                (h_ * h_ * shape.area) *
                (sn * s * k.topLeftCorner<3, 3>() + sn * t * k.topRightCorner<3, 3>() +
                 tn * s * k.bottomLeftCorner<3, 3>() + tn * t * k.bottomRightCorner<3, 3>());
        }
    }
}

void ShellKernel::set_bending(const ShellTriangle& shell, const BendingSplit& split,
                              const BendingCorners& positions, const BendingCorners& velocities,
                              ShellTerms& out_terms) const {
    const BendingShape& shape = shell.bending;
    Vec3 slope = split.offset;  // φ, at the end of the step
    std::array<Mat3, 3> inner;  // inner[corner].col(i) = ∂φ_i/∂corner
    std::array<Vec3, 3> outer;  // outer[i] = ∂φ_i/∂(far corner i)
    for (Mat3& gradients : inner) gradients.setZero();
    for (int i = 0; i < 3; ++i) {
        outer[i].setZero();
        if (!shape.has_hinge[i]) continue;
        AngleAndGradient hinge = dihedral_angle_and_gradient(hinge_corners(positions, i));
        for (Vec3& gradient : hinge.gradient) gradient *= split.share[i];
        const std::array<int, 4> at = hinge_of_triangle(i);
        double rate = hinge.gradient[3].dot(velocities[at[3]]);
        outer[i] = hinge.gradient[3];
        for (int k = 0; k < 3; ++k) {
            inner[at[k]].col(i) = hinge.gradient[k];
            rate += hinge.gradient[k].dot(velocities[at[k]]);
        }
        slope[i] +=
            split.share[i] * (hinge.angle - shape.rest_angles[i]) + (h_ + damping_.bend) * rate;
    }
    const Vec3 moments = shape.stiffness * slope;
    const Mat3 weight = (h_ * h_ + h_ * damping_.bend) * shape.stiffness;
    for (int a = 0; a < 3; ++a) {
        out_terms.force[a].noalias() = -inner[a] * moments;
        out_terms.force[a + 3] = -moments[a] * outer[a];
        const Mat3 weighted = inner[a] * weight;
        for (int b = a; b < 3; ++b) {
            out_terms.block[block_index(a, b)].noalias() = weighted * inner[b].transpose();
            out_terms.block[block_index(a + 3, b + 3)].noalias() =
                (weight(a, b) * outer[a]) * outer[b].transpose();
        }
        for (int i = 0; i < 3; ++i) {
            out_terms.block[block_index(a, i + 3)].noalias() =
                weighted.col(i) * outer[i].transpose();
        }
    }
}

}  // namespace toile
