// SPDX-License-Identifier: Apache-2.0
#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

using test::obstacle;
using test::sphere;
using test::square_cloth;

/// A towel of 100 vertices, held at a corner until 0.3 s, above a ball.
Scene towel_scene() {
    Scene scene;
    scene.settings.frame_rate = 20;
    scene.settings.frames = 20;
    scene.solver.steps_per_frame = 2;
    scene.cloths = {square_cloth(0.5, 9, {0, 1, 0})};
    PinSetup pin;
    pin.vertices = {0};
    pin.end = 0.3;
    scene.cloths[0].pins = {pin};
    scene.obstacles = {obstacle("ball", sphere(0.1, 2))};
    scene.obstacles[0].translation = {0, 0.85, 0};
    return scene;
}

void step(World& world, int frames) {
    for (int f = 0; f < frames; ++f) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
    }
}

TEST(WorldControl, APinSetByCodeLeadsUntilToldOtherwise) {
    World world(towel_scene());
    const std::vector<int> corner = {99};
    const Vec3 at = world.positions(0)[99];
    world.pin(0, corner, {0, 0.2, 0});
    step(world, 2);
    EXPECT_LT((world.positions(0)[99] - at - Vec3(0, 0.02, 0)).norm(), 1e-15);
    world.pin(0, corner, {-0.2, 0, 0});
    step(world, 1);
    EXPECT_LT((world.positions(0)[99] - at - Vec3(-0.01, 0.02, 0)).norm(), 1e-15);
    world.release(0, corner);
    step(world, 2);
    EXPECT_LT(world.positions(0)[99].y(), at.y());
    EXPECT_GT(world.surface().inverse_masses[99], 0);
}

TEST(WorldControl, CodeGoesBeforeTheScenesPinsAndGivesThemBack) {
    World world(towel_scene());
    const std::vector<int> corner = {0};
    const Vec3 at = world.positions(0)[0];
    world.release(0, corner);
    step(world, 1);
    EXPECT_LT(world.positions(0)[0].y(), at.y());
    const Vec3 fallen = world.positions(0)[0];
    world.leave_to_scene(0);
    step(world, 2);
    EXPECT_EQ(world.positions(0)[0], fallen) << "held where it was";
    step(world, 5);
    EXPECT_LT(world.positions(0)[0].y(), fallen.y()) << "the pin ended at 0.3 s";
}

TEST(WorldControl, AnObstacleMovedByCodeGoesOnFromWhereItIs) {
    Scene scene = towel_scene();
    scene.obstacles[0].pieces = {{0, {0.2, 0, 0}}};
    scene.obstacles[0].pivot = scene.obstacles[0].translation;
    World world(scene);
    step(world, 2);
    const std::vector<Vec3> before(world.positions(1).begin(), world.positions(1).end());
    world.move_obstacle(0, {.velocity = {0, -0.5, 0}, .turn_rate = {0, 2, 0}});
    step(world, 1);
    world.move_obstacle(0, {});
    const Vec3 center = scene.obstacles[0].translation + Vec3(0.02, 0, 0);
    const Mat3 turned = rotation_matrix({0, 2 * 0.05, 0});
    for (size_t v = 0; v < before.size(); ++v) {
        const Vec3 expected = center + turned * (before[v] - center) + Vec3(0, -0.025, 0);
        EXPECT_LT((world.positions(1)[v] - expected).norm(), 1e-14);
    }
    const WorldState stopped = world.state();
    step(world, 2);
    const int first = world.surface().bodies[1].first_vertex;
    for (size_t v = 0; v < before.size(); ++v) {
        EXPECT_EQ(world.positions(1)[v], stopped.positions[first + v]);
    }
}

/// What a planner does in three frames.
void play(World& world, double pull) {
    const std::vector<int> side = {90, 91, 92};
    world.pin(0, side, {pull, 0.3, 0});
    world.move_obstacle(0, {.velocity = {0, 0, -pull}, .turn_rate = {0, 1, 0}});
    step(world, 2);
    world.release(0, std::vector<int>{91});
    std::vector<Vec3> kicked(world.velocities(0).begin(), world.velocities(0).end());
    kicked[50] += Vec3(0, 0.5, 0);
    world.set_velocities(0, kicked);
    step(world, 1);
}

