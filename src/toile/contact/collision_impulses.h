// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/collision_detector.h"
#include "toile/contact/impulses.h"

#include <vector>

namespace toile {

/// Hits as inelastic constraints along the normal between the closest points at the time of the hit
/// [Manen10, eqs. 2.77-2.85]: the sides may close until they touch, at half of the pair's
/// thickness; where they start nearer they must not approach, and where turning sides have less
/// than their hit gap along that normal they are parted by what is missing. Departure: [Manen10]
/// stops the approach at once, which leaves what lands hovering where the step found it; here it
/// arrives, and the next step's repulsion stops it.
void add_collisions(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                    std::span<const CollisionHit> hits, std::span<const Vec3> start,
                    std::span<const Vec3> end, std::vector<ImpulseConstraint>& out);

}  // namespace toile
