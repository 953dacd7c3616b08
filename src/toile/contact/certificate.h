// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/candidates.h"
#include "toile/contact/collision_detector.h"
#include "toile/contact/separation.h"

#include <limits>
#include <vector>

namespace toile {

/// Proof, or refusal, that a straight motion holds no crossing at any time of the step.
struct Certificate {
    /// Pairs that could not be proven apart by more than float32 rounding can close, sorted.
    std::vector<ContactStencil> failing;
    /// m, at the end, over the pairs that come near during the step; infinity where none does.
    double smallest_gap = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool clean() const { return failing.empty(); }
};

/// Certifies motions, whoever made them: it shares no state with any response and looks up its own
/// pairs. Keeps memory between steps.
class MotionCertifier {
  public:
    /// A pair passes if a plane, of the closest points at the end or at the start, parts it at both
    /// ends of the step (everything moves straight, so it is parted all the time), or else if
    /// continuous detection, which misses nothing, finds no approach. The gap to keep is
    /// `Separation::of_certificate`. Throws InvalidInput where a position is not finite.
    Certificate certify(const ContactSurface& surface, std::span<const Vec3> start,
                        std::span<const Vec3> end);

  private:
    struct Finding {
        ContactStencil stencil;
        double gap;  // m, at the end
        bool failed;
    };

    CandidateFinder finder_;
    std::vector<Finding> findings_;
};

/// The same proof for pairs that were looked up already. It holds for the whole surface if `pairs`
/// are those of a detector whose candidates cover the motion to `end` (CollisionDetector::covers):
/// then its ways prove all other pairs apart.
Certificate certify_pairs(std::span<const CandidatePair> pairs, std::span<const Vec3> start,
                          std::span<const Vec3> end);

/// The slow twin: every pair of the surface, continuous detection alone, no boxes and no planes.
/// O(n^2); for tests and for a debug mode.
Certificate certify_all_pairs(const ContactSurface& surface, std::span<const Vec3> start,
                              std::span<const Vec3> end);

}  // namespace toile
