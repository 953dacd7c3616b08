// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_springs.h"

#include "toile/contact/impulses.h"

#include <algorithm>

namespace toile {
namespace {

constexpr double kHitTarget = 0.5;  // of the thickness: where a pair may come that started beyond
constexpr double kConeTolerance = 0.05;

StencilPoints points_at(const ContactStencil& stencil, std::span<const Vec3> start,
                        std::span<const Vec3> end, double time) {
    StencilPoints x;
    for (int i = 0; i < 4; ++i) {
        const int v = stencil.vertices[i];
        x[i] = start[v] + time * (end[v] - start[v]);
    }
    return x;
}

/// Whether friction, as the last solve had it, carries more than the cone allows, or slips with
/// less.
bool off_the_cone(const ContactSpring& spring, double slip, double most) {
    const double carried = spring.tangential * slip + spring.slide.norm();
    const bool slips = spring.tangential < spring.stiffness;
    return carried > (1 + kConeTolerance) * most ||
           (slips && carried < (1 - kConeTolerance) * most);
}

/// Of the next solve. What just broke away is given its friction as a force: the soft spring that
/// stands for it otherwise would let it go by a few percent a solve.
void set_friction(const Vec3& across, double most, ContactSpring& spring) {
    const double slip = across.norm();
    const bool stuck = spring.active && spring.tangential == spring.stiffness;
    spring.slide.setZero();
    if (stuck && spring.stiffness * slip > (1 + kConeTolerance) * most) {
        spring.tangential = 0;
        spring.slide = -most / slip * across;
    } else {
        spring.tangential = most < spring.stiffness * slip ? most / slip : spring.stiffness;
    }
    if (most <= 0) spring.tangential = 0;
}

}  // namespace

void ContactSprings::begin(const ContactSurface& surface, std::span<const Vec3> start,
                           double step) {
    surface_ = &surface;
    start_ = start;
    step_ = step;
    springs_.clear();
    n_proximities_ = 0;
}

/// False where nothing of the pair can move. `gap.distance` is not read: the gap at the start is
/// measured along the normal.
bool ContactSprings::add(const ContactStencil& stencil, const StencilGap& gap, double target) {
    const double inverse_mass =
        effective_inverse_mass(stencil, gap.weights, surface_->inverse_masses);
    if (!(inverse_mass > 0)) return false;
    const int v = stencil.vertices[0], w = stencil.vertices[3];
    const double by_mass = options_.mass_stiffness / (inverse_mass * step_ * step_);
    const Vec3 difference = weighted_difference(gap.weights, gather(stencil, start_));
    springs_.push_back({.stencil = stencil,
                        .weights = gap.weights,
                        .normal = gap.normal,
                        .gap = gap.normal.dot(difference),
                        .target = target,
                        .stiffness = std::max(options_.stiffness, by_mass),
                        .friction = surface_->pair_friction(v, w)});
    return true;
}

void ContactSprings::add_proximities(std::span<const CandidatePair> pairs,
                                     std::span<const int> proximities) {
    for (const int i : proximities) {
        const ContactStencil& stencil = pairs[i].stencil;
        const StencilGap gap = measure_gap(stencil.kind, gather(stencil, start_));
        const double thickness = surface_->pair_thickness(stencil.vertices[0], stencil.vertices[3]);
        add(stencil, gap, gap.distance + options_.recovery * (thickness - gap.distance));
    }
    n_proximities_ = springs_.size();
}

/// Stiffness of a pair that was hit in earlier rounds too: what holds it has not been enough.
double ContactSprings::hardened(const ContactStencil& stencil, double stiffness) const {
    for (size_t i = n_proximities_; i < springs_.size(); ++i) {
        if (springs_[i].stencil != stencil) continue;
        stiffness = std::max(stiffness, options_.hit_hardening * springs_[i].stiffness);
    }
    return stiffness;
}

void ContactSprings::add_hits(std::span<const CandidatePair> pairs,
                              std::span<const CollisionHit> hits, std::span<const Vec3> end) {
    for (const CollisionHit& hit : hits) {
        const CandidatePair& pair = pairs[hit.pair];
        const StencilPoints x = points_at(pair.stencil, start_, end, hit.time);
        const double thickness =
            surface_->pair_thickness(pair.stencil.vertices[0], pair.stencil.vertices[3]);
        const double wanted = pair.start_gap > thickness ? kHitTarget * thickness
                                                         : options_.hit_recovery * pair.start_gap;
        const StencilGap gap = measure_gap(pair.stencil.kind, x);
        if (!add(pair.stencil, gap, std::max(wanted, 2 * pair.hit_gap))) continue;
        ContactSpring spring = springs_.back();
        springs_.pop_back();
        spring.stiffness = hardened(spring.stencil, spring.stiffness);
        spring.active = true;
        springs_.push_back(spring);
    }
}

Vec3 ContactSprings::relative_way(const ContactSpring& spring, std::span<const Vec3> end) const {
    Vec3 way = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
        const int v = spring.stencil.vertices[i];
        way += spring.weights[i] * (end[v] - start_[v]);
    }
    return way;
}

int ContactSprings::update(std::span<const Vec3> end, Change change) {
    int n_changed = 0;
    for (ContactSpring& spring : springs_) {
        const Vec3 way = relative_way(spring, end);
        const double along = spring.normal.dot(way);
        const double force = spring.stiffness * (spring.target - spring.gap - along);
        const bool pushes = force > 0;
        if (pushes != spring.active && (pushes || change == Change::AddAndDrop)) {
            spring.active = pushes;
            ++n_changed;
        }
        const Vec3 across = way - along * spring.normal;
        const double most = spring.friction * std::max(0.0, force);
        if (pushes && off_the_cone(spring, across.norm(), most)) ++n_changed;
        set_friction(across, most, spring);
    }
    return n_changed;
}

int ContactSprings::n_active() const {
    return static_cast<int>(std::ranges::count_if(springs_, &ContactSpring::active));
}

void ContactSprings::write_terms(const Frame& frame, std::vector<StencilTerm>& out_terms,
                                 std::span<Vec3> inout_rhs) const {
    out_terms.clear();
    const double h = step_;
    for (const ContactSpring& spring : springs_) {
        if (!spring.active) continue;
        StencilTerm term{.rows = {-1, -1, -1, -1},
                         .weights = spring.weights,
                         .normal = spring.normal,
                         .along = h * h * spring.stiffness,
                         .across = h * h * spring.tangential};
        Vec3 way = Vec3::Zero();  // of the step, as far as it is known
        for (int i = 0; i < 4; ++i) {
            const int v = spring.stencil.vertices[i];
            const bool free = v < frame.n_rows && !frame.fixed[v];
            if (free) term.rows[i] = v;
            way += spring.weights[i] *
                   (free ? Vec3(h * frame.velocities[v]) : Vec3(frame.end[v] - start_[v]));
        }
        const double along = spring.normal.dot(way);
        const Vec3 across = way - along * spring.normal;
        const Vec3 impulse =
            h * (spring.stiffness * (spring.target - spring.gap - along) * spring.normal -
                 spring.tangential * across + spring.slide);
        for (int i = 0; i < 4; ++i) {
            if (term.rows[i] >= 0) inout_rhs[term.rows[i]] += spring.weights[i] * impulse;
        }
        out_terms.push_back(term);
    }
}

}  // namespace toile
