// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_springs.h"

#include "toile/contact/impulses.h"

#include <algorithm>

namespace toile {
namespace {

constexpr double kHitTarget = 0.5;  // of the thickness: where a pair may come that started beyond
constexpr double kMostPressed = 0.05;  // of the thickness
constexpr double kCreep = 1e-4;        // m/s, at most, of a contact that sticks

StencilPoints points_at(const ContactStencil& stencil, std::span<const Vec3> start,
                        std::span<const Vec3> end, double time) {
    StencilPoints x;
    for (int i = 0; i < 4; ++i) {
        const int v = stencil.vertices[i];
        x[i] = start[v] + time * (end[v] - start[v]);
    }
    return x;
}

/// Friction that the last solve had at the tangential way `u`, N, against the way.
Vec3 carried_friction(const ContactSpring& spring, const Vec3& u) {
    return spring.yield * spring.slip + spring.tangential * (u - spring.slip.dot(u) * spring.slip);
}

/// How much stiffer a contact is that has been pressed to a part of its thickness: what carries
/// much stands before the gap that counts as a hit.
double pressed(double part) {
    const double half = 0.5 / std::max(part, kMostPressed);
    return std::max(1.0, half * half);
}

void stick(ContactSpring& spring) {
    spring.tangential = spring.stiffness;
    spring.yield = 0;
    spring.slip.setZero();
}

void slip(const Vec3& u, double most, ContactSpring& spring) {
    const double way = u.norm();
    spring.tangential = most / way;
    spring.yield = most;
    spring.slip = u / way;
}

/// Of the next solve, at a way `u` and a cone of `most` N. What turned round sticks first; if there
/// is no time to see where it goes then (`last`), friction is a spring that reaches `most` at u.
void set_friction(const Vec3& u, double most, double step, bool last, ContactSpring& spring) {
    const double way = u.norm();
    const double stiffness = std::min(spring.stiffness, most / (kCreep * step));
    const bool yields = stiffness * way > most && way > 0;
    const bool turned = spring.slip.dot(u) < 0;
    if (turned || !yields) {
        stick(spring);
        spring.tangential = turned && last && yields ? most / way : stiffness;
    } else {
        slip(u, most, spring);
    }
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
    stick(springs_.back());
    return true;
}

void ContactSprings::add_proximities(std::span<const CandidatePair> pairs,
                                     std::span<const int> proximities) {
    for (const int i : proximities) {
        const ContactStencil& stencil = pairs[i].stencil;
        const StencilGap gap = measure_gap(stencil.kind, gather(stencil, start_));
        const double thickness = surface_->pair_thickness(stencil.vertices[0], stencil.vertices[3]);
        if (!add(stencil, gap, gap.distance + options_.recovery * (thickness - gap.distance))) {
            continue;
        }
        springs_.back().stiffness *= pressed(gap.distance / thickness);
        stick(springs_.back());
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
        spring.active = spring.fresh = true;
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

ContactSprings::Balance ContactSprings::update(std::span<const Vec3> end, Change change) {
    Balance balance;
    for (ContactSpring& spring : springs_) {
        const Vec3 way = relative_way(spring, end);
        const double along = spring.normal.dot(way);
        const double force = spring.stiffness * (spring.target - spring.gap - along);
        const bool pushes = force > 0;
        const Vec3 across = way - along * spring.normal;
        balance.forces += std::max(0.0, force);
        const bool known = spring.active && !spring.fresh;
        const bool drops = spring.active && !pushes && change == Change::AddAndDrop;
        if (pushes != spring.active) balance.missing += std::abs(force);
        spring.active = (spring.active || pushes) && !drops;
        spring.fresh = false;
        const double normal_force = known ? std::max(0.0, force) : spring.expected;
        const Vec3 carried = carried_friction(spring, across);
        set_friction(across, spring.friction * normal_force, step_, change == Change::OnlyAdd,
                     spring);
        if (pushes && known) balance.missing += (carried_friction(spring, across) - carried).norm();
    }
    return balance;
}

bool ContactSprings::will_push(const ContactSpring& spring, std::span<const Vec3> end) const {
    return spring.target - spring.gap > spring.normal.dot(relative_way(spring, end));
}

void ContactSprings::expect(std::span<const Vec3> impulses, std::span<const Vec3> end) {
    const int n = static_cast<int>(impulses.size());
    const auto for_each_row = [&](const ContactSpring& spring, const auto& visit) {
        for (int i = 0; i < 4; ++i) {
            const int v = spring.stencil.vertices[i];
            if (v < n && spring.weights[i] != 0) visit(v, spring.weights[i]);
        }
    };
    shares_.assign(n, 0.0);
    for (const ContactSpring& spring : springs_) {
        if (!will_push(spring, end)) continue;
        for_each_row(spring, [&](int v, double w) { shares_[v] += std::abs(w); });
    }
    for (ContactSpring& spring : springs_) {
        if (!will_push(spring, end)) continue;
        double impulse = 0, weight = 0;
        for_each_row(spring, [&](int v, double w) {
            impulse += w * spring.normal.dot(impulses[v]) / shares_[v];
            weight += std::abs(w);
        });
        if (weight > 0) spring.expected = std::max(0.0, impulse / (weight * step_));
    }
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
                         .loose = spring.slip,
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
                 carried_friction(spring, across));
        for (int i = 0; i < 4; ++i) {
            if (term.rows[i] >= 0) inout_rhs[term.rows[i]] += spring.weights[i] * impulse;
        }
        out_terms.push_back(term);
    }
}

}  // namespace toile
