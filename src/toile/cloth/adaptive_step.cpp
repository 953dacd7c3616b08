// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/adaptive_step.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kLastEvenDivision = 6;

/// 1, 2, 3, 4, 5, 6, 8, 16, 32, ...
double divisor(int level) {
    if (level < kLastEvenDivision) return level + 1;
    return std::ldexp(1.0, level - kLastEvenDivision + 3);
}

}  // namespace

StepController::StepController(double longest_step, const AdaptiveOptions& options)
    : longest_step_(longest_step), options_(options) {
    if (!(longest_step > 0) || !std::isfinite(longest_step)) {
        throw InvalidInput(fmt::format(
            "The longest step must be a positive number of seconds; found {}.", longest_step));
    }
    state_.wait = options.successes_to_grow;
}

double StepController::step() const {
    return longest_step_ / divisor(state_.level);
}

double StepController::next_step(double remaining) const {
    return remaining < (1 + kShortestRest) * step() ? remaining : step();
}

void StepController::accept() {
    if (state_.just_grown) {
        state_.just_grown = false;
        state_.wait = options_.successes_to_grow;
    }
    ++state_.successes;
    if (state_.level == 0 || state_.successes < state_.wait) return;
    --state_.level;
    state_.successes = 0;
    state_.just_grown = true;
}

bool StepController::reject() {
    if (state_.just_grown) {
        state_.just_grown = false;
        state_.wait = std::min(state_.wait * options_.wait_factor,
                               static_cast<double>(options_.longest_wait));
    }
    state_.successes = 0;
    if (longest_step_ / divisor(state_.level + 1) < options_.smallest_step) return false;
    ++state_.level;
    return true;
}

AdaptiveReport advance_adaptively(ImplicitStep& step, double duration, const StepInput& input,
                                  const StepOptions& options, StepController& inout_controller,
                                  ClothState& inout_state, const AfterStep& after_step) {
    AdaptiveReport report;
    StepOptions now = options;
    while (report.time_done < duration) {
        const double remaining = duration - report.time_done;
        now.step = inout_controller.next_step(remaining);
        const StepReport done = step.advance(input, now, inout_state);
        report.status = done.status;
        report.n_iterations += done.iterations;
        if (done.status != StepStatus::Done) {
            ++report.n_rejected;
            if (!inout_controller.reject()) return report;
            continue;
        }
        inout_controller.accept();
        report.time_done = now.step == remaining ? duration : report.time_done + now.step;
        report.smallest_step =
            report.n_steps == 0 ? now.step : std::min(report.smallest_step, now.step);
        ++report.n_steps;
        if (after_step && !after_step(now.step, inout_state)) return report;
    }
    return report;
}

}  // namespace toile
