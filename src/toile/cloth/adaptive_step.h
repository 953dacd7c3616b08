// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/implicit_step.h"

#include <functional>

namespace toile {

struct AdaptiveOptions {
    double smallest_step = 1e-6;  ///< s: below it a failed step is given up
    int successes_to_grow = 2;    ///< steps in a row before a bigger one is tried
    double wait_factor = 1.5;     ///< patience grows by this where the bigger step fails at once
    int longest_wait = 40;        ///< steps
};

/// Chooses step lengths so that they fill an interval exactly: the interval over 1, 2, ... 6, then
/// over 8, 16, 32 and so on. A failed step goes to the next smaller one; after some successes the
/// next bigger one is tried, and if that fails at once, the wait for the next try grows (the
/// strategy of the simulator of [Manen10]). Knows nothing of cloth.
class StepController {
  public:
    /// `longest_step` in s is the first length tried.
    explicit StepController(double longest_step, const AdaptiveOptions& options = {});

    /// The length to try now, not beyond `remaining`; a rest too short for a step of its own
    /// (kShortestRest of one) is taken along.
    [[nodiscard]] double next_step(double remaining) const;
    void accept();
    /// Goes to a smaller step; false where that would be below the smallest.
    [[nodiscard]] bool reject();

    [[nodiscard]] double step() const;
    /// Where it stands, for a checkpoint.
    struct State {
        int level = 0;      ///< place in the list of lengths, 0 the longest
        int successes = 0;  ///< in a row at this length
        double wait = 0;    ///< successes needed before growing
        bool just_grown = false;

        bool operator==(const State&) const = default;
    };
    [[nodiscard]] const State& state() const { return state_; }
    void set_state(const State& state) { state_ = state; }

    static constexpr double kShortestRest = 0.1;

  private:
    double longest_step_;
    AdaptiveOptions options_;
    State state_;
};

struct AdaptiveReport {
    StepStatus status = StepStatus::Done;  ///< of the last step tried
    int n_steps = 0;
    int n_rejected = 0;
    int n_iterations = 0;      ///< of all steps, also rejected ones
    double smallest_step = 0;  ///< s, of those accepted
    double time_done = 0;      ///< s; the whole duration where `status` is Done
};

/// Called after every accepted step with its length in s and the state it left, which may be
/// changed (contacts); false stops the advance there.
using AfterStep = std::function<bool(double step, ClothState& inout_state)>;

/// Moves `inout_state` on by `duration` seconds in steps that `inout_controller` chooses, landing
/// on the end exactly; options.step is not used. Where no step succeeds, the state is that after
/// the last one that did, and the report says why.
[[nodiscard]] AdaptiveReport advance_adaptively(ImplicitStep& step, double duration,
                                                const StepInput& input, const StepOptions& options,
                                                StepController& inout_controller,
                                                ClothState& inout_state,
                                                const AfterStep& after_step = {});

}  // namespace toile
