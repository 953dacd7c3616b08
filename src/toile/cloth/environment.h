// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// What acts on a cloth from outside and is not contact.
struct Environment {
    Vec3 gravity = {0, -9.81, 0};  ///< m/s²
    Vec3 wind = {0, 0, 0};         ///< m/s, velocity of the air; felt through the drags only
    /// N·s²/m⁴ (= kg/m³): pressure on a face = this × (normal speed relative to the air)², against
    /// the motion. Half the density of the air × the drag coefficient: about 0.6 for a flat plate.
    double air_drag = 0;
    double linear_drag = 0;  ///< 1/s: force per mass = this × speed relative to the air
};

}  // namespace toile
