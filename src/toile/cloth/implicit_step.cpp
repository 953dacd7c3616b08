// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/implicit_step.h"

#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/core/timer.h"

#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 4096;

bool all_finite(std::span<const Vec3> values) {
    for (const Vec3& value : values) {
        if (!value.allFinite()) return false;
    }
    return true;
}

void check_size(const char* name, size_t found, size_t expected) {
    if (found != expected) {
        throw InvalidInput(
            fmt::format("The cloth has {} vertices; found {} {}.", expected, found, name));
    }
}

StepStatus status_of(const SolveReport& report) {
    if (report.status == SolveStatus::Converged) return StepStatus::Done;
    return report.status == SolveStatus::NotFinite ? StepStatus::NotFinite
                                                   : StepStatus::SolverDidNotConverge;
}

}  // namespace

ImplicitStep::ImplicitStep(const Cloth& cloth)
    : system_(cloth),
      free_motion_(cloth),
      constraint_of_vertex_(cloth.n_vertices(), -1),
      held_(cloth.n_vertices(), 0),
      rhs_(cloth.n_vertices(), Vec3::Zero()),
      change_(cloth.n_vertices(), Vec3::Zero()),
      candidate_change_(cloth.n_vertices(), Vec3::Zero()),
      candidate_(cloth.initial_state()) {}

void ImplicitStep::set_last_change(std::span<const Vec3> change) {
    check_size("changes of velocity", change.size(), change_.size());
    change_.assign(change.begin(), change.end());
}

void ImplicitStep::check(const StepInput& input, const StepOptions& options,
                         const ClothState& state) {
    const size_t n = change_.size();
    check_size("positions", state.positions.size(), n);
    check_size("velocities", state.velocities.size(), n);
    if (!(options.step > 0) || !std::isfinite(options.step)) {
        throw InvalidInput(
            fmt::format("A step must be a positive number of seconds; found {}.", options.step));
    }
    for (const LinearTerm& term : input.terms) {
        if (!term.rhs.empty()) check_size("values in a term's right-hand side", term.rhs.size(), n);
    }
    std::fill(constraint_of_vertex_.begin(), constraint_of_vertex_.end(), -1);
    for (int c = 0; c < static_cast<int>(input.constraints.size()); ++c) {
        const int v = input.constraints[c].vertex;
        if (v < 0 || v >= static_cast<int>(n)) {
            throw InvalidInput(fmt::format(
                "A velocity is prescribed for vertex {}; the cloth has 0 to {}.", v, n - 1));
        }
        if (constraint_of_vertex_[v] >= 0) {
            throw InvalidInput(fmt::format("Two velocities are prescribed for vertex {}.", v));
        }
        constraint_of_vertex_[v] = c;
    }
}

void ImplicitStep::set_filters(const StepInput& input, const ClothState& state) {
    filters_.clear();
    std::fill(held_.begin(), held_.end(), 0);
    for (const VelocityConstraint& c : input.constraints) {
        held_[c.vertex] = c.free_directions.isZero(0) ? 1 : 0;
        filters_.push_back({.row = c.vertex,
                            .free = c.free_directions,
                            .value = c.velocity - state.velocities[c.vertex]});
    }
    for (const int v : system_.cloth().loose_vertices()) {
        if (constraint_of_vertex_[v] >= 0) continue;
        filters_.push_back({.row = v, .free = Mat3::Zero(), .value = -state.velocities[v]});
    }
    system_.set_held(held_);
}

void ImplicitStep::set_system(const StepInput& input, const ClothState& state, double h) {
    system_.assemble(state, input.environment, h);
    std::copy(system_.rhs().begin(), system_.rhs().end(), rhs_.begin());
    extra_.clear();
    for (const LinearTerm& term : input.terms) {
        if (term.matrix != nullptr) extra_.push_back(term.matrix);
        for (size_t v = 0; v < term.rhs.size(); ++v) rhs_[v] += term.rhs[v];
    }
    last_step_ = h;
}

