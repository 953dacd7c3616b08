// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/world.h"

#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"
#include "toile/sim/coupled_step.h"
#include "toile/sim/trouble.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kMostFrameRetries = 4;

/// The steps of a frame that did not hold: work that was done, but nothing that happened.
void forget_attempt(FrameReport& report) {
    const FrameReport attempt = report;
    report = {};
    report.rejected = attempt.rejected + attempt.steps;
    report.retries = attempt.retries;
    report.iterations = attempt.iterations;
    report.seconds = attempt.seconds;
}

}  // namespace

// Moved: a frame in steps ----------------------------------------------------------------------

FrameReport World::step(const FrameRequest& request) {
    FrameReport report;
    request_ = request;
    soft_pins_.accept();
    if (request_.trace) request_.trace->steps.clear();
    const Timer timer;
    frame_start_ = state_;
    try {
        finish_frame(report);
    } catch (...) {
        state_ = frame_start_;
        throw;
    }
    if (report.failure || report.interrupted) state_ = frame_start_;
    fill_frame_end(report);
    report.seconds.total = timer.seconds();
    return report;
}

/// Tries the frame until one holds its exact test, or no shorter steps are left.
void World::finish_frame(FrameReport& report) {
    while (advance_frame(report) && !verify(report)) {
        const double failed_at = time();
        state_ = frame_start_;
        if (report.retries == kMostFrameRetries) {
            fail(failed_at, report);
            break;
        }
        forget_attempt(report);
        soft_pins_.accept();
        ++report.retries;
        schedule_.shorten(report.retries, state_.control);
    }
}

/// Why the frame could not be finished: the last trouble, met at `time` (s).
void World::fail(double time, FrameReport& report) {
    last_trouble_.frame = frame_start_.control.frame + 1;
    last_trouble_.time = time;
    last_trouble_.smallest_step = schedule_.length(schedule_.next_ticks(state_.control));
    report.failure = last_trouble_;
}

double World::part_of_frame() const {
    return schedule_.length(state_.control.tick) * scene_.settings.frame_rate;
}

void World::begin_trace(const Attempt& attempt) {
    if (!request_.trace) return;
    TracedStep& step = request_.trace->steps.emplace_back();
    step.start_time = time();
    step.end_time = attempt.end_time;
}

/// Steps to the frame's end; false where the shortest step fails too, or on request.
bool World::advance_frame(FrameReport& report) {
    StepControl& control = state_.control;
    while (!schedule_.frame_is_full(control)) {
        if (request_.cancellation && request_.cancellation->requested()) {
            report.interrupted = true;
            return false;
        }
        if (request_.progress) request_.progress(part_of_frame(), report);
        begin_step();
        const int ticks = schedule_.next_ticks(control);
        const Attempt attempt = {.end_time = schedule_.time(control, ticks),
                                 .step = schedule_.length(ticks)};
        begin_trace(attempt);
        const bool done = try_step(attempt, report);
        if (request_.trace) request_.trace->steps.back().accepted = done;
        if (done) {
            ++report.steps;
            schedule_.accept(control);
            continue;
        }
        ++report.rejected;
        if (must_retry_ || schedule_.reject(control)) continue;
        if (soft_pins_.let_go(blamed_, blame_)) continue;
        fail(time(), report);
        return false;
    }
    schedule_.finish_frame(control);
    return true;
}

bool World::try_step(const Attempt& attempt, FrameReport& report) {
    blamed_.clear();
    must_retry_ = false;
    if (coupled_) return try_coupled_step(attempt, report);
    if (!advance_cloths(attempt, report) || !resolve_contacts(attempt, report)) return false;
    if (contact_.changed && !answer_contacts(attempt.step, report)) return false;
    accept_motion(report);
    accept_pins(attempt, report);
    return true;
}

