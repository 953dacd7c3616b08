// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/bridson_response.h"

#include "toile/contact/collision_impulses.h"
#include "toile/contact/separation.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"

#include <fmt/format.h>

namespace toile {
namespace {

void check_motion(const ContactSurface& surface, const ContactMotion& motion) {
    const auto n = static_cast<size_t>(surface.n_vertices());
    if (motion.start.size() != n || motion.inout_end.size() != n) {
        throw InvalidInput(
            fmt::format("A contact surface of {} vertices cannot move from {} to {} "
                        "positions.",
                        n, motion.start.size(), motion.inout_end.size()));
    }
    if (!(motion.step > 0)) {
        throw InvalidInput(fmt::format("A step must be longer than 0 s; it is {}.", motion.step));
    }
    require_finite(motion.start);
    require_finite(motion.inout_end);
}

void mark(std::span<const CandidatePair> pairs, std::span<const CollisionHit> hits,
          std::vector<char>& out_moved) {
    for (const CollisionHit& hit : hits) {
        for (const int v : pairs[hit.pair].stencil.vertices) out_moved[v] = 1;
    }
}

}  // namespace

ContactReport BridsonResponse::resolve(const ContactSurface& surface, const ContactMotion& motion) {
    check_motion(surface, motion);
    ContactReport report;
    detector_.begin(surface, motion.start, motion.inout_end, options_.separation);
    constraints_.clear();
    if (motion.trace) trace_start(motion);
    repel(surface, motion, report);
    const std::span<const CollisionHit> left = collide(surface, motion, report);
    if (!left.empty()) {
        const ScopedTimer timer(report.seconds_response);
        const FailSafeResult result =
            fail_safe_.resolve(surface, motion.start, left, detector_, motion.inout_end);
        report.n_fail_safe = result.n_moved;
        report.changed = report.changed || result.n_moved > 0;
    }
    if (motion.trace) motion.trace->ends.assign(motion.inout_end.begin(), motion.inout_end.end());
    report.seconds_broad = detector_.seconds_broad;
    report.seconds_continuous = detector_.seconds_continuous;
    certify(surface, motion, report);
    return report;
}

void BridsonResponse::repel(const ContactSurface& surface, const ContactMotion& motion,
                            ContactReport& report) {
    displacements_.resize(motion.start.size());
    for (size_t v = 0; v < motion.start.size(); ++v) {
        displacements_[v] = motion.inout_end[v] - motion.start[v];
    }
    {
        const ScopedTimer timer(report.seconds_narrow);
        find_proximities(surface, detector_.pairs(), motion.start, proximities_);
    }
    const ScopedTimer timer(report.seconds_response);
    report.n_contacts = static_cast<int>(proximities_.size());
    if (motion.trace) {
        for (const int i : proximities_) {
            motion.trace->contacts.push_back(
                traced_contact(detector_.pairs()[i].stencil, motion.start));
        }
    }
    if (options_.max_rounds == 0) return;
    add_repulsions(surface, detector_.pairs(), proximities_, motion.start, displacements_,
                   motion.step, options_.repulsion, constraints_);
    moved_.assign(motion.start.size(), 0);
    push(surface, motion, report);
}

std::span<const CollisionHit> BridsonResponse::collide(const ContactSurface& surface,
                                                       const ContactMotion& motion,
                                                       ContactReport& report) {
    std::span<const CollisionHit> hits = detector_.find(motion.inout_end, {});
    if (motion.trace) trace_round(motion, hits);
    for (; !hits.empty() && report.n_rounds < options_.max_rounds; ++report.n_rounds) {
        report.n_collisions += static_cast<int>(hits.size());
        {
            const ScopedTimer timer(report.seconds_response);
            add_collisions(surface, detector_.pairs(), hits, motion.start, motion.inout_end,
                           constraints_);
            moved_.assign(motion.start.size(), 0);
            mark(detector_.pairs(), hits, moved_);
            push(surface, motion, report);
        }
        hits = detector_.find(motion.inout_end, moved_);
        if (motion.trace) trace_round(motion, hits);
    }
    return hits;
}

void BridsonResponse::trace_start(const ContactMotion& motion) const {
    ContactTrace& trace = *motion.trace;
    trace = {};
    trace.start.assign(motion.start.begin(), motion.start.end());
    trace.estimate.assign(motion.inout_end.begin(), motion.inout_end.end());
    detector_.collect_candidates(trace.candidates);
}

void BridsonResponse::trace_round(const ContactMotion& motion,
                                  std::span<const CollisionHit> hits) const {
    TracedRound& round = motion.trace->rounds.emplace_back();
    round.ends.assign(motion.inout_end.begin(), motion.inout_end.end());
    for (const CollisionHit& hit : hits) {
        round.collisions.push_back({detector_.pairs()[hit.pair].stencil, hit.time});
    }
}

/// Solves for the impulses gathered so far, and moves the ends of the vertices they changed.
void BridsonResponse::push(const ContactSurface& surface, const ContactMotion& motion,
                           ContactReport& report) {
    apply_impulses(constraints_, surface.inverse_masses, options_.sweeps, displacements_);
    for (const ImpulseConstraint& constraint : constraints_) {
        for (const int v : constraint.stencil.vertices) {
            if (surface.inverse_masses[v] <= 0) continue;
            const Vec3 end = motion.start[v] + displacements_[v];
            if (end == motion.inout_end[v]) continue;
            motion.inout_end[v] = end;
            moved_[v] = 1;
            report.changed = true;
        }
    }
}

void BridsonResponse::certify(const ContactSurface& surface, const ContactMotion& motion,
                              ContactReport& report) {
    const ScopedTimer timer(report.seconds_certificate);
    const Certificate certificate = certifier_.certify(surface, motion.start, motion.inout_end);
    report.status = certificate.clean() ? ContactStatus::Clean : ContactStatus::Unresolved;
    report.unresolved = certificate.failing;
    report.smallest_gap = certificate.smallest_gap;
}

}  // namespace toile
