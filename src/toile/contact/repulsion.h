// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/collision_detector.h"
#include "toile/contact/impulses.h"

#include <vector>

namespace toile {

struct RepulsionOptions {
    /// N/m of every pair. 0 stops the approach and pushes no further.
    double stiffness = 100;
    /// Part of the overlap by which a pair may part in one step [Bridson02, §7.2].
    double largest_recovery = 0.1;
};

/// Proximities: pairs that start nearer than their thickness. Where the closest points lie on the
/// rim of a triangle, or at the end of an edge, one touch shows in many pairs and their slanting
/// normals would hook sheets into each other; so a rim counts once, and only if every triangle
/// round it says so, and two edges only if both closest points lie inside.
/// Returns indices into `pairs`, ascending.
void find_proximities(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                      std::span<const Vec3> start, std::vector<int>& out_indices);

/// Repulsion as constraints on this step's displacements: the sides stop approaching, and a spring
/// of the compressed fibre parts them by `min(dt^2 k overlap W, 0.1 overlap)`, W the effective
/// inverse mass [Manen10, eqs. 2.86-2.101; Bridson02, §7.2]. Pairs that part faster than the
/// cap are not pulled back, since impulses never pull.
void add_repulsions(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                    std::span<const int> proximities, std::span<const Vec3> start,
                    std::span<const Vec3> displacements, double step,
                    const RepulsionOptions& options, std::vector<ImpulseConstraint>& out);

}  // namespace toile
