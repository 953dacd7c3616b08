// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/step_schedule.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kFirstPatience = StepControl().patience;
constexpr int kLongestPatience = 40;
constexpr int kMostHalvings = 29;
constexpr double kMostTicks = 0x1p29;
constexpr double kMostWholeTicks = 0x1p62;  // a time beyond is as good as never

int ticks_per_frame(const SolverSettings& solver) {
    const int n = solver.steps_per_frame;
    const int halvings = solver.max_halvings;
    if (n < 1 || halvings < 0 || halvings > kMostHalvings || std::ldexp(n, halvings) > kMostTicks) {
        throw InvalidInput(fmt::format(
            "A frame cannot be cut into {} steps of up to {} halvings: expected 1 step or more, 0 "
            "halvings or more, and steps_per_frame x 2^max_halvings up to 2^29.",
            n, halvings));
    }
    return n << halvings;
}

}  // namespace

StepSchedule::StepSchedule(const SceneSettings& settings, const SolverSettings& solver)
    : frame_rate_(settings.frame_rate),
      max_halvings_(solver.max_halvings),
      ticks_per_frame_(ticks_per_frame(solver)) {
    if (!(frame_rate_ > 0) || !std::isfinite(frame_rate_)) {
        throw InvalidInput(
            fmt::format("The frame rate must be above 0 /s; it is {}.", frame_rate_));
    }
}

int StepSchedule::next_ticks(const StepControl& control) const {
    return 1 << (max_halvings_ - control.halvings);
}

double StepSchedule::length(int ticks) const {
    return ticks / (ticks_per_frame_ * frame_rate_);
}

double StepSchedule::time(const StepControl& control, int ticks) const {
    const double part = static_cast<double>(control.tick + ticks) / ticks_per_frame_;
    return (control.frame + part) / frame_rate_;
}

long long StepSchedule::tick_of(const StepControl& control) const {
    return static_cast<long long>(control.frame) * ticks_per_frame_ + control.tick;
}

long long StepSchedule::tick_of(double time) const {
    const double ticks =
        std::clamp(time * frame_rate_ * ticks_per_frame_, -kMostWholeTicks, kMostWholeTicks);
    return std::llround(ticks);
}

bool StepSchedule::frame_is_full(const StepControl& control) const {
    return control.tick == ticks_per_frame_;
}

void StepSchedule::accept(StepControl& inout_control) const {
    StepControl& control = inout_control;
    const int ticks = next_ticks(control);
    control.tick += ticks;
    if (control.just_grown) {
        control.just_grown = false;
        control.patience = kFirstPatience;
    }
    ++control.successes;
    const bool aligned = control.tick % (2 * ticks) == 0;
    if (control.halvings > 0 && control.successes >= control.patience && aligned) {
        --control.halvings;
        control.successes = 0;
        control.just_grown = true;
    }
}

bool StepSchedule::reject(StepControl& inout_control) const {
    StepControl& control = inout_control;
    if (control.halvings == max_halvings_) return false;
    if (control.just_grown) {
        control.just_grown = false;
        control.patience =
            std::min(kLongestPatience, control.patience + (control.patience + 1) / 2);
    }
    control.successes = 0;
    ++control.halvings;
    return true;
}

void StepSchedule::shorten(int halvings, StepControl& inout_control) const {
    inout_control.halvings = std::min(inout_control.halvings + halvings, max_halvings_);
    inout_control.successes = 0;
    inout_control.just_grown = false;
}

void StepSchedule::finish_frame(StepControl& inout_control) const {
    inout_control.tick = 0;
    ++inout_control.frame;
}

void StepSchedule::check(const StepControl& control) const {
    const bool possible =
        control.frame >= 0 && control.halvings >= 0 && control.halvings <= max_halvings_ &&
        control.tick >= 0 && control.tick < ticks_per_frame_ &&
        control.tick % next_ticks(control) == 0 && control.successes >= 0 &&
        control.patience >= kFirstPatience && control.patience <= kLongestPatience;
    if (possible) return;
    throw InvalidInput(
        fmt::format("A state at frame {}, tick {}, with {} halvings, {} successes and a patience "
                    "of {} does not "
                    "fit a world of {} ticks a frame and up to {} halvings.",
                    control.frame, control.tick, control.halvings, control.successes,
                    control.patience, ticks_per_frame_, max_halvings_));
}

}  // namespace toile