TEST(WorldControl, AStateHoldsAllThatCodeHasSet) {
    World world(towel_scene());
    step(world, 2);
    const WorldState snapshot = world.state();
    play(world, 0.4);
    const WorldState middle = world.state();
    step(world, 3);
    const WorldState end = world.state();
    world.set_state(snapshot);
    play(world, -0.6);
    EXPECT_FALSE(world.state() == middle) << "another pull gives another state";
    world.set_state(middle);
    step(world, 3);
    EXPECT_EQ(world.state(), end);
    World other(towel_scene());
    other.set_state(middle);
    step(other, 3);
    EXPECT_EQ(other.state(), end) << "in a world that has never been told anything by code";
    world.set_state(snapshot);
    play(world, 0.4);
    EXPECT_EQ(world.state(), middle);
}

TEST(WorldControl, RewindGoesBackToTheStart) {
    World world(towel_scene());
    const WorldState start = world.state();
    step(world, 2);
    const WorldState after = world.state();
    play(world, 0.4);
    world.rewind();
    EXPECT_EQ(world.state(), start);
    step(world, 2);
    EXPECT_EQ(world.state(), after);
}

TEST(WorldControl, RestoringAllocatesNothing) {
    World world(towel_scene());
    const WorldState snapshot = world.state();
    play(world, 0.4);
    const WorldState held = world.state();
    world.set_state(snapshot);
    const Vec3* positions = world.positions(0).data();
    const Hold* holds = world.state().holds.data();
    world.set_state(held);
    world.set_state(snapshot);
    EXPECT_EQ(world.positions(0).data(), positions);
    EXPECT_EQ(world.state().holds.data(), holds);
}

TEST(WorldControl, RefusesWhatIsNotThere) {
    World world(towel_scene());
    const WorldState before = world.state();
    const std::vector<int> missing = {100};
    const std::vector<int> there = {3};
    const double nan = std::nan("");
    EXPECT_THROW(world.pin(0, missing), InvalidInput);
    EXPECT_THROW(world.pin(1, there), InvalidInput);
    EXPECT_THROW(world.pin(-1, there), InvalidInput);
    EXPECT_THROW(world.pin(0, there, {0, nan, 0}), InvalidInput);
    EXPECT_THROW(world.release(0, missing), InvalidInput);
    EXPECT_THROW(world.leave_to_scene(1), InvalidInput);
    EXPECT_THROW(world.set_velocities(0, std::vector<Vec3>(99, Vec3(0, 0, 0))), InvalidInput);
    EXPECT_THROW(world.set_velocities(0, std::vector<Vec3>(100, Vec3(nan, 0, 0))), InvalidInput);
    EXPECT_THROW(world.move_obstacle(1, {}), InvalidInput);
    EXPECT_THROW(world.move_obstacle(0, {.velocity = {nan, 0, 0}}), InvalidInput);
    EXPECT_EQ(world.state(), before);
}

TEST(WorldControl, RefusesStatesWhoseHoldsAreNotOfThisWorld) {
    World world(towel_scene());
    world.pin(0, std::vector<int>{3, 7});
    world.move_obstacle(0, {});
    const WorldState good = world.state();
    const auto refuses = [&](auto&& spoil) {
        WorldState bad = good;
        spoil(bad);
        EXPECT_THROW(world.set_state(bad), InvalidInput);
    };
    refuses([](WorldState& s) { s.holds[1].vertex = 100; });
    refuses([](WorldState& s) { s.holds[1].vertex = 3; });
    refuses([](WorldState& s) { s.holds[0].vertex = -1; });
    refuses([](WorldState& s) { s.holds[0].anchor.x() = INFINITY; });
    refuses([](WorldState& s) { s.obstacle_holds[0].obstacle = 1; });
    refuses([](WorldState& s) { s.obstacle_holds[0].pose.rotation(0, 1) = std::nan(""); });
    EXPECT_NO_THROW(world.set_state(good));
}

}  // namespace
}  // namespace toile
