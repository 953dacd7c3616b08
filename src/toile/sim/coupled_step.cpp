// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/coupled_step.h"

#include "toile/cloth/strain.h"
#include "toile/contact/repulsion.h"
#include "toile/contact/separation.h"
#include "toile/core/timer.h"

#include <algorithm>

namespace toile {
namespace {

/// Forces of contacts that are wrong, as part of all, that are not worth another solve.
constexpr double kFewForces = 0.01;
/// Of the changes of velocity in the step before, as first guess where contacts are.
constexpr double kKeptGuess = 0.7;
/// Of the changes that gravity would make: a solve is never finer than to such a scale.
constexpr double kLeastScale = 0.1;
/// From so many rows on neighbours share a vector of the preconditioner: always. It is what keeps
/// the smooth part of a loose solve right, of which a sliding sheet is made.
constexpr int kRowsForCoarse = 1;
/// Of the thickness: how far the solved ends may be from the predicted ones.
constexpr double kTubeMargin = 1;

std::vector<const BlockSparseMatrix*> matrices_of(
    std::span<const std::unique_ptr<ClothSystem>> systems) {
    std::vector<const BlockSparseMatrix*> matrices;
    for (const auto& system : systems) matrices.push_back(&system->matrix());
    return matrices;
}

StepStatus status_of(const SolveReport& report) {
    if (report.status == SolveStatus::Converged) return StepStatus::Done;
    return report.status == SolveStatus::NotFinite ? StepStatus::NotFinite
                                                   : StepStatus::SolverDidNotConverge;
}

StrainLimit limit_of(const Fabric& fabric, const CoupledStepOptions& options) {
    if (!(options.strain_limit > 0)) return {.stretch = 0};
    return {
        .stretch = 1 + options.strain_limit,
        .stiffness = options.limit_stiffness * std::max(fabric.stretch_warp, fabric.stretch_weft)};
}

}  // namespace

CoupledStep::CoupledStep(std::span<const ClothBody> cloths, const ContactSurface& surface,
                         const CoupledStepOptions& options)
    : cloths_(cloths), surface_(surface), options_(options), springs_(options.springs) {
    for (const ClothBody& body : cloths_) {
        systems_.push_back(std::make_unique<ClothSystem>(body.cloth));
        systems_.back()->set_strain_limit(limit_of(body.cloth.fabric(), options));
        states_.push_back(body.cloth.initial_state());
        free_motions_.emplace_back(body.cloth);
    }
    solver_ = std::make_unique<LooseGradient>(matrices_of(systems_), kRowsForCoarse);
    const auto n = static_cast<size_t>(solver_->n_rows());
    fixed_.assign(n, 0);
    for (std::vector<Vec3>* v : {&velocities_, &changes_, &rhs_, &rhs_with_contacts_}) {
        v->assign(n, Vec3::Zero());
    }
}

CoupledReport CoupledStep::advance(const CoupledStart& start, const Environment& environment,
                                   std::span<Vec3> inout_end) {
    report_ = {};
    loaded_ = false;
    environment_ = environment;
    require_finite(start.positions);
    assemble(start, environment, inout_end);
    reference_ = scale_of_changes(start, environment.gravity);
    set_ends(start, inout_end);
    find_contacts(start, inout_end);
    if (!solve_and_look(start, inout_end)) return report_;
    if (!check_strain(start, inout_end)) return report_;
    certify(start, inout_end);
    return report_;
}

void CoupledStep::assemble(const CoupledStart& start, const Environment& environment,
                           std::span<const Vec3> end) {
    const ScopedTimer timer(report_.seconds_dynamics);
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const size_t first = body.first_vertex, n = body.n_vertices;
        ClothState& state = states_[c];
        std::ranges::copy(start.positions.subspan(first, n), state.positions.begin());
        std::ranges::copy(start.velocities.subspan(first, n), state.velocities.begin());
        std::ranges::copy(start.held.subspan(first, n), fixed_.begin() + first);
        systems_[c]->set_held(start.held.subspan(first, n));
        systems_[c]->assemble(state, environment, start.step);
        std::ranges::copy(systems_[c]->rhs(), rhs_.begin() + first);
        std::ranges::copy(start.last_changes.subspan(first, n), changes_.begin() + first);
        for (const int v : cloths_[c].cloth.loose_vertices()) {
            if (start.held[first + v]) continue;
            fixed_[first + v] = 1;
            changes_[first + v] = -start.velocities[first + v];
        }
    }
    if (std::ranges::all_of(changes_, [](const Vec3& x) { return x.isZero(0); })) {
        std::ranges::fill(changes_, start.step * environment.gravity);
    }
    for (size_t v = 0; v < fixed_.size(); ++v) {
        if (!start.held[v]) continue;
        changes_[v] = (end[v] - start.positions[v]) / start.step - start.velocities[v];
    }
}

