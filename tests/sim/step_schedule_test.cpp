// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/step_schedule.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

StepSchedule schedule(int steps_per_frame, int max_halvings) {
    SolverSettings solver;
    solver.steps_per_frame = steps_per_frame;
    solver.max_halvings = max_halvings;
    return {SceneSettings(), solver};
}

SceneSettings at_frame_rate(double frame_rate) {
    SceneSettings settings;
    settings.frame_rate = frame_rate;
    return settings;
}

TEST(StepSchedule, FillsAFrameExactlyWhateverIsRejected) {
    std::mt19937 random(7);
    for (const int steps : {1, 3, 8}) {
        const StepSchedule steps_of = schedule(steps, 5);
        StepControl control;
        for (int frame = 0; frame < 40; ++frame) {
            double length = 0;
            while (!steps_of.frame_is_full(control)) {
                steps_of.check(control);
                if (random() % 3 == 0 && steps_of.reject(control)) continue;
                const int ticks = steps_of.next_ticks(control);
                const double before = steps_of.time(control);
                EXPECT_NEAR(steps_of.time(control, ticks) - before, steps_of.length(ticks), 1e-14);
                length += steps_of.length(ticks);
                steps_of.accept(control);
            }
            EXPECT_NEAR(length, 0.04, 1e-14);
            steps_of.finish_frame(control);
            EXPECT_EQ(steps_of.time(control), (frame + 1) / 25.0);
        }
    }
}

TEST(StepSchedule, GrowsAfterTwoSuccessesAndWaitsLongerWhenThatFailsAtOnce) {
    const StepSchedule steps = schedule(8, 3);
    StepControl control;
    ASSERT_TRUE(steps.reject(control));
    steps.accept(control);
    EXPECT_EQ(control.halvings, 1);
    steps.accept(control);
    EXPECT_EQ(control.halvings, 0);
    ASSERT_TRUE(steps.reject(control));
    for (int i = 0; i < 3; ++i) steps.accept(control);
    EXPECT_EQ(control.halvings, 1);
    steps.accept(control);
    EXPECT_EQ(control.halvings, 0);
}

TEST(StepSchedule, RefusesToHalveTheShortestStep) {
    const StepSchedule steps = schedule(2, 2);
    StepControl control;
    ASSERT_TRUE(steps.reject(control));
    ASSERT_TRUE(steps.reject(control));
    const StepControl before = control;
    EXPECT_FALSE(steps.reject(control));
    EXPECT_EQ(control, before);
    EXPECT_EQ(steps.next_ticks(control), 1);
    steps.shorten(3, control);
    EXPECT_EQ(control.halvings, 2);
}

TEST(StepSchedule, FramesOfTooManyTicksAreRefused) {
    EXPECT_NO_THROW(schedule(1, 29));
    EXPECT_THROW(schedule(8, 29), InvalidInput);
    EXPECT_THROW(schedule(1, 40), InvalidInput);
    EXPECT_THROW(schedule(1, -1), InvalidInput);
    EXPECT_THROW(schedule(0, 3), InvalidInput);
    EXPECT_THROW(StepSchedule(at_frame_rate(0), {}), InvalidInput);
}

TEST(StepSchedule, ImpossibleControlsAreRefused) {
    const StepSchedule steps = schedule(2, 2);
    EXPECT_NO_THROW(steps.check({}));
    EXPECT_NO_THROW(steps.check({.frame = 3, .tick = 6, .halvings = 1}));
    for (const StepControl& control :
         {StepControl{.frame = -1}, StepControl{.tick = 8}, StepControl{.tick = 2},
          StepControl{.tick = -4}, StepControl{.halvings = 3}, StepControl{.halvings = -1},
          StepControl{.successes = -1}, StepControl{.patience = 0}, StepControl{.patience = 41}}) {
        EXPECT_THROW(steps.check(control), InvalidInput);
    }
}

}  // namespace
}  // namespace toile
