// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <span>
#include <vector>

namespace toile {

/// A pair and how far apart its sides are, m.
struct NearPair {
    ContactStencil stencil;
    double gap = 0;
};

/// All pairs of a surface that may touch and are nearer than `gap` m, or than the thickness that
/// they keep where `gap` is 0; sorted by stencil.
std::vector<NearPair> near_pairs(const ContactSurface& surface, std::span<const Vec3> positions,
                                 double gap);

}  // namespace toile