/// Ends of the vertices that are not held, from the changes of velocity.
void CoupledStep::set_ends(const CoupledStart& start, std::span<Vec3> inout_end) {
    for (size_t v = 0; v < changes_.size(); ++v) {
        velocities_[v] = start.velocities[v] + changes_[v];
        if (start.held[v]) continue;
        inout_end[v] = start.positions[v] + start.step * velocities_[v];
    }
}

void CoupledStep::find_contacts(const CoupledStart& start, std::span<const Vec3> end) {
    detector_.begin(surface_, start.positions, end, options_.separation, kTubeMargin);
    if (start.trace) trace_start(start, end);
    const ScopedTimer timer(report_.contact.seconds_narrow);
    find_proximities(surface_, detector_.pairs(), start.positions, proximities_);
    springs_.begin(surface_, start.positions, start.step);
    springs_.add_proximities(detector_.pairs(), proximities_);
    report_.contact.n_contacts = static_cast<int>(proximities_.size());
}

bool CoupledStep::solve_once(const CoupledStart& start, std::span<Vec3> inout_end) {
    const ScopedTimer timer(report_.seconds_dynamics);
    std::ranges::copy(rhs_, rhs_with_contacts_.begin());
    springs_.write_terms({.velocities = start.velocities,
                          .end = inout_end,
                          .fixed = fixed_,
                          .n_rows = solver_->n_rows()},
                         terms_, rhs_with_contacts_);
    if (!loaded_) solver_->set_matrices(fixed_, terms_);
    loaded_ = true;
    operator_.set(terms_, solver_->n_rows());
    const LooseReport done = solver_->solve(operator_, rhs_with_contacts_, changes_,
                                            {.relative_tolerance = options_.relative_tolerance,
                                             .reference = reference_,
                                             .max_iterations = options_.max_iterations});
    report_.dynamics.iterations += done.solve.iterations;
    report_.dynamics.relative_residual = done.solve.relative_residual;
    report_.dynamics.status = status_of(done.solve);
    if (report_.dynamics.status == StepStatus::Done &&
        !std::ranges::all_of(changes_, [](const Vec3& x) { return x.allFinite(); })) {
        report_.dynamics.status = StepStatus::NotFinite;
    }
    if (report_.dynamics.status != StepStatus::Done) {
        report_.failed_cloth = 0;
        return false;
    }
    keep_momentum(start);
    set_ends(start, inout_end);
    return true;
}

/// What contacts must give if velocities are to change as they did in the step before. The first
/// guess takes a part of those changes, so that what is wrong in them dies away.
void CoupledStep::expect_contacts(const CoupledStart& start, std::span<Vec3> inout_end) {
    const ScopedTimer timer(report_.seconds_dynamics);
    operator_.set({}, solver_->n_rows());
    solver_->multiply(operator_, changes_, rhs_with_contacts_);
    for (size_t v = 0; v < rhs_.size(); ++v) {
        rhs_with_contacts_[v] = fixed_[v] ? Vec3::Zero() : Vec3(rhs_with_contacts_[v] - rhs_[v]);
    }
    springs_.expect(rhs_with_contacts_, inout_end);
    if (springs_.springs().empty()) return;
    for (size_t v = 0; v < changes_.size(); ++v) {
        if (!fixed_[v]) changes_[v] *= kKeptGuess;
    }
    set_ends(start, inout_end);
}

/// In the norm of mass: the changes of velocity of the step before, or a part of those that gravity
/// would make, if that is more. What is calm is so solved more finely than what is not.
double CoupledStep::scale_of_changes(const CoupledStart& start, const Vec3& gravity) const {
    double sum = 0, mass = 0;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const auto masses = cloths_[c].cloth.masses();
        const size_t first = surface_.bodies[c].first_vertex;
        for (size_t v = 0; v < masses.size(); ++v) {
            if (fixed_[first + v]) continue;
            sum += masses[v] * changes_[first + v].squaredNorm();
            mass += masses[v];
        }
    }
    return std::max(std::sqrt(sum), kLeastScale * start.step * gravity.norm() * std::sqrt(mass));
}

/// Of pieces that nothing holds or touches.
void CoupledStep::keep_momentum(const CoupledStart& start) {
    if (environment_.air_drag != 0 || environment_.linear_drag != 0) return;
    for (FreeMotion& free : free_motions_) free.begin();
    const auto touch = [&](size_t v) {
        for (size_t c = 0; c < cloths_.size(); ++c) {
            const size_t first = surface_.bodies[c].first_vertex;
            if (v >= first && v < first + surface_.bodies[c].n_vertices) {
                free_motions_[c].touch(static_cast<int>(v - first));
            }
        }
    };
    for (size_t v = 0; v < fixed_.size(); ++v) {
        if (start.held[v]) touch(v);
    }
    for (const ContactSpring& spring : springs_.springs()) {
        if (!spring.active) continue;
        for (const int v : spring.stencil.vertices) touch(v);
    }
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const size_t first = surface_.bodies[c].first_vertex, n = surface_.bodies[c].n_vertices;
        free_motions_[c].keep({.positions = start.positions.subspan(first, n),
                               .gain = start.step * environment_.gravity},
                              std::span(changes_).subspan(first, n));
    }
}

