// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/near_pairs.h"

#include "toile/contact/candidates.h"

#include <algorithm>

namespace toile {

std::vector<NearPair> near_pairs(const ContactSurface& surface, std::span<const Vec3> positions,
                                 double gap) {
    CandidateFinder finder;
    finder.begin(surface, positions, positions, {.gap = gap, .within_thickness = gap == 0});
    const auto keep_near = [&](const ContactStencil& stencil, std::vector<NearPair>& piece) {
        const double kept =
            gap > 0 ? gap : surface.pair_thickness(stencil.vertices[0], stencil.vertices[3]);
        const double found = measure_gap(stencil.kind, gather(stencil, positions)).distance;
        if (found < kept) piece.push_back({stencil, found});
    };
    std::vector<NearPair> near;
    finder.collect(keep_near, near);
    std::ranges::sort(near, {}, &NearPair::stencil);
    return near;
}

}  // namespace toile
