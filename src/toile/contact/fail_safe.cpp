// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/fail_safe.h"

#include <algorithm>
#include <limits>

namespace toile {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Room between planes beyond the hit gap, so that rounding cannot bring the hit back.
constexpr double kPlaneGap = 1.05;
/// Rounds of projections on the planes of one vertex.
constexpr int kProjections = 64;

/// Heights of the two sides of a pair over its plane, at the start and at the end.
struct Sides {
    double first_start, second_start;  // lowest of the first side, highest of the second
    double first_end, second_end;      // the same
    double first_fixed = kInfinity;    // lowest end of a prescribed vertex of the first side
    double second_fixed = -kInfinity;  // highest of the second
};

Sides sides_of(const CandidatePair& pair, std::span<const Vec3> start, std::span<const Vec3> end,
               std::span<const double> inverse_masses) {
    Sides sides{kInfinity, -kInfinity, kInfinity, -kInfinity};
    for (int i = 0; i < 4; ++i) {
        const int v = pair.stencil.vertices[i];
        const double at_start = pair.normal.dot(start[v]);
        const double at_end = pair.normal.dot(end[v]);
        const bool fixed = inverse_masses[v] <= 0;
        if (i < pair.stencil.second_side()) {
            sides.first_start = std::min(sides.first_start, at_start);
            sides.first_end = std::min(sides.first_end, at_end);
            if (fixed) sides.first_fixed = std::min(sides.first_fixed, at_end);
        } else {
            sides.second_start = std::max(sides.second_start, at_start);
            sides.second_end = std::max(sides.second_end, at_end);
            if (fixed) sides.second_fixed = std::max(sides.second_fixed, at_end);
        }
    }
    return sides;
}

/// Height of a standing plane: the free gap is shared in proportion to the sides' approach.
double standing_height(const Sides& sides, double gap) {
    const double first = std::max(0.0, sides.first_start - sides.first_end);
    const double second = std::max(0.0, sides.second_end - sides.second_start);
    const double share = first + second > 0 ? second / (first + second) : 0.5;
    const double room = std::max(0.0, sides.first_start - sides.second_start - gap);
    return sides.second_start + 0.5 * gap + share * room;
}

/// Height at the end of a plane that started half-way and travels with the closest points' common
/// velocity after an inelastic hit.
double travelling_height(const CandidatePair& pair, const Sides& sides, std::span<const Vec3> start,
                         std::span<const Vec3> end, std::span<const double> inverse_masses) {
    const StencilGap gap = measure_gap(pair.stencil.kind, gather(pair.stencil, start));
    double displacement[2] = {0, 0}, mobility[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        const int v = pair.stencil.vertices[i];
        const int side = i < pair.stencil.second_side() ? 0 : 1;
        const double weight = std::abs(gap.weights[i]);
        displacement[side] += weight * pair.normal.dot(end[v] - start[v]);
        mobility[side] += weight * weight * inverse_masses[v];
    }
    const double both = mobility[0] + mobility[1];
    const double shift =
        both > 0 ? (displacement[0] * mobility[1] + displacement[1] * mobility[0]) / both
                 : 0.5 * (displacement[0] + displacement[1]);
    return 0.5 * (sides.first_start + sides.second_start) + shift;
}

}  // namespace

FailSafeResult FailSafe::resolve(const ContactSurface& surface, std::span<const Vec3> start,
                                 std::span<const CollisionHit> hits, CollisionDetector& detector,
                                 std::span<Vec3> inout_end) {
    surface_ = &surface;
    start_ = start;
    goal_.assign(inout_end.begin(), inout_end.end());
    remember(detector.pairs(), hits);
    first_bad_ = bad_;

    FailSafeResult result;
    for (const Planes planes : {Planes::Travelling, Planes::Standing}) {
        std::copy(goal_.begin(), goal_.end(), inout_end.begin());
        bad_ = first_bad_;
        result.clean = attempt(planes, detector, inout_end);
        if (result.clean) break;
    }
    for (size_t v = 0; v < goal_.size(); ++v) {
        if (inout_end[v] != goal_[v]) ++result.n_moved;
    }
    std::sort(in_trouble_.begin(), in_trouble_.end());
    result.unresolved = in_trouble_;
    return result;
}

void FailSafe::remember(std::span<const CandidatePair> pairs, std::span<const CollisionHit> hits) {
    bad_.clear();
    for (const CollisionHit& hit : hits) bad_.push_back(pairs[hit.pair]);
}

