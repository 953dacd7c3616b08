// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/environment.h"
#include "toile/cloth/shell_terms.h"

namespace toile {

/// Force of the air on a face, N: -air_drag A |v_n| v_n n, where v_n is the normal component of the
/// mean velocity of its corners relative to the wind, and A n the present area vector. Blind to
/// which side is the front; zero for a face that moves with the air or along itself.
Vec3 air_force(const Environment& environment, const std::array<Vec3, 3>& corners,
               const std::array<Vec3, 3>& velocities);

/// -∂(air_force)/∂(mean velocity), N·s/m: 2 air_drag A |v_n| n nᵀ, positive semi-definite.
Mat3 air_damping(const Environment& environment, const std::array<Vec3, 3>& corners,
                 const std::array<Vec3, 3>& velocities);

/// Gives each corner a third of the force and each pair of corners a ninth of h × the damping.
void add_air_drag(const Environment& environment, const BendingCorners& positions,
                  const BendingCorners& velocities, double h, ShellTerms& inout_terms);

}  // namespace toile