/// With the contacts known, until hardly any comes or goes.
bool CoupledStep::solve(const CoupledStart& start, std::span<Vec3> inout_end) {
    using Change = ContactSprings::Change;
    for (int pass = 0; pass < options_.passes; ++pass) {
        const bool last = pass == options_.passes - 1;
        const ContactSprings::Balance balance =
            springs_.update(inout_end, last ? Change::OnlyAdd : Change::AddAndDrop);
        if (pass > 0 && balance.missing <= kFewForces * balance.forces) break;
        if (!solve_once(start, inout_end)) return false;
    }
    return true;
}

/// Solves, looks what would meet on the solved way, and solves again with it.
bool CoupledStep::solve_and_look(const CoupledStart& start, std::span<Vec3> inout_end) {
    ContactReport& contact = report_.contact;
    std::span<const CollisionHit> hits;
    expect_contacts(start, inout_end);
    for (;; ++contact.n_rounds) {
        if (!solve(start, inout_end)) return false;
        hits = detector_.find(inout_end, {});
        contact.n_collisions += static_cast<int>(hits.size());
        if (start.trace) trace_round(start, inout_end, hits);
        if (hits.empty() || contact.n_rounds == options_.max_feedback) break;
        const ScopedTimer timer(contact.seconds_response);
        springs_.add_hits(detector_.pairs(), hits, inout_end);
    }
    if (!hits.empty()) fail_safe(start, hits, inout_end);
    contact.seconds_broad = detector_.seconds_broad;
    contact.seconds_continuous = detector_.seconds_continuous;
    if (start.trace) start.trace->ends.assign(inout_end.begin(), inout_end.end());
    return true;
}

void CoupledStep::fail_safe(const CoupledStart& start, std::span<const CollisionHit> hits,
                            std::span<Vec3> inout_end) {
    const ScopedTimer timer(report_.contact.seconds_response);
    const FailSafeResult result =
        fail_safe_.resolve(surface_, start.positions, hits, detector_, inout_end);
    report_.contact.n_fail_safe = result.n_moved;
    report_.contact.changed = result.n_moved > 0;
}

bool CoupledStep::check_strain(const CoupledStart& start, std::span<const Vec3> end) {
    if (!(options_.max_strain_change > 0)) return true;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const size_t first = body.first_vertex, n = body.n_vertices;
        const MaxStrain change = max_strain_change(
            cloths_[c].cloth, start.positions.subspan(first, n), end.subspan(first, n));
        if (change.value <= options_.max_strain_change) continue;
        report_.dynamics.status = StepStatus::StrainChangedTooMuch;
        report_.dynamics.max_strain_change = change.value;
        report_.dynamics.worst_triangle = change.triangle;
        report_.failed_cloth = static_cast<int>(c);
        return false;
    }
    return true;
}

void CoupledStep::certify(const CoupledStart& start, std::span<const Vec3> end) {
    ContactReport& contact = report_.contact;
    const ScopedTimer timer(contact.seconds_certificate);
    const Certificate certificate = detector_.covers(end)
                                        ? certify_pairs(detector_.pairs(), start.positions, end)
                                        : certifier_.certify(surface_, start.positions, end);
    contact.status = certificate.clean() ? ContactStatus::Clean : ContactStatus::Unresolved;
    contact.unresolved = certificate.failing;
    contact.smallest_gap = certificate.smallest_gap;
}

void CoupledStep::trace_start(const CoupledStart& start, std::span<const Vec3> end) const {
    ContactTrace& trace = *start.trace;
    trace = {};
    trace.start.assign(start.positions.begin(), start.positions.end());
    trace.estimate.assign(end.begin(), end.end());
    detector_.collect_candidates(trace.candidates);
}

void CoupledStep::trace_round(const CoupledStart& start, std::span<const Vec3> end,
                              std::span<const CollisionHit> hits) const {
    ContactTrace& trace = *start.trace;
    if (trace.contacts.empty()) {
        for (const ContactSpring& spring : springs_.springs()) {
            trace.contacts.push_back(traced_contact(spring.stencil, start.positions));
        }
    }
    TracedRound& round = trace.rounds.emplace_back();
    round.ends.assign(end.begin(), end.end());
    for (const CollisionHit& hit : hits) {
        round.collisions.push_back({detector_.pairs()[hit.pair].stencil, hit.time});
    }
}

}  // namespace toile