bool FailSafe::attempt(Planes planes, CollisionDetector& detector, std::span<Vec3> inout_end) {
    first_half_space_.assign(goal_.size(), -1);
    half_spaces_.clear();
    done_.clear();
    in_trouble_.clear();
    while (!bad_.empty()) {
        const bool all_given = give_planes(planes);
        const bool all_moved = move_vertices(inout_end);
        if (planes == Planes::Travelling && !(all_given && all_moved)) return false;
        const std::span<const CollisionHit> hits = detector.find(inout_end, moved_);
        remember(detector.pairs(), hits);
    }
    return in_trouble_.empty();
}

/// Planes for the bad pairs that have none; false if one has them already or finds no place.
bool FailSafe::give_planes(Planes planes) {
    touched_.clear();
    bool all_given = true;
    const auto n_done = static_cast<std::ptrdiff_t>(done_.size());
    for (const CandidatePair& pair : bad_) {
        const bool again = std::binary_search(done_.begin(), done_.begin() + n_done, pair.stencil);
        if (!again) done_.push_back(pair.stencil);
        if (!again && add_planes(pair, planes)) continue;
        in_trouble_.push_back(pair.stencil);
        all_given = false;
    }
    std::sort(done_.begin(), done_.end());
    return all_given;
}

bool FailSafe::add_planes(const CandidatePair& pair, Planes planes) {
    const std::vector<Vec3>& end = goal_;
    const std::vector<double>& inverse_masses = surface_->inverse_masses;
    const Sides sides = sides_of(pair, start_, end, inverse_masses);
    const double gap = std::min(kPlaneGap * pair.hit_gap, 0.5 * (pair.hit_gap + pair.start_gap));
    const double slack = 0.25 * (gap - pair.hit_gap);
    const double lowest = sides.second_fixed + 0.5 * gap;
    const double highest = sides.first_fixed - 0.5 * gap;
    if (lowest > highest) return false;
    const double wanted = planes == Planes::Standing
                              ? standing_height(sides, gap)
                              : travelling_height(pair, sides, start_, end, inverse_masses);
    const double height = std::clamp(wanted, lowest, highest);
    for (int i = 0; i < 4; ++i) {
        const int v = pair.stencil.vertices[i];
        if (inverse_masses[v] <= 0) continue;
        if (i < pair.stencil.second_side()) {
            add_half_space(v, {pair.normal, height + 0.5 * gap, slack, -1});
        } else {
            add_half_space(v, {-pair.normal, -(height - 0.5 * gap), slack, -1});
        }
    }
    return true;
}

void FailSafe::add_half_space(int vertex, const HalfSpace& half_space) {
    half_spaces_.push_back(half_space);
    half_spaces_.back().next = first_half_space_[vertex];
    first_half_space_[vertex] = static_cast<int>(half_spaces_.size()) - 1;
    touched_.push_back(vertex);
}

/// Moves the vertices with new planes; false if one finds no point that satisfies all of its own.
bool FailSafe::move_vertices(std::span<Vec3> inout_end) {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    moved_.assign(goal_.size(), 0);
    bool all_satisfied = true;
    for (const int v : touched_) {
        all_satisfied = project(v, inout_end[v]) && all_satisfied;
        moved_[v] = 1;
    }
    return all_satisfied;
}

bool FailSafe::project(int vertex, Vec3& out_point) const {
    out_point = goal_[vertex];
    for (int round = 0; round < kProjections; ++round) {
        if (satisfies(vertex, out_point)) return true;
        for (int h = first_half_space_[vertex]; h >= 0; h = half_spaces_[h].next) {
            const HalfSpace& plane = half_spaces_[h];
            const double missing = plane.offset - plane.direction.dot(out_point);
            if (missing > 0) out_point += missing * plane.direction;
        }
    }
    return satisfies(vertex, out_point) || retreat(vertex, out_point);
}

bool FailSafe::satisfies(int vertex, const Vec3& point) const {
    for (int h = first_half_space_[vertex]; h >= 0; h = half_spaces_[h].next) {
        const HalfSpace& plane = half_spaces_[h];
        if (plane.direction.dot(point) < plane.offset - plane.slack) return false;
    }
    return true;
}

/// Goes back towards the start until all planes are satisfied; fails where the start is outside.
bool FailSafe::retreat(int vertex, Vec3& inout_point) const {
    const Vec3& start = start_[vertex];
    if (!satisfies(vertex, start)) return false;
    double share = 1;
    for (int h = first_half_space_[vertex]; h >= 0; h = half_spaces_[h].next) {
        const HalfSpace& plane = half_spaces_[h];
        const double room = plane.direction.dot(start) - plane.offset;
        const double loss = plane.direction.dot(start - inout_point);
        if (loss > room) share = std::min(share, std::max(0.0, room / loss));
    }
    inout_point = start + share * (inout_point - start);
    return true;
}

}  // namespace toile
