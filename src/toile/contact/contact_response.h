// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"
#include "toile/contact/contact_trace.h"

#include <span>
#include <vector>

namespace toile {

/// Straight motion of all vertices over one step, as the response may still change it.
struct ContactMotion {
    std::span<const Vec3>
        start;                  ///< n_vertices, m; free of crossings and of gaps below the minimum
    std::span<Vec3> inout_end;  ///< n_vertices, m; prescribed vertices are never changed
    double step = 0;            ///< s
    ContactTrace* trace = nullptr;  ///< filled where there is one; changes no result
};

enum class ContactStatus { Clean, Unresolved };

/// What a response did. `Clean` means that the whole motion has been certified.
struct ContactReport {
    ContactStatus status = ContactStatus::Clean;
    bool changed = false;  ///< whether any end position was moved
    int n_contacts = 0;    ///< pairs nearer than their thickness at the start
    int n_collisions = 0;  ///< pairs that would have met, over all rounds
    int n_rounds = 0;
    int n_fail_safe = 0;                     ///< vertices that the fail-safe moved
    double smallest_gap = 0;                 ///< m, at the end; infinity where nothing is near
    std::vector<ContactStencil> unresolved;  ///< pairs that keep the motion from being certified
    double seconds_broad = 0;   ///< pairs that may come near, and their gaps at the start
    double seconds_narrow = 0;  ///< contacts among them
    double seconds_continuous = 0;
    double seconds_response = 0;
    double seconds_certificate = 0;
};

/// Makes a motion free of crossings. Detection and certificate are shared; this is what differs
/// between solvers ("bridson" is the first). Keeps memory between steps, but nothing that a result
/// depends on. Throws InvalidInput where a position is not finite or a size does not fit.
class ContactResponse {
  public:
    virtual ~ContactResponse() = default;
    virtual ContactReport resolve(const ContactSurface& surface, const ContactMotion& motion) = 0;
};

}  // namespace toile
