// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/candidates.h"

#include "toile/contact/separation.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

/// Of a reach: gaps and boxes have roundings of their own.
constexpr double kReachRoom = 1.001;
/// Of the mean length of an edge: how far vertices may go before what is near them is looked up. A
/// larger one lasts longer and lists more pairs; measured on drape and crumple.
constexpr double kBudget = 0.16;
/// What moves little changes its way little: part of the full margin that it gets, and of its way.
constexpr double kLeastMargin = 0.2;
constexpr double kMarginOfWay = 0.3;

double mean_edge(const ContactSurface& surface, std::span<const Vec3> places) {
    double sum = 0, n = 0;
    for (size_t e = 0; e < surface.edges.size(); ++e) {
        if (surface.bodies[surface.body_of_edge[e]].prescribed) continue;
        sum += (places[surface.edges[e][1]] - places[surface.edges[e][0]]).norm();
        ++n;
    }
    return n > 0 ? sum / n : 0;
}

bool holds(const Aabb& box, const Vec3& point) {
    return (box.min.array() <= point.array()).all() && (point.array() <= box.max.array()).all();
}

/// Of the places and the ways of one side of a pair.
struct SideBox {
    Aabb places, ways;
    double radius = 0;

    void extend(const Vec3& place, const Aabb& way, double r) {
        places.extend(place);
        ways.extend(way);
        radius = std::max(radius, r);
    }
};

}  // namespace

void CandidateFinder::begin(const ContactSurface& surface, std::span<const Vec3> start,
                            std::span<const Vec3> end, const CandidateReach& reach) {
    const bool same_reach = reach.rounding_gaps == reach_.rounding_gaps &&
                            reach.within_thickness == reach_.within_thickness;
    surface_ = &surface;
    reach_ = reach;
    start_.assign(start.begin(), start.end());
    escaped_.assign(start.size(), 0);
    escaped_pairs_.clear();
    find_owners(same_reach);
    set_ways(end);
    const auto comes_near = [this](const ContactStencil& stencil) {
        StencilGap gap;
        return come_near(stencil, gap);
    };
    free_list_.begin(owners_, motion(), comes_near);
    prescribed_list_.begin(owners_, motion(), comes_near);
    join_lists();
}

NearMotion CandidateFinder::motion() const {
    return {.places = start_, .ways = ways_, .radii = radii_};
}

void CandidateFinder::join_lists() {
    const auto one = free_list_.pairs(), other = prescribed_list_.pairs();
    pairs_.resize(one.size() + other.size());
    std::merge(one.begin(), one.end(), other.begin(), other.end(), pairs_.begin());
}

bool CandidateFinder::covers(std::span<const Vec3> end) const {
    for (size_t v = 0; v < end.size(); ++v) {
        if (!holds(ways_[v], end[v] - start_[v])) return false;
    }
    return true;
}

void CandidateFinder::widen(std::span<const Vec3> end) {
    for (int v = 0; v < surface_->n_vertices(); ++v) {
        const Vec3 way = end[v] - start_[v];
        const double margin = reach_.way_margin * surface_->thickness_of_vertex(v);
        escaped_[v] = !holds(ways_[v], way);
        if (!escaped_[v]) continue;
        Aabb around{way, way};
        around.enlarge(margin);
        ways_[v].extend(around);
        largest_[v] = std::max(largest_[v], end[v].cwiseAbs().maxCoeff() + margin);
        measure_ways(v);
    }
    const auto comes_near = [this](const ContactStencil& stencil) {
        StencilGap gap;
        return come_near(stencil, gap);
    };
    free_list_.widen(owners_, motion(), escaped_, comes_near);
    prescribed_list_.widen(owners_, motion(), escaped_, comes_near);
    join_lists();
    escaped_pairs_.clear();
    std::copy_if(pairs_.begin(), pairs_.end(), std::back_inserter(escaped_pairs_),
                 [&](PairKey key) { return escaped(owners_.stencil_of(key)); });
}

bool CandidateFinder::escaped(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return escaped_[v[0]] || escaped_[v[1]] || escaped_[v[2]] || escaped_[v[3]];
}

