// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/near_pairs.h"

#include "toile/contact/candidates.h"
#include "toile/contact/separation.h"

#include <algorithm>

namespace toile {

std::vector<NearPair> near_pairs(const ContactSurface& surface, std::span<const Vec3> positions,
                                 KeptGap kept) {
    const bool by_thickness = kept == KeptGap::Thickness;
    CandidateFinder finder;
    finder.begin(surface, positions, positions,
                 {.rounding_gaps = by_thickness ? 0.0 : 1.0, .within_thickness = by_thickness});
    const auto keep_near = [&](const ContactStencil& stencil, const StencilGap& start,
                               std::vector<NearPair>& piece) {
        const StencilPoints x = gather(stencil, positions);
        const double gap = start.distance;
        const double least = by_thickness
                                 ? surface.pair_thickness(stencil.vertices[0], stencil.vertices[3])
                                 : rounding_gap(x, x);
        if (gap < least) piece.push_back({stencil, gap, least});
    };
    std::vector<NearPair> near;
    finder.collect(keep_near, near);
    return near;
}

}  // namespace toile