SolveReport ImplicitStep::solve(const StepOptions& options, std::span<Vec3> inout_x) {
    return solver_.solve({system_.matrix(), extra_}, rhs_, filters_, inout_x,
                         {.relative_tolerance = options.relative_tolerance,
                          .max_iterations = options.max_iterations});
}

void ImplicitStep::keep_momentum(const StepInput& input, const ClothState& state, double h) {
    const Environment& around = input.environment;
    if (!input.terms.empty() || around.air_drag != 0 || around.linear_drag != 0) return;
    free_motion_.begin();
    for (const VelocityConstraint& held : input.constraints) free_motion_.touch(held.vertex);
    free_motion_.keep({.positions = state.positions, .gain = h * around.gravity},
                      candidate_change_);
}

void ImplicitStep::set_candidate(const ClothState& state, double h) {
    parallel_for(static_cast<int>(change_.size()), kGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            candidate_.velocities[v] = state.velocities[v] + candidate_change_[v];
            candidate_.positions[v] = state.positions[v] + h * candidate_.velocities[v];
        }
    });
}

StepReport ImplicitStep::advance(const StepInput& input, const StepOptions& options,
                                 ClothState& inout_state) {
    check(input, options, inout_state);
    StepReport report;
    if (!all_finite(inout_state.positions) || !all_finite(inout_state.velocities)) {
        report.status = StepStatus::NotFinite;
        return report;
    }
    {
        const ScopedTimer timer(report.seconds_assembly);
        set_filters(input, inout_state);
        set_system(input, inout_state, options.step);
    }
    const ScopedTimer timer(report.seconds_solve);
    candidate_change_ = change_;
    const SolveReport solved = solve(options, candidate_change_);
    report.status = status_of(solved);
    report.iterations = solved.iterations;
    report.relative_residual = solved.relative_residual;
    if (report.status != StepStatus::Done) return report;

    keep_momentum(input, inout_state, options.step);
    set_candidate(inout_state, options.step);
    const MaxStrain strain =
        max_strain_change(system_.cloth(), inout_state.positions, candidate_.positions);
    report.max_strain_change = strain.value;
    report.worst_triangle = strain.triangle;
    if (!all_finite(candidate_.positions)) {
        report.status = StepStatus::NotFinite;
    } else if (options.max_strain_change > 0 && !(strain.value <= options.max_strain_change)) {
        report.status = StepStatus::StrainChangedTooMuch;
    } else {
        inout_state.positions.swap(candidate_.positions);
        inout_state.velocities.swap(candidate_.velocities);
        change_.swap(candidate_change_);
    }
    return report;
}

StepReport ImplicitStep::respond_to_contacts(std::span<const Vec3> corrected_positions,
                                             const StepOptions& options, ClothState& inout_state) {
    check_size("corrected positions", corrected_positions.size(), change_.size());
    if (!(last_step_ > 0)) {
        throw InvalidInput("Contacts can be answered only after a step has been made.");
    }
    const auto masses = system_.cloth().masses();
    for (size_t v = 0; v < corrected_positions.size(); ++v) {
        const Vec3 change = (corrected_positions[v] - inout_state.positions[v]) / last_step_;
        rhs_[v] = masses[v] * change;
        candidate_change_[v] = change;
    }
    for (RowFilter& filter : filters_) filter.value.setZero();
    const SolveReport solved = solve(options, candidate_change_);
    const StepReport report = {.status = status_of(solved),
                               .iterations = solved.iterations,
                               .relative_residual = solved.relative_residual};
    if (report.status != StepStatus::Done) return report;
    std::copy(corrected_positions.begin(), corrected_positions.end(),
              inout_state.positions.begin());
    for (size_t v = 0; v < corrected_positions.size(); ++v) {
        inout_state.velocities[v] += candidate_change_[v];
    }
    return report;
}

}  // namespace toile
