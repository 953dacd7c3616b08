// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/collision_detector.h"

#include "toile/collision/continuous.h"
#include "toile/core/parallel.h"
#include "toile/core/timer.h"

#include <algorithm>

namespace toile {
namespace {

constexpr int kGrain = 256;
constexpr double kReach = 3;  // rounding gaps: `of_hit` asks for 2.1, or for the thickness
constexpr double kNoHit = 2;  // a time after the end of the step

bool any_moved(const ContactStencil& stencil, std::span<const char> moved) {
    for (const int v : stencil.vertices) {
        if (moved[v]) return true;
    }
    return false;
}

bool by_stencil(const CandidatePair& a, const CandidatePair& b) {
    return a.stencil < b.stencil;
}

/// Upper bound of how much nearer the sides can come, m: their motions less the mean of all four.
double approach_bound(const ContactStencil& stencil, std::span<const Vec3> start,
                      std::span<const Vec3> end) {
    StencilPoints u;
    for (int i = 0; i < 4; ++i) u[i] = end[stencil.vertices[i]] - start[stencil.vertices[i]];
    const Vec3 mean = 0.25 * (u[0] + u[1] + u[2] + u[3]);
    double first = 0, second = 0;
    for (int i = 0; i < 4; ++i) {
        double& side = i < stencil.second_side() ? first : second;
        side = std::max(side, (u[i] - mean).squaredNorm());
    }
    return std::sqrt(first) + std::sqrt(second);
}

}  // namespace

double hit_time(const ContactStencil& stencil, std::span<const Vec3> start,
                std::span<const Vec3> end, double separation, const Vec3& direction) {
    const StencilMotion motion{gather(stencil, start), gather(stencil, end)};
    if (gap_along(stencil.kind, motion.start, direction) > separation &&
        gap_along(stencil.kind, motion.end, direction) > separation) {
        return kNoHit;
    }
    const ContinuousOptions options{.min_separation = separation};
    const ContinuousHit hit = stencil.kind == StencilKind::PointTriangle
                                  ? point_triangle_hit(motion, options)
                                  : edge_edge_hit(motion, options);
    return hit.hit ? hit.time : kNoHit;
}

void CollisionDetector::begin(const ContactSurface& surface, std::span<const Vec3> start,
                              std::span<const Vec3> end, double thickness_share,
                              double way_margin) {
    surface_ = &surface;
    start_ = start;
    thickness_share_ = thickness_share;
    seconds_broad = seconds_continuous = 0;
    const ScopedTimer timer(seconds_broad);
    finder_.begin(surface, start, end, {.rounding_gaps = kReach, .way_margin = way_margin});
    pairs_.clear();
    finder_.collect(keep_near(), pairs_);
}

void CollisionDetector::collect_candidates(std::vector<ContactStencil>& out) const {
    finder_.collect([](const ContactStencil& stencil, const StencilGap&,
                       std::vector<ContactStencil>& piece) { piece.push_back(stencil); },
                    out);
}

bool CollisionDetector::measure(const ContactStencil& stencil, const StencilGap& gap,
                                CandidatePair& out_pair) const {
    const auto& v = stencil.vertices;
    const double thickness = surface_->pair_thickness(v[0], v[3]);
    const Separation separation{.rounding = finder_.largest_rounding_gap(stencil),
                                .thickness_share = thickness_share_};
    const double hit_gap = separation.of_hit(thickness, gap.distance);
    out_pair = {stencil, gap.distance, gap.normal, hit_gap};
    return gap.distance <= std::max(thickness, hit_gap + finder_.largest_approach(stencil));
}

/// Measures the pairs anew whose vertices have left their ways, and adds those that joined.
void CollisionDetector::look_up_escaped(std::span<const Vec3> end) {
    const ScopedTimer timer(seconds_broad);
    finder_.widen(end);
    std::erase_if(pairs_, [&](const CandidatePair& p) { return finder_.escaped(p.stencil); });
    const auto n_old = static_cast<std::ptrdiff_t>(pairs_.size());
    finder_.collect_escaped(keep_near(), pairs_);
    std::inplace_merge(pairs_.begin(), pairs_.begin() + n_old, pairs_.end(), by_stencil);
}

bool CollisionDetector::may_hit(const CandidatePair& pair, std::span<const Vec3> end) const {
    return pair.start_gap - pair.hit_gap <= approach_bound(pair.stencil, start_, end);
}

std::span<const CollisionHit> CollisionDetector::find(std::span<const Vec3> end,
                                                      std::span<const char> moved) {
    if (!finder_.covers(end)) look_up_escaped(end);
    const ScopedTimer timer(seconds_continuous);
    to_check_.clear();
    for (int i = 0; i < static_cast<int>(pairs_.size()); ++i) {
        if (moved.empty() || any_moved(pairs_[i].stencil, moved)) to_check_.push_back(i);
    }
    times_.resize(to_check_.size());
    parallel_for(static_cast<int>(to_check_.size()), kGrain, [&](int first, int last) {
        for (int i = first; i < last; ++i) {
            const CandidatePair& pair = pairs_[to_check_[i]];
            times_[i] = may_hit(pair, end)
                            ? hit_time(pair.stencil, start_, end, pair.hit_gap, pair.normal)
                            : kNoHit;
        }
    });
    hits_.clear();
    for (size_t i = 0; i < to_check_.size(); ++i) {
        if (times_[i] <= 1) hits_.push_back({to_check_[i], times_[i]});
    }
    std::sort(hits_.begin(), hits_.end(), [&](const CollisionHit& a, const CollisionHit& b) {
        return a.time != b.time ? a.time < b.time : a.pair < b.pair;
    });
    return hits_;
}

}  // namespace toile
