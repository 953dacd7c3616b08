// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <span>
#include <vector>

namespace toile {

/// A pair and how far apart its sides are.
struct NearPair {
    ContactStencil stencil;
    double gap = 0;   ///< m
    double kept = 0;  ///< m, what it should keep and does not
};

/// What pairs should keep: their thickness, or what float32 rounding can close (separation.h).
enum class KeptGap { Thickness, Rounding };

/// All pairs of a surface that may touch and are nearer than they should be; sorted by stencil.
std::vector<NearPair> near_pairs(const ContactSurface& surface, std::span<const Vec3> positions,
                                 KeptGap kept);

}  // namespace toile
