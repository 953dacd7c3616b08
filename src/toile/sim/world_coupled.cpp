// SPDX-License-Identifier: Apache-2.0
// The part of World that steps with contacts inside of the implicit solve (coupled_step.h).
#include "toile/core/timer.h"
#include "toile/sim/coupled_step.h"
#include "toile/sim/trouble.h"
#include "toile/sim/world.h"

#include <algorithm>

namespace toile {

bool World::try_coupled_step(const Attempt& attempt, FrameReport& report) {
    place_prescribed(attempt.end_time, end_);
    soften_pins(attempt);
    std::ranges::fill(held_flags_, 0);
    for (const int v : held_) held_flags_[v] = 1;
    const CoupledReport done = coupled_->advance(
        {.positions = state_.positions,
         .velocities = state_.velocities,
         .last_changes = state_.last_changes,
         .held = held_flags_,
         .step = attempt.step,
         .trace = request_.trace ? &request_.trace->steps.back().contact : nullptr},
        environment_, end_);
    report.iterations += done.dynamics.iterations;
    report.seconds.dynamics += done.seconds_dynamics;
    contact_ = done.contact;
    add_contact_seconds(report);
    if (done.failed_cloth >= 0) {
        const auto cloth = static_cast<size_t>(done.failed_cloth);
        last_trouble_ = dynamics_trouble(done.dynamics, surface_.bodies[cloth].name);
        blame_pins_of(cloth, done.dynamics);
        return false;
    }
    must_retry_ = let_overstretched_go(attempt);
    if (must_retry_) return false;
    if (contact_.status != ContactStatus::Clean) {
        last_trouble_ = contact_trouble(surface_, contact_.unresolved);
        blame_pins_in(contact_.unresolved);
        return false;
    }
    accept_ends(report);
    std::ranges::copy(coupled_->velocities(), state_.velocities.begin());
    std::ranges::copy(coupled_->changes(), state_.last_changes.begin());
    accept_pins(attempt, report);
    return true;
}

}  // namespace toile
