// SPDX-License-Identifier: Apache-2.0
#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

using test::square_cloth;

/// 49 vertices; frames of 0.1 s in 4 steps.
Scene square_scene() {
    Scene scene;
    scene.settings.frame_rate = 10;
    scene.settings.frames = 10;
    scene.solver.steps_per_frame = 4;
    scene.solver.max_halvings = 4;
    scene.cloths = {square_cloth(0.5, 6, {0, 1, 0})};
    return scene;
}

void run_to(World& world, int frame) {
    while (world.frame() < frame) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
    }
}

TEST(TimedPin, HoldsWhereTheVertexIsWhenItBeginsAndLetsGoAtItsEnd) {
    Scene scene = square_scene();
    PinSetup pin;
    pin.vertices = {24};
    pin.start = 0.2;
    pin.end = 0.4;
    scene.cloths[0].pins = {pin};
    World world(scene);
    const double mass_before = world.surface().inverse_masses[24];
    run_to(world, 2);
    const Vec3 at = world.positions(0)[24];
    EXPECT_LT(at.y(), 0.9) << "it fell";
    run_to(world, 4);
    EXPECT_EQ(world.positions(0)[24], at);
    EXPECT_EQ(world.surface().inverse_masses[24], 0);
    EXPECT_EQ(world.velocities(0)[24], Vec3(0, 0, 0));
    run_to(world, 5);
    EXPECT_EQ(world.surface().inverse_masses[24], mass_before);
    EXPECT_LT(world.positions(0)[24].y(), at.y() - 0.01) << "it falls again";
    EXPECT_TRUE(world.state().holds.empty());
}

TEST(TimedPin, ChangesInTheFirstStepThatBeginsAtItsTimeOrAfterIt) {
    // Steps begin at 0, 0.025, 0.05 ...; what should begin at 0.03 begins at 0.05, and what should
    // end at 0.06 ends at 0.075.
    Scene scene = square_scene();
    PinSetup pin;
    pin.vertices = {24};
    pin.start = 0.03;
    pin.end = 0.06;
    scene.cloths[0].pins = {pin};
    World late(scene);
    scene.cloths[0].pins[0].start = 0.05;
    scene.cloths[0].pins[0].end = 0.075;
    World on_the_step(scene);
    run_to(late, 2);
    run_to(on_the_step, 2);
    EXPECT_EQ(late.state(), on_the_step.state());
}

TEST(TimedPin, IsLedAlongItsPiecesExactly) {
    Scene scene = square_scene();
    PinSetup pin;
    pin.vertices = {0, 6};
    pin.start = 0.1;
    pin.pieces = {{0.1, {0, 0.5, 0}}, {0.3, {0.25, 0, 0}}};
    pin.end = 0.5;
    scene.cloths[0].pins = {pin};
    World world(scene);
    run_to(world, 1);
    const Vec3 at = world.positions(0)[6];
    run_to(world, 3);
    EXPECT_LT((world.positions(0)[6] - at - Vec3(0, 0.1, 0)).norm(), 1e-15);
    EXPECT_LT((world.velocities(0)[6] - Vec3(0, 0.5, 0)).norm(), 1e-12);
    run_to(world, 5);
    EXPECT_LT((world.positions(0)[6] - at - Vec3(0.05, 0.1, 0)).norm(), 1e-15);
    const WorldState held = world.state();
    run_to(world, 6);
    EXPECT_GT(world.velocities(0)[6].x(), 0.05) << "it goes on with the velocity it had";
    EXPECT_FALSE(held.holds.empty());
}

TEST(TimedPin, OneVertexMayBeHeldByOnePinAfterAnother) {
    Scene scene = square_scene();
    PinSetup first, second;
    first.vertices = second.vertices = {24};
    first.start = 0.1;
    first.end = second.start = 0.2;
    first.velocity = {0, 0.1, 0};
    second.velocity = {0.2, 0, 0};
    scene.cloths[0].pins = {first, second};
    World world(scene);
    run_to(world, 1);
    const Vec3 at = world.positions(0)[24];
    run_to(world, 2);
    EXPECT_LT((world.positions(0)[24] - at - Vec3(0, 0.01, 0)).norm(), 1e-15);
    run_to(world, 3);
    EXPECT_LT((world.positions(0)[24] - at - Vec3(0.02, 0.01, 0)).norm(), 1e-15);
}

TEST(TimedPin, AStatePutBackBringsItsAnchorsBack) {
    Scene scene = square_scene();
    PinSetup pin;
    pin.vertices = {0, 24};
    pin.start = 0.15;
    pin.end = 0.45;
    pin.keyframes = {{.time = 0.1}, {.time = 0.5, .rotation = {{1, 1, 0}, 40}}};
    scene.cloths[0].pins = {pin};
    World world(scene);
    std::vector<WorldState> states = {world.state()};
    for (int f = 1; f <= 6; ++f) {
        run_to(world, f);
        states.push_back(world.state());
    }
    World other(scene);
    for (const int from : {3, 1, 4, 0, 2}) {
        other.set_state(states[from]);
        run_to(other, from + 1);
        EXPECT_EQ(other.state(), states[from + 1]) << from;
    }
}

TEST(InitialVelocity, ASpinningSheetKeepsItsMomentum) {
    Scene scene = square_scene();
    scene.settings.gravity = {0, 0, 0};
    scene.cloths[0].velocity = {1, 0, 0};
    scene.cloths[0].spin = {{0, 2, 0}, 90};
    World world(scene);
    // A quarter turn a second about y.
    const double w = 1.5707963267948966;
    for (size_t v = 0; v < world.positions(0).size(); ++v) {
        const Vec3& x = world.positions(0)[v];
        const Vec3 expected(1 + w * x.z(), 0, -w * x.x());
        EXPECT_LT((world.velocities(0)[v] - expected).norm(), 1e-12) << v;
    }
    run_to(world, 3);
    Vec3 momentum = Vec3::Zero();
    double mass = 0;
    const auto masses = world.cloths()[0].cloth.masses();
    for (size_t v = 0; v < masses.size(); ++v) {
        momentum += masses[v] * world.velocities(0)[v];
        mass += masses[v];
    }
    EXPECT_LT((momentum / mass - Vec3(1, 0, 0)).norm(), 1e-6);
}

TEST(ObstaclePieces, MoveABodyBackAndForth) {
    Scene scene = square_scene();
    scene.obstacles = {test::obstacle("ball", test::sphere(0.1, 1))};
    scene.obstacles[0].pieces = {{0, {1, 0, 0}}, {0.25, {0, 0, 0}}, {0.3, {-1, 0, 0}}};
    World world(scene);
    const Vec3 at = world.positions(1)[0];
    run_to(world, 2);
    EXPECT_LT((world.positions(1)[0] - at - Vec3(0.2, 0, 0)).norm(), 1e-15);
    run_to(world, 3);
    EXPECT_LT((world.positions(1)[0] - at - Vec3(0.25, 0, 0)).norm(), 1e-15);
    run_to(world, 4);
    EXPECT_LT((world.positions(1)[0] - at - Vec3(0.15, 0, 0)).norm(), 1e-15);
}

}  // namespace
}  // namespace toile