/// Where the cloths would go alone, into `candidates_` and `end_`.
bool World::advance_cloths(const Attempt& attempt, FrameReport& report) {
    const ScopedTimer timer(report.seconds.dynamics);
    place_prescribed(attempt.end_time, end_);
    soften_pins(attempt);
    const SolverSettings& solver = scene_.solver;
    const StepOptions options = {.step = attempt.step,
                                 .relative_tolerance = solver.tolerance,
                                 .max_iterations = solver.max_iterations,
                                 .max_strain_change = solver.max_strain_change};
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const auto own = [&](const std::vector<Vec3>& all) {
            return std::span<const Vec3>(all).subspan(body.first_vertex, body.n_vertices);
        };
        ClothState& candidate = candidates_[c];
        std::ranges::copy(own(state_.positions), candidate.positions.begin());
        std::ranges::copy(own(state_.velocities), candidate.velocities.begin());
        dynamics_[c]->set_last_change(own(state_.last_changes));
        set_constraints(c, attempt);
        const StepReport done = dynamics_[c]->advance(
            {.environment = environment_, .constraints = constraints_}, options, candidate);
        report.iterations += done.iterations;
        if (done.status != StepStatus::Done) {
            last_trouble_ = dynamics_trouble(done, body.name);
            blame_pins_of(c, done);
            return false;
        }
        for (const HeldVertex& held : pins_.held_of(c)) {
            candidate.positions[held.vertex - body.first_vertex] = end_[held.vertex];
        }
        std::ranges::copy(candidate.positions, end_.begin() + body.first_vertex);
    }
    must_retry_ = let_overstretched_go(attempt);
    return !must_retry_;
}

/// What is held from here on, and what is free again.
void World::begin_step() {
    pins_.begin_step(state_);
    std::ranges::copy(free_inverse_masses_, surface_.inverse_masses.begin());
    for (const HeldVertex& held : pins_.held()) surface_.inverse_masses[held.vertex] = 0;
}

void World::place_prescribed(double time, std::span<Vec3> out_positions) const {
    pins_.place(time, out_positions);
    for (size_t o = 0; o < obstacles_.size(); ++o) {
        const ContactBody& body = surface_.bodies[cloths_.size() + o];
        place_obstacle(obstacles_[o], time, displacement(o, time),
                       out_positions.subspan(body.first_vertex, body.n_vertices));
    }
}

/// Pins are led so that they arrive where they must be.
void World::set_constraints(size_t cloth, const Attempt& attempt) {
    const int first = surface_.bodies[cloth].first_vertex;
    constraints_.clear();
    for (const HeldVertex& held : pins_.held_of(cloth)) {
        const int v = held.vertex;
        constraints_.push_back(
            {.vertex = v - first, .velocity = (end_[v] - state_.positions[v]) / attempt.step});
    }
}

/// Moves the cloths' ends until nothing crosses, and certifies it.
bool World::resolve_contacts(const Attempt& attempt, FrameReport& report) {
    ContactTrace* trace = request_.trace ? &request_.trace->steps.back().contact : nullptr;
    contact_ = response_->resolve(surface_, {state_.positions, end_, attempt.step, trace});
    add_contact_seconds(report);
    if (contact_.status == ContactStatus::Clean) return true;
    last_trouble_ = contact_trouble(surface_, contact_.unresolved);
    blame_pins_in(contact_.unresolved);
    return false;
}

void World::add_contact_seconds(FrameReport& report) const {
    report.seconds.broad += contact_.seconds_broad;
    report.seconds.narrow += contact_.seconds_narrow;
    report.seconds.continuous += contact_.seconds_continuous;
    report.seconds.response += contact_.seconds_response;
    report.seconds.certificate += contact_.seconds_certificate;
}

