// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"

#include <span>
#include <vector>

namespace toile {

/// One touch between two sides, as the impulses see it: along `normal` the relative displacement of
/// this step must be `target` at least, and what the push is worth, times `friction`, bounds what
/// may hold the sides back across it.
///
/// Everything is in displacements of one step, u = v dt, so an impulse is in kg m.
struct ImpulseConstraint {
    ContactStencil stencil;
    std::array<double, 4> weights;         ///< signed, as in StencilGap
    Vec3 normal;                           ///< unit, from the second side to the first
    double target = 0;                     ///< m
    double friction = 0;                   ///< Coulomb coefficient
    double inverse_mass = 0;               ///< 1/kg: sum w_i^2 / m_i, see `effective_inverse_mass`
    double normal_impulse = 0;             ///< kg m, never negative: contacts do not pull
    Vec3 friction_impulse = Vec3::Zero();  ///< kg m, across the normal
};

/// sum w_i^2 / m_i, prescribed vertices counting as infinitely heavy [Manen10, eqs. 2.78-2.85];
/// with equal masses [Bridson02, §7]'s factor. 0 where all that bears weight is prescribed. Where
/// the only free vertices have next to no weight (beside pins), it is held up, or a small gap would
/// throw them far away.
double effective_inverse_mass(const ContactStencil& stencil, const std::array<double, 4>& weights,
                              std::span<const double> inverse_masses);

/// Goes through all constraints in their order `sweeps` times and changes displacements by equal
/// and opposite impulses (projected Gauss-Seidel). The impulses of each constraint accumulate over
/// sweeps and calls; their sum, not each one, must push and lie in the friction cone, so a push
/// that later turns out too strong is taken back.
void apply_impulses(std::span<ImpulseConstraint> constraints,
                    std::span<const double> inverse_masses, int sweeps,
                    std::span<Vec3> inout_displacements);

}  // namespace toile