double CandidateFinder::largest_rounding_gap(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return std::max(std::max(roundings_[v[0]], roundings_[v[1]]),
                    std::max(roundings_[v[2]], roundings_[v[3]]));
}

double CandidateFinder::largest_approach(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    const int n = stencil.second_side();
    double difference = 0, first = 0, second = 0;
    for (int i = 0; i < n; ++i) {
        first = std::max(first, spreads_[v[i]]);
        for (int j = n; j < 4; ++j) {
            difference =
                std::max(difference, (middle_ways_[v[i]] - middle_ways_[v[j]]).squaredNorm());
        }
    }
    for (int j = n; j < 4; ++j) second = std::max(second, spreads_[v[j]]);
    return std::sqrt(difference) + first + second;
}

/// Only where surface or reach are others than the last time.
void CandidateFinder::find_owners(bool same_reach) {
    if (began_ && same_reach && fit(owners_, *surface_)) return;
    began_ = true;
    owners_ = find_feature_owners(*surface_);
    const double budget = kBudget * mean_edge(*surface_, start_);
    free_list_.reset(owners_, budget);
    prescribed_list_.reset(owners_, budget);
}

void CandidateFinder::set_ways(std::span<const Vec3> end) {
    for (auto* numbers : {&spreads_, &largest_, &roundings_, &radii_}) numbers->resize(end.size());
    ways_.resize(end.size());
    middle_ways_.resize(end.size());
    parallel_for(static_cast<int>(start_.size()), kGrain, [&](int first, int last) {
        for (int v = first; v < last; ++v) {
            const Vec3 way = end[v] - start_[v];
            const double margin = margin_of(v, way);
            ways_[v] = Aabb{way, way};
            ways_[v].enlarge(margin);
            largest_[v] = start_[v].cwiseAbs().cwiseMax(end[v].cwiseAbs()).maxCoeff() + margin;
            measure_ways(v);
        }
    });
}

double CandidateFinder::margin_of(int vertex, const Vec3& way) const {
    const double thickness = surface_->thickness_of_vertex(vertex);
    return reach_.way_margin *
           std::min(thickness, kLeastMargin * thickness + kMarginOfWay * way.norm());
}

/// Of either side alone the rounding gaps are enough for its radius, since the pair's is that of
/// its farthest vertex.
void CandidateFinder::measure_ways(int vertex) {
    const Aabb& ways = ways_[vertex];
    const double thickness = reach_.within_thickness ? surface_->thickness_of_vertex(vertex) : 0;
    middle_ways_[vertex] = ways.center();
    spreads_[vertex] = 0.5 * (ways.max - ways.min).norm();
    roundings_[vertex] = rounding_gap(largest_[vertex]);
    radii_[vertex] =
        kReachRoom * std::max(reach_.rounding_gaps * roundings_[vertex], 0.5 * thickness);
}

/// Exactly as the boxes of singles, but in double: what they let through by their rounding must
/// not count.
bool CandidateFinder::boxes_meet(const ContactStencil& stencil) const {
    SideBox a, b;
    for (int i = 0; i < 4; ++i) {
        const int v = stencil.vertices[i];
        (i < stencil.second_side() ? a : b).extend(start_[v], ways_[v], radii_[v]);
    }
    const double radius = a.radius + b.radius;
    const Vec3 up = (a.ways.max - b.ways.min).cwiseMax(0.0);
    const Vec3 down = (a.ways.min - b.ways.max).cwiseMin(0.0);
    return (a.places.max + up - b.places.min).minCoeff() >= -radius &&
           (a.places.min + down - b.places.max).maxCoeff() <= radius;
}

bool CandidateFinder::come_near(const ContactStencil& stencil, StencilGap& out_gap) const {
    if (!boxes_meet(stencil)) return false;
    out_gap = measure_gap(stencil.kind, gather(stencil, start_));
    const auto& v = stencil.vertices;
    const double thickness = reach_.within_thickness ? surface_->pair_thickness(v[0], v[3]) : 0;
    const double reach = std::max(thickness, reach_.rounding_gaps * largest_rounding_gap(stencil));
    return out_gap.distance <= kReachRoom * reach + largest_approach(stencil);
}

}  // namespace toile
