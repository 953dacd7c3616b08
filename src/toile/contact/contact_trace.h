// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"
#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// A node of a body's tree of boxes.
struct TracedBox {
    Aabb box;       ///< m
    int body = 0;   ///< index in ContactSurface::bodies
    int depth = 0;  ///< 0 = the whole body
    bool leaf = false;
};

/// A pair nearer than its thickness at the start of the step.
struct TracedContact {
    ContactStencil stencil;
    Vec3 first_point;   ///< m, closest point of the first side
    Vec3 second_point;  ///< m, of the second
    Vec3 normal;        ///< unit, from the second side to the first
    double gap = 0;     ///< m
};

/// A pair that would meet. Its vertices go straight from the step's start to the ends of its
/// round, so the paths and the places at the hit follow from `time`.
struct TracedCollision {
    ContactStencil stencil;
    double time = 0;  ///< of the step, 0 to 1
};

/// One iteration: where all vertices would end, and what would meet on the way.
struct TracedRound {
    std::vector<Vec3> ends;  ///< m, n_vertices
    std::vector<TracedCollision> collisions;
};

/// What a contact response saw in one step, kept where it is asked for. Contact and response know
/// of nothing that reads it.
struct ContactTrace {
    std::vector<Vec3> start;                 ///< m, n_vertices
    std::vector<Vec3> estimate;              ///< ends before contacts: the unresolved estimate
    std::vector<ContactStencil> candidates;  ///< of the broad phase, sorted
    std::vector<TracedContact> contacts;     ///< sorted by stencil
    /// Ends after the repulsions, and after each round; the last has no collisions where impulses
    /// were enough.
    std::vector<TracedRound> rounds;
    std::vector<Vec3> ends;  ///< after the fail-safe: what the certificate was asked about
};

/// The contact of a pair at given positions.
TracedContact traced_contact(const ContactStencil& stencil, std::span<const Vec3> positions);

/// Where the four vertices of a collision are when it happens, m.
StencilPoints points_at_hit(const TracedCollision& collision, std::span<const Vec3> start,
                            std::span<const Vec3> ends);

/// Boxes of the triangles, or half a thickness wider on every side.
enum class BoxKind { Exact, Proximity };

/// The trees of boxes over the triangles of every body, root first: as detection builds them, at
/// given positions, in single precision rounded outwards.
std::vector<TracedBox> traced_boxes(const ContactSurface& surface, std::span<const Vec3> positions,
                                    BoxKind kind);

}  // namespace toile
