// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/collision_detector.h"

#include <vector>

namespace toile {

/// What the fail-safe did.
struct FailSafeResult {
    bool clean = false;
    int n_moved = 0;                         ///< vertices whose end was moved
    std::vector<ContactStencil> unresolved;  ///< sorted; empty if clean
};

/// Last way out when impulses leave hits: a separating plane for every pair that is hit.
///
/// At the start a pair is apart by its start gap along its start normal n. A plane across n between
/// the two sides is given a place at the end of the step; every free vertex of the pair must end on
/// its own side by half the hit gap. The sides are then parted along n at both ends of the step,
/// and, since everything moves straight, all the time (the plane travels). Each vertex is moved
/// alone, to a point that satisfies all planes given to it; pairs of moved vertices are looked at
/// again; until none is hit.
///
/// Two ways of placing the planes are tried in turn:
/// - travelling: with the common motion of the pair, so that sheets that fall together go on
///   falling;
/// - standing: where both sides started, as far as prescribed vertices allow.
///
/// The first that meets trouble gives way to the second, which leaves the pairs in trouble and goes
/// on with the others.
///
/// Why it ends: a pair is given planes at most once, there are finitely many pairs, and every round
/// gives planes to one more. Why standing planes leave no hit while nothing prescribed moves: the
/// start satisfies all of them with room to spare, so every vertex finds a point that does, at
/// worst its start, and a pair whose planes are satisfied is not hit. Where prescribed vertices
/// move, planes that they push along may leave a vertex no room; the pairs concerned are returned
/// as unresolved, for the caller to take a smaller step.
class FailSafe {
  public:
    /// Changes ends of free vertices until `detector` finds no hit. `hits` are the detector's last.
    FailSafeResult resolve(const ContactSurface& surface, std::span<const Vec3> start,
                           std::span<const CollisionHit> hits, CollisionDetector& detector,
                           std::span<Vec3> inout_end);

  private:
    enum class Planes { Travelling, Standing };
    /// direction . end >= offset, for one vertex.
    struct HalfSpace {
        Vec3 direction;
        double offset;
        double slack;  // violation that is forgiven, m: the pair stays apart by its hit gap
        int next;      // half-space of the same vertex, -1 for none
    };

    bool attempt(Planes planes, CollisionDetector& detector, std::span<Vec3> inout_end);
    bool give_planes(Planes planes);
    bool add_planes(const CandidatePair& pair, Planes planes);
    void add_half_space(int vertex, const HalfSpace& half_space);
    bool move_vertices(std::span<Vec3> inout_end);
    bool project(int vertex, Vec3& out_point) const;
    [[nodiscard]] bool satisfies(int vertex, const Vec3& point) const;
    [[nodiscard]] bool retreat(int vertex, Vec3& inout_point) const;
    void remember(std::span<const CandidatePair> pairs, std::span<const CollisionHit> hits);

    const ContactSurface* surface_ = nullptr;
    std::span<const Vec3> start_;
    std::vector<Vec3> goal_;             // ends before the fail-safe
    std::vector<int> first_half_space_;  // per vertex, -1 for none
    std::vector<HalfSpace> half_spaces_;
    std::vector<int> touched_;  // vertices with new half-spaces
    std::vector<char> moved_;
    std::vector<ContactStencil> done_;  // pairs with planes, sorted
    std::vector<CandidatePair> bad_;    // pairs hit now
    std::vector<CandidatePair> first_bad_;
    std::vector<ContactStencil> in_trouble_;
};

}  // namespace toile
