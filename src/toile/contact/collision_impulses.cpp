// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/collision_impulses.h"

#include <algorithm>

namespace toile {
namespace {

/// Gap along the normal of a hit to aim at, in hit gaps: more than 1, or the next look finds the
/// same hit again.
constexpr double kAimedGaps = 1.2;

/// Part of the thickness to which sides that start farther apart may close in this step. They touch
/// then, instead of hovering where the step found them, and repulsion takes over in the next step.
constexpr double kTouchingShare = 0.5;

StencilPoints at_time(const StencilPoints& start, const StencilPoints& end, double time) {
    StencilPoints points;
    for (int i = 0; i < 4; ++i) points[i] = start[i] + time * (end[i] - start[i]);
    return points;
}

}  // namespace

void add_collisions(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                    std::span<const CollisionHit> hits, std::span<const Vec3> start,
                    std::span<const Vec3> end, std::vector<ImpulseConstraint>& out) {
    for (const CollisionHit& hit : hits) {
        const CandidatePair& pair = pairs[hit.pair];
        const ContactStencil& stencil = pair.stencil;
        const StencilPoints start_points = gather(stencil, start);
        const StencilPoints points = at_time(start_points, gather(stencil, end), hit.time);
        const StencilGap gap = measure_gap(stencil.kind, points);
        const double inverse_mass =
            effective_inverse_mass(stencil, gap.weights, surface.inverse_masses);
        if (inverse_mass <= 0) continue;
        const double start_gap = gap.normal.dot(weighted_difference(gap.weights, start_points));
        const double thickness = surface.pair_thickness(stencil.vertices[0], stencil.vertices[3]);
        const double least = kAimedGaps * pair.hit_gap;
        const double touching = std::max(kTouchingShare * thickness, least);
        // Those that start nearer than touching must not approach.
        const double wanted = std::clamp(start_gap, least, touching);
        out.push_back({.stencil = stencil,
                       .weights = gap.weights,
                       .normal = gap.normal,
                       .target = wanted - start_gap,
                       .friction = surface.pair_friction(stencil.vertices[0], stencil.vertices[3]),
                       .inverse_mass = inverse_mass});
    }
}

}  // namespace toile