/// Velocities of the candidates after contacts have moved their ends; the ends stay.
bool World::answer_contacts(double step, FrameReport& report) {
    const ScopedTimer timer(report.seconds.velocities);
    const StepOptions options = {.step = step,
                                 .relative_tolerance = scene_.solver.tolerance,
                                 .max_iterations = scene_.solver.max_iterations};
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const auto corrected =
            std::span<const Vec3>(end_).subspan(body.first_vertex, body.n_vertices);
        if (std::ranges::equal(corrected, candidates_[c].positions)) continue;
        const StepReport done =
            dynamics_[c]->respond_to_contacts(corrected, options, candidates_[c]);
        report.iterations += done.iterations;
        if (done.status == StepStatus::Done) continue;
        last_trouble_ = dynamics_trouble(done, body.name);
        blame_pins_of(c, done);
        return false;
    }
    return true;
}

/// The one place where positions are written: those that the certificate holds for.
void World::accept_ends(FrameReport& report) {
    report.contacts += contact_.n_contacts;
    report.collisions += contact_.n_collisions;
    report.rounds += contact_.n_rounds;
    report.fail_safe += contact_.n_fail_safe;
    report.smallest_gap = std::min(report.smallest_gap, contact_.smallest_gap);
    state_.positions.swap(end_);
}

void World::accept_motion(FrameReport& report) {
    accept_ends(report);
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const int first = surface_.bodies[c].first_vertex;
        std::ranges::copy(candidates_[c].velocities, state_.velocities.begin() + first);
        std::ranges::copy(dynamics_[c]->last_change(), state_.last_changes.begin() + first);
    }
}

// Tested: the whole frame ----------------------------------------------------------------------

bool World::verify(FrameReport& report) {
    const ScopedTimer timer(report.seconds.verification);
    round_to_float(state_.positions, rounded_);
    const auto bodies = checked_bodies(rounded_);
    const std::vector<Crossing> crossings = find_crossings(bodies);
    if (crossings.empty()) return true;
    last_trouble_ = {};
    last_trouble_.cause = "the frame holds crossings once its positions are rounded to float32.";
    last_trouble_.places = {crossings_summary(bodies, crossings)};
    return false;
}

std::vector<CheckedBody> World::checked_bodies(std::span<const Vec3> positions) const {
    std::vector<CheckedBody> bodies;
    for (int b = 0; b < surface_.n_bodies(); ++b) {
        const ContactBody& body = surface_.bodies[b];
        bodies.push_back({body.name, mesh(b).triangles,
                          positions.subspan(body.first_vertex, body.n_vertices), body.prescribed});
    }
    return bodies;
}

void World::fill_frame_end(FrameReport& report) {
    report.frame = state_.control.frame;
    report.time = time();
    double squares = 0;
    int n = 0;
    for (size_t c = 0; c < cloths_.size(); ++c) {
        const ContactBody& body = surface_.bodies[c];
        const MaxStrain strain = max_strain(cloths_[c].cloth, positions(static_cast<int>(c)));
        report.largest_strain = std::max(report.largest_strain, strain.value);
        for (int v = body.first_vertex; v < body.first_vertex + body.n_vertices; ++v) {
            squares += (state_.positions[v] - frame_start_.positions[v]).squaredNorm();
        }
        n += body.n_vertices;
    }
    fill_lag(report);
    report.rms_speed = std::sqrt(squares / std::max(1, n)) * scene_.settings.frame_rate;
}

// Looked at, and put back ----------------------------------------------------------------------

const TriangleMesh& World::mesh(int body) const {
    const int n_cloths = static_cast<int>(cloths_.size());
    return body < n_cloths ? cloths_[body].mesh : obstacles_[body - n_cloths].mesh;
}

std::span<const Vec3> World::positions(int body) const {
    const ContactBody& b = surface_.bodies[body];
    return std::span<const Vec3>(state_.positions).subspan(b.first_vertex, b.n_vertices);
}

std::span<const Vec3> World::velocities(int body) const {
    const ContactBody& b = surface_.bodies[body];
    return std::span<const Vec3>(state_.velocities).subspan(b.first_vertex, b.n_vertices);
}

double World::time() const {
    return schedule_.time(state_.control);
}

}  // namespace toile
