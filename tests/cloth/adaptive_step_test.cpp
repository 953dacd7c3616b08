// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/adaptive_step.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TriangleMesh square() {
    return make_rectangle({.width = 1, .length = 1, .width_divisions = 6, .length_divisions = 6});
}

TEST(StepController, GoesThroughTheFractionsOfTheInterval) {
    StepController controller(1.2, {.smallest_step = 0.01});
    for (const double divisor : {1, 2, 3, 4, 5, 6, 8, 16, 32, 64}) {
        EXPECT_DOUBLE_EQ(controller.step(), 1.2 / divisor);
        const bool smaller_exists = controller.reject();
        EXPECT_EQ(smaller_exists, divisor < 64);
    }
}

TEST(StepController, GrowsAfterTwoSuccessesAndWaitsLongerWhenThatFailsAtOnce) {
    StepController controller(1);
    ASSERT_TRUE(controller.reject());
    ASSERT_TRUE(controller.reject());
    controller.accept();
    controller.accept();
    EXPECT_DOUBLE_EQ(controller.step(), 1.0 / 2);
    ASSERT_TRUE(controller.reject());
    controller.accept();
    controller.accept();
    EXPECT_DOUBLE_EQ(controller.step(), 1.0 / 3);
    controller.accept();
    EXPECT_DOUBLE_EQ(controller.step(), 1.0 / 2);
}

TEST(StepController, TakesAShortRestAlongAndNeverPassesTheEnd) {
    const StepController controller(0.1);
    EXPECT_DOUBLE_EQ(controller.next_step(1.0), 0.1);
    EXPECT_DOUBLE_EQ(controller.next_step(0.105), 0.105);
    EXPECT_DOUBLE_EQ(controller.next_step(0.03), 0.03);
}

TEST(StepController, GoesOnFromAStoredState) {
    StepController controller(1), other(1);
    ASSERT_TRUE(controller.reject());
    controller.accept();
    other.set_state(controller.state());
    controller.accept();
    other.accept();
    EXPECT_TRUE(controller.state() == other.state());
    EXPECT_THROW(StepController(0), InvalidInput);
}

TEST(AdvanceAdaptively, LandsOnTheEndAndCountsItsSteps) {
    const Cloth cloth(square(), named_fabric("cotton"));
    ImplicitStep step(cloth);
    StepController controller(0.01);
    ClothState state = cloth.initial_state();
    double time = 0;
    int calls = 0;
    const AdaptiveReport report = advance_adaptively(step, 0.04, {}, {.relative_tolerance = 1e-12},
                                                     controller, state, [&](double h, ClothState&) {
                                                         time += h;
                                                         ++calls;
                                                         return true;
                                                     });
    EXPECT_EQ(report.status, StepStatus::Done);
    EXPECT_EQ(report.n_steps, calls);
    EXPECT_EQ(report.n_rejected, 0);
    EXPECT_EQ(report.time_done, 0.04);
    EXPECT_NEAR(time, 0.04, 1e-15);
    EXPECT_NEAR(state.velocities[0][1], -0.04 * 9.81, 1e-9);
}

TEST(AdvanceAdaptively, TakesSmallerStepsWhereTheStrainChangesFast) {
    const Cloth cloth(square(), named_fabric("cotton"));
    ImplicitStep step(cloth);
    StepController controller(0.04);
    ClothState state = cloth.initial_state();
    const VelocityConstraint pull[] = {{.vertex = 0}, {.vertex = 48, .velocity = Vec3(3, 0, -3)}};
    const AdaptiveReport report =
        advance_adaptively(step, 0.04, {.constraints = pull}, {}, controller, state);
    EXPECT_EQ(report.status, StepStatus::Done);
    EXPECT_GT(report.n_rejected, 0);
    EXPECT_LE(report.smallest_step, 0.02);
    EXPECT_EQ(report.time_done, 0.04);
}

TEST(AdvanceAdaptively, GivesUpWithAReportBelowTheSmallestStep) {
    const Cloth cloth(square(), named_fabric("cotton"));
    ImplicitStep step(cloth);
    StepController controller(0.01, {.smallest_step = 0.004});
    ClothState state = cloth.initial_state();
    const VelocityConstraint pull[] = {{.vertex = 0}, {.vertex = 1, .velocity = Vec3(1e3, 0, 0)}};
    const ClothState before = state;
    const AdaptiveReport report =
        advance_adaptively(step, 0.01, {.constraints = pull}, {}, controller, state);
    EXPECT_EQ(report.status, StepStatus::StrainChangedTooMuch);
    EXPECT_EQ(report.n_steps, 0);
    EXPECT_GE(report.n_rejected, 2);
    EXPECT_TRUE(state == before);
}

}  // namespace
}  // namespace toile
