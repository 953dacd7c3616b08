// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/collision_detector.h"
#include "toile/linalg/stencil_terms.h"

#include <span>
#include <vector>

namespace toile {

/// How contacts push inside of the implicit solve.
struct ContactSpringOptions {
    double stiffness = 1000;  ///< N/m of one contact, at least
    /// Stiffness in units of effective mass / step²: a vertex that comes with the way u in a step
    /// is let in by u / this at most, whatever it weighs.
    double mass_stiffness = 500;
    double recovery = 0.1;      ///< part of the gap that is missing, made up for in one step
    double hit_recovery = 0.9;  ///< part of its first gap that a hit pair keeps
    double hit_hardening = 5;   ///< a pair that is hit again is so many times stiffer
};

/// One contact of a step: a linear function of the motion, with a one-sided spring.
///
/// With u_i the displacements of the step, the gap at its end is gap + n · Σ w_i u_i, and the
/// spring pushes with stiffness · (target - that), if positive. Friction is a spring of the same
/// stiffness against the tangential displacement of the step, that yields at friction × the normal
/// force found last [Wriggers06, return mapping]: F = -k u while it sticks, -μN u / |u| where
/// it slips. The next solve takes F to first order: a slipping contact pulls with μN along its way,
/// and is loose there, and turns against μN / |u| across it.
struct ContactSpring {
    ContactStencil stencil;
    std::array<double, 4> weights;  ///< signed, StencilGap
    Vec3 normal;                    ///< unit, from the second side to the first
    double expected = 0;            ///< N, of the normal force, before a solve has found it
    double gap = 0;                 ///< m at the start, along the normal
    double target = 0;              ///< m at the end
    double stiffness = 0;           ///< N/m
    double friction = 0;            ///< coefficient
    double tangential = 0;          ///< N/m, of friction in the next solve
    double yield = 0;               ///< N, friction of a slipping contact
    Vec3 slip = {0, 0, 0};          ///< unit, its way; zero: it sticks
    bool active = false;
    bool fresh = false;  ///< active, though no solve has had it
};

/// The contacts of a step, from its start to its end.
class ContactSprings {
  public:
    explicit ContactSprings(const ContactSpringOptions& options = {}) : options_(options) {}

    /// Forgets all contacts.
    void begin(const ContactSurface& surface, std::span<const Vec3> start, double step);

    /// Pairs that start nearer than their thickness, as find_proximities() counts them.
    void add_proximities(std::span<const CandidatePair> pairs, std::span<const int> proximities);
    /// Pairs that would meet on the way to `end`: with the normal and the closest points of the
    /// moment they meet.
    void add_hits(std::span<const CandidatePair> pairs, std::span<const CollisionHit> hits,
                  std::span<const Vec3> end);

    /// Takes the impulses (N s) that contacts must give to the first vertices if the motion is to
    /// be as it was predicted: which normal forces they then carry, for friction of the first
    /// solve.
    void expect(std::span<const Vec3> impulses, std::span<const Vec3> end);

    /// Which contacts push at a motion to `end`, and how much friction they can carry there.
    /// Returns how far the solve's forces are from theirs. `OnlyAdd`: none ceases.
    enum class Change { AddAndDrop, OnlyAdd };
    struct Balance {
        double missing = 0;  ///< N, sum over contacts of what is wrong: what pulled, or was not
                             ///< there, and friction that is not theirs
        double forces = 0;   ///< N, sum of the normal forces
    };
    Balance update(std::span<const Vec3> end, Change change);

    [[nodiscard]] std::span<const ContactSpring> springs() const { return springs_; }
    [[nodiscard]] int n_active() const;

    /// What the active contacts add to the step's system in Δv: the matrix terms, scaled by h², for
    /// rows below `n_rows`; and to the right-hand side. `velocities` (m/s) hold the start's for
    /// free vertices; prescribed ones (in `fixed` or beyond n_rows) count with their whole way to
    /// `end`.
    struct Frame {
        std::span<const Vec3> velocities;
        std::span<const Vec3> end;  ///< read of prescribed vertices
        std::span<const char> fixed;
        int n_rows = 0;
    };
    void write_terms(const Frame& frame, std::vector<StencilTerm>& out_terms,
                     std::span<Vec3> inout_rhs) const;

  private:
    bool add(const ContactStencil& stencil, const StencilGap& gap, double target);
    [[nodiscard]] double hardened(const ContactStencil& stencil, double stiffness) const;
    [[nodiscard]] bool will_push(const ContactSpring& spring, std::span<const Vec3> end) const;
    [[nodiscard]] Vec3 relative_way(const ContactSpring& spring, std::span<const Vec3> end) const;

    ContactSpringOptions options_;
    const ContactSurface* surface_ = nullptr;
    std::span<const Vec3> start_;
    double step_ = 0;
    std::vector<ContactSpring> springs_;
    std::vector<double> shares_;  // per vertex: sum of the weights of the contacts that push there
    size_t n_proximities_ = 0;    // first of the springs
};

}  // namespace toile
