// SPDX-License-Identifier: Apache-2.0
// The part of World that lets pins yield (soft_pins.h).
#include "toile/sim/world.h"

#include <algorithm>

namespace toile {

PinStep World::pin_step(const Attempt& attempt) const {
    return {.held = held_,
            .positions = state_.positions,
            .velocities = state_.velocities,
            .places_start = places_start_,
            .places_end = places_end_,
            .step = attempt.step,
            .max_strain_change = scene_.solver.max_strain_change};
}

/// Puts the ends of pins that yield where they are led, in place of where they must be, and gives
/// them their mass back.
void World::soften_pins(const Attempt& attempt) {
    held_.clear();
    for (const HeldVertex& held : pins_.held()) held_.push_back(held.vertex);
    places_start_.resize(end_.size());
    places_end_.resize(end_.size());
    pins_.place(time(), places_start_);
    for (const int v : held_) places_end_[v] = end_[v];
    soft_pins_.begin_attempt(pin_step(attempt));
    soft_pins_.lead(end_);
    for (const int v : soft_pins_.yielding()) {
        surface_.inverse_masses[v] = free_inverse_masses_[v];
    }
}

bool World::let_overstretched_go(const Attempt& attempt) {
    soft_pins_.find_overstretched(pin_step(attempt), end_, blamed_);
    return soft_pins_.let_go(blamed_, PinTrouble::Stretch);
}

/// The moving pins of a cloth whose step failed; those of the worst triangle, where it has some.
void World::blame_pins_of(size_t cloth, const StepReport& report) {
    blame_ = report.status == StepStatus::StrainChangedTooMuch ? PinTrouble::Stretch
                                                               : PinTrouble::Solver;
    const int first = surface_.bodies[cloth].first_vertex;
    for (const HeldVertex& held : pins_.held_of(cloth)) {
        const int v = held.vertex;
        if (end_[v] != state_.positions[v]) blamed_.push_back(v);
    }
    if (report.worst_triangle < 0) return;
    const Triangle& worst = cloths_[cloth].cloth.triangles()[report.worst_triangle];
    const auto is_beside = [&](int v) {
        return std::ranges::find(worst, v - first) != worst.end();
    };
    if (std::ranges::any_of(blamed_, is_beside)) {
        std::erase_if(blamed_, [&](int v) { return !is_beside(v); });
    }
}

/// The pins in pairs that cannot be kept apart, ascending.
void World::blame_pins_in(std::span<const ContactStencil> unresolved) {
    blame_ = PinTrouble::Blocked;
    for (const ContactStencil& stencil : unresolved) {
        for (const int v : stencil.vertices) {
            if (std::ranges::binary_search(held_, v)) blamed_.push_back(v);
        }
    }
    std::ranges::sort(blamed_);
    blamed_.erase(std::unique(blamed_.begin(), blamed_.end()), blamed_.end());
}

/// After positions were accepted, so that `end_` holds those of the step's start.
void World::accept_pins(const Attempt& attempt, FrameReport& report) {
    for (const int v : soft_pins_.yielding()) {
        state_.velocities[v] = (state_.positions[v] - end_[v]) / attempt.step;
    }
    for (const SoftPins::LetGo& pin : soft_pins_.let_go()) {
        if (pin.lagged || is_at_place(state_.positions[pin.vertex], places_end_[pin.vertex])) {
            continue;
        }
        const ContactBody& body = surface_.bodies[surface_.body_of_vertex[pin.vertex]];
        report.let_go.push_back({.cloth = body.name,
                                 .vertex = pin.vertex - body.first_vertex,
                                 .time = attempt.end_time,
                                 .cause = pin_trouble_words(pin.cause)});
    }
    soft_pins_.accept();
}

/// How far the pins of the frame's last step are from their places at its end.
void World::fill_lag(FrameReport& report) {
    places_end_.resize(state_.positions.size());
    pins_.place(time(), places_end_);
    for (const HeldVertex& held : pins_.held()) {
        const int v = held.vertex;
        if (is_at_place(state_.positions[v], places_end_[v])) continue;
        ++report.lag.n_vertices;
        const double lag = (state_.positions[v] - places_end_[v]).norm();
        if (lag <= report.lag.largest) continue;
        const ContactBody& body = surface_.bodies[surface_.body_of_vertex[v]];
        report.lag.largest = lag;
        report.lag.cloth = body.name;
        report.lag.vertex = v - body.first_vertex;
    }
}

}  // namespace toile
