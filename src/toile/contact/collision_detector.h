// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/candidates.h"
#include "toile/contact/separation.h"

namespace toile {

/// A pair that may meet in this step, and what is known of it at the start.
struct CandidatePair {
    ContactStencil stencil;
    double start_gap;  ///< m
    Vec3 normal;       ///< unit, second to first side, between the closest points at the start
    double hit_gap;    ///< m, nearer than this is a hit
};

/// A pair that comes nearer than its hit gap.
struct CollisionHit {
    int pair;     ///< index into `CollisionDetector::pairs`
    double time;  ///< of the step, 0 to 1; not later than the first touch
};

/// Finds, and finds again after changes, all hits of a step.
class CollisionDetector {
  public:
    /// Starts a step, positions finite. The spans must outlive it; `end` may change between calls
    /// of `find`. Hit gaps are `Separation::of_hit` with the given share and the rounding gap of
    /// all ends in the ways, so that no certificate asks for more.
    /// `way_margin`: part of the thickness by which displacements may change before pairs are
    /// looked up anew.
    void begin(const ContactSurface& surface, std::span<const Vec3> start,
               std::span<const Vec3> end, double thickness_share = Separation{}.thickness_share,
               double way_margin = kWayMargin);

    static constexpr double kWayMargin = 0.25;

    /// Whether the pairs hold for a motion to `end`: all others are then proven apart.
    [[nodiscard]] bool covers(std::span<const Vec3> end) const { return finder_.covers(end); }

    [[nodiscard]] std::span<const CandidatePair> pairs() const { return pairs_; }

    /// Hits of the motion to `end` among the pairs with a vertex marked in `moved` (n_vertices
    /// flags; all pairs where it is empty), sorted by time, then stencil. What was found clean
    /// before and has not moved since is clean. Looks up new pairs where a vertex has left its
    /// ways, so indices into `pairs` hold until the next call only.
    std::span<const CollisionHit> find(std::span<const Vec3> end, std::span<const char> moved);

    /// Adds every candidate, sorted: what the broad phase found. For traces.
    void collect_candidates(std::vector<ContactStencil>& out) const;

    double seconds_broad = 0, seconds_continuous = 0;  ///< since `begin`

  private:
    /// Whether the candidate is worth keeping, and what is known of it.
    bool measure(const ContactStencil& stencil, const StencilGap& gap,
                 CandidatePair& out_pair) const;
    /// Puts what is worth keeping into a piece.
    [[nodiscard]] auto keep_near() const {
        return [this](const ContactStencil& stencil, const StencilGap& gap,
                      std::vector<CandidatePair>& piece) {
            CandidatePair pair;
            if (measure(stencil, gap, pair)) piece.push_back(pair);
        };
    }
    void look_up_escaped(std::span<const Vec3> end);
    [[nodiscard]] bool may_hit(const CandidatePair& pair, std::span<const Vec3> end) const;

    const ContactSurface* surface_ = nullptr;
    std::span<const Vec3> start_;
    double thickness_share_ = 0;
    CandidateFinder finder_;
    std::vector<CandidatePair> pairs_;  // sorted by stencil
    std::vector<int> to_check_;
    std::vector<double> times_;
    std::vector<CollisionHit> hits_;
};

/// Time of the first approach to `separation` metres, or 2 where there is none. A plane across
/// `direction` (unit) that parts the sides at start and end parts them all the time, since
/// everything moves straight: continuous detection runs only where that proof fails.
double hit_time(const ContactStencil& stencil, std::span<const Vec3> start,
                std::span<const Vec3> end, double separation, const Vec3& direction);

}  // namespace toile
