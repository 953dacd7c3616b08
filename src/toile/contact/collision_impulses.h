// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/collision_detector.h"
#include "toile/contact/impulses.h"

#include <vector>

namespace toile {

/// Hits as inelastic constraints: with the closest points and the normal of the time of the hit,
/// the sides must not approach over the step [the thesis, eqs 2.77-2.85]. Where turning sides have
/// less than their hit gap along that normal already, they are parted by what is missing.
void add_collisions(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                    std::span<const CollisionHit> hits, std::span<const Vec3> start,
                    std::span<const Vec3> end, std::vector<ImpulseConstraint>& out);

}  // namespace toile
