// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"

namespace toile {

/// How far into a frame the world is, in whole ticks, and how long a step it dares. Whole numbers,
/// so that time never drifts.
struct StepControl {
    int frame = 0;      ///< frames finished
    int tick = 0;       ///< ticks of the next frame done
    int halvings = 0;   ///< the next step is the longest one × 2^-halvings
    int successes = 0;  ///< accepted in a row at this length
    int patience = 2;   ///< successes needed before a longer step is tried
    bool just_grown = false;

    bool operator==(const StepControl&) const = default;
};

/// Cuts frames into steps. The longest step is a frame over `steps_per_frame`; a step that fails is
/// halved, and after some successes in a row, where the longer step would end on its own grid, it
/// is doubled; if that fails at once, the wait for the next try grows (the strategy of the
/// simulator of [Manen10]). A tick is the shortest step. Knows nothing of cloth.
class StepSchedule {
  public:
    /// Throws InvalidInput where a number is out of range, or a frame has too many ticks to count.
    StepSchedule(const SceneSettings& settings, const SolverSettings& solver);

    /// Ticks of the step to try next.
    [[nodiscard]] int next_ticks(const StepControl& control) const;
    /// Length of so many ticks, s.
    [[nodiscard]] double length(int ticks) const;
    /// Time so many ticks after where `control` stands, s.
    [[nodiscard]] double time(const StepControl& control, int ticks = 0) const;
    /// Whole ticks from the start of the scene to where `control` stands, and the one nearest to a
    /// time (s).
    [[nodiscard]] long long tick_of(const StepControl& control) const;
    [[nodiscard]] long long tick_of(double time) const;
    [[nodiscard]] bool frame_is_full(const StepControl& control) const;

    /// Goes on by the step just tried.
    void accept(StepControl& inout_control) const;
    /// Halves the step; false, and no change, where it is the shortest.
    [[nodiscard]] bool reject(StepControl& inout_control) const;
    /// Starts anew with a shorter step, `halvings` halvings below that of `inout_control` or as
    /// many as there are.
    void shorten(int halvings, StepControl& inout_control) const;
    /// Counts a full frame as finished.
    void finish_frame(StepControl& inout_control) const;

    /// Throws InvalidInput where no sequence of the calls above leads to `control`.
    void check(const StepControl& control) const;

  private:
    double frame_rate_;
    int max_halvings_;
    int ticks_per_frame_;
};

}  // namespace toile
