// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/impulses.h"

#include <algorithm>

namespace toile {
namespace {

/// Least effective inverse mass, as part of the largest inverse mass in the stencil. Two free sides
/// have 1/4 and more, a prescribed side against a free triangle 1/3 and more.
constexpr double kLeastShare = 0.05;

Vec3 relative_displacement(const ImpulseConstraint& constraint, std::span<const Vec3> u) {
    return weighted_difference(constraint.weights, gather(constraint.stencil, u));
}

void push(const ImpulseConstraint& constraint, const Vec3& impulse,
          std::span<const double> inverse_masses, std::span<Vec3> inout_u) {
    for (int i = 0; i < 4; ++i) {
        const int v = constraint.stencil.vertices[i];
        inout_u[v] += (constraint.weights[i] * inverse_masses[v]) * impulse;
    }
}

/// Change of the friction impulse that stops the slip as far as the cone lets it.
Vec3 friction_change(ImpulseConstraint& constraint, const Vec3& relative) {
    const Vec3 slip = relative - constraint.normal.dot(relative) * constraint.normal;
    Vec3 wanted = constraint.friction_impulse - slip / constraint.inverse_mass;
    const double most = constraint.friction * constraint.normal_impulse;
    const double length = wanted.norm();
    if (length > most) wanted *= most / length;
    const Vec3 change = wanted - constraint.friction_impulse;
    constraint.friction_impulse = wanted;
    return change;
}

void solve(ImpulseConstraint& constraint, std::span<const double> inverse_masses,
           std::span<Vec3> inout_u) {
    Vec3 relative = relative_displacement(constraint, inout_u);
    const double missing = constraint.target - constraint.normal.dot(relative);
    const double before = constraint.normal_impulse;
    constraint.normal_impulse = std::max(0.0, before + missing / constraint.inverse_mass);
    const double change = constraint.normal_impulse - before;
    if (change != 0) push(constraint, change * constraint.normal, inverse_masses, inout_u);
    if (constraint.friction <= 0) return;
    if (constraint.normal_impulse <= 0 && constraint.friction_impulse.isZero(0)) return;
    relative = relative_displacement(constraint, inout_u);
    push(constraint, friction_change(constraint, relative), inverse_masses, inout_u);
}

}  // namespace

double effective_inverse_mass(const ContactStencil& stencil, const std::array<double, 4>& weights,
                              std::span<const double> inverse_masses) {
    double sum = 0, largest = 0;
    for (int i = 0; i < 4; ++i) {
        const double inverse_mass = inverse_masses[stencil.vertices[i]];
        sum += weights[i] * weights[i] * inverse_mass;
        largest = std::max(largest, inverse_mass);
    }
    return sum > 0 ? std::max(sum, kLeastShare * largest) : 0;
}

void apply_impulses(std::span<ImpulseConstraint> constraints,
                    std::span<const double> inverse_masses, int sweeps,
                    std::span<Vec3> inout_displacements) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (ImpulseConstraint& constraint : constraints) {
            if (constraint.inverse_mass > 0) {
                solve(constraint, inverse_masses, inout_displacements);
            }
        }
    }
}

}  // namespace toile
