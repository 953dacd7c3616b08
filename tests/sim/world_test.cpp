// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/world.h"

#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

using test::obstacle;
using test::rectangle;
using test::small_drape;
using test::sphere;
using test::square_cloth;

Scene falling_square(int frames) {
    Scene scene;
    scene.settings.frames = frames;
    scene.cloths = {square_cloth(0.5, 6, {0, 1, 0})};
    return scene;
}

FrameReport run_frames(World& world, int frames) {
    FrameReport last;
    for (int f = 0; f < frames; ++f) {
        last = world.step();
        EXPECT_FALSE(last.failure) << last.failure->message();
        if (last.failure) break;
    }
    return last;
}

Vec3 mean_position(const World& world, int body) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : world.positions(body)) sum += x;
    return sum / double(world.positions(body).size());
}

TEST(World, FreeFallIsThatOfTheImplicitSchemeExactly) {
    Scene scene = falling_square(10);
    scene.solver.tolerance = 1e-13;
    World world(scene);
    const std::vector<Vec3> start(world.positions(0).begin(), world.positions(0).end());
    run_frames(world, 10);
    const double h = 1 / (scene.settings.frame_rate * scene.solver.steps_per_frame);
    const double t = world.time();
    EXPECT_DOUBLE_EQ(t, 0.4);
    const Vec3 fallen = 0.5 * t * (t + h) * scene.settings.gravity;
    for (size_t v = 0; v < start.size(); ++v) {
        EXPECT_LT((world.positions(0)[v] - start[v] - fallen).norm(), 1e-9);
        EXPECT_LT((world.velocities(0)[v] - t * scene.settings.gravity).norm(), 1e-8);
    }
}

TEST(World, HeldPinsStayAndMovingPinsArriveExactly) {
    Scene scene = falling_square(5);
    PinSetup held;
    held.vertices = {0};
    PinSetup led;
    led.vertices = {6};
    led.keyframes = {{.time = 0}, {.time = 0.2, .translation = {-0.05, 0.1, 0.02}}};
    scene.cloths[0].pins = {held, led};
    World world(scene);
    const Vec3 first = world.positions(0)[0];
    const Vec3 second = world.positions(0)[6];
    run_frames(world, 5);
    EXPECT_EQ(world.positions(0)[0], first);
    EXPECT_LT((world.positions(0)[6] - second - Vec3(-0.05, 0.1, 0.02)).norm(), 1e-15);
    EXPECT_LT(mean_position(world, 0).y(), 0.95);
}

TEST(World, ObstaclesFollowTheirKeyframesRigidly) {
    Scene scene = falling_square(4);
    ObstacleSetup ball = obstacle("ball", sphere(0.2, 1));
    ball.translation = {0, 0, 5};
    ball.pivot = ball.translation;
    ball.keyframes = {{.time = 0},
                      {.time = 0.16, .translation = {1, 0, 0}, .rotation = {{0, 1, 0}, 90}}};
    scene.obstacles = {ball};
    World world(scene);
    const Vec3 start = world.positions(1)[0] - Vec3(0, 0, 5);
    run_frames(world, 4);
    const Vec3 turned(start.z(), start.y(), -start.x());
    EXPECT_LT((world.positions(1)[0] - Vec3(1, 0, 5) - turned).norm(), 1e-14);
}

TEST(World, ADrapeHoldsNoCrossingInAnyFrame) {
    World world(small_drape(20));
    for (int f = 0; f < 20; ++f) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
        std::vector<Vec3> rounded;
        round_to_float(world.state().positions, rounded);
        EXPECT_TRUE(find_crossings(world.checked_bodies(rounded)).empty());
        EXPECT_TRUE(find_inside_vertices(world.checked_bodies(rounded)).empty());
        EXPECT_GT(report.smallest_gap, 0);
    }
    EXPECT_LT(mean_position(world, 0).y(), 0.2);
}

TEST(World, AnyNumberOfThreadsGivesTheSameBits) {
    WorldState expected;
    for (const int n_threads : {1, 2, 3}) {
        const ThreadLimit limit(n_threads);
        World world(small_drape(8));
        run_frames(world, 8);
        if (n_threads == 1) expected = world.state();
        EXPECT_TRUE(world.state() == expected) << n_threads << " threads";
    }
}

TEST(World, ARestoredStateGoesOnToTheSameBits) {
    World world(small_drape(8));
    run_frames(world, 6);
    const WorldState middle = world.state();
    run_frames(world, 2);
    const WorldState expected = world.state();
    world.set_state(middle);
    run_frames(world, 2);
    EXPECT_TRUE(world.state() == expected);
    World fresh(small_drape(8));
    fresh.set_state(middle);
    run_frames(fresh, 2);
    EXPECT_TRUE(fresh.state() == expected);
}

TEST(World, AFarAwayBodyChangesNothing) {
    World alone(small_drape(8));
    Scene scene = small_drape(8);
    scene.obstacles.push_back(obstacle("far", sphere(0.3, 1)));
    scene.obstacles.back().translation = {3, 3, 3};
    World together(scene);
    run_frames(alone, 8);
    run_frames(together, 8);
    EXPECT_TRUE(std::ranges::equal(alone.positions(0), together.positions(0)));
}

TEST(World, AStartThatCrossesIsRefusedWithNames) {
    Scene scene = falling_square(1);
    scene.obstacles = {obstacle("ball", sphere(0.2, 1))};
    scene.obstacles[0].translation = {0, 1, 0};
    try {
        World world(scene);
        ADD_FAILURE() << "was accepted";
    } catch (const InvalidInput& e) {
        const std::string message = e.what();
        EXPECT_NE(message.find("of 'cloth' touches or crosses triangle"), std::string::npos)
            << message;
        EXPECT_NE(message.find("of 'ball'"), std::string::npos) << message;
    }
}

TEST(World, AStartNearerThanFloat32CanTellIsRefusedWithNames) {
    Scene scene = falling_square(1);
    scene.obstacles = {obstacle("plate", rectangle(2, 2, 1))};
    scene.obstacles[0].translation = {0, 1 - 1e-7, 0};
    try {
        World world(scene);
        ADD_FAILURE() << "was accepted";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("'plate'"), std::string::npos) << e.what();
    }
}

TEST(World, WhatCannotBeResolvedStopsWithAReportAndTheLastGoodState) {
    // The cloth is pressed between two plates that close to nothing.
    Scene scene = falling_square(20);
    scene.solver.max_halvings = 3;
    scene.obstacles = {obstacle("plate", rectangle(2, 2, 1)),
                       obstacle("press", rectangle(2, 2, 1))};
    scene.obstacles[0].translation = {0, 0.95, 0};
    scene.obstacles[1].translation = {0, 1.05, 0};
    scene.obstacles[1].keyframes = {{.time = 0}, {.time = 0.4, .translation = {0, -0.2, 0}}};
    World world(scene);
    FrameReport report;
    WorldState before;
    for (int f = 0; f < 20 && !report.failure; ++f) {
        before = world.state();
        report = world.step();
    }
    ASSERT_TRUE(report.failure);
    EXPECT_TRUE(world.state() == before);
    const std::string message = report.failure->message();
    EXPECT_NE(message.find("'cloth'"), std::string::npos) << message;
    EXPECT_NE(message.find("'press'"), std::string::npos) << message;
    EXPECT_GE(report.rejected, 4);
}

/// A patch on a slope through the origin, turned about z by `degrees`, falling towards -x.
Scene slope_scene(double degrees, double friction) {
    Scene scene;
    const AxisAngle turn = {{0, 0, 1}, degrees};
    const double angle = degrees * std::numbers::pi / 180;
    const Vec3 normal(-std::sin(angle), std::cos(angle), 0);
    ClothSetup patch = square_cloth(0.1, 3, {0, 0, 0});
    patch.translation = patch.fabric.thickness / 2 * 1.001 * normal;
    patch.rotation = turn;
    scene.cloths = {patch};
    scene.obstacles = {obstacle("slope", rectangle(8, 8, 1))};
    scene.obstacles[0].rotation = turn;
    scene.friction = {{{patch.material, "rigid"}, friction}};
    return scene;
}

TEST(World, APatchOnASlopeSlidesOnlyWhereItIsSteeperThanFriction) {
    constexpr double kDegrees = 30;  // tan = 0.577
    const double angle = kDegrees * std::numbers::pi / 180;
    for (const double friction : {0.0, 0.2, 0.4, 0.7}) {
        World world(slope_scene(kDegrees, friction));
        const Vec3 start = mean_position(world, 0);
        run_frames(world, 15);
        const double t = world.time();
        const double moved = (mean_position(world, 0) - start).norm();
        const double acceleration =
            9.81 * std::max(0.0, std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(moved, 0.5 * acceleration * t * t, 0.04 * 0.5 * 9.81 * t * t * std::sin(angle))
            << "friction " << friction;
    }
}

TEST(World, ADrapedClothComesToRest) {
    Scene scene = small_drape(75);
    World world(scene);
    const FrameReport report = run_frames(world, 75);
    EXPECT_LT(report.rms_speed, 0.05);
    EXPECT_LT(report.largest_strain, 0.2);
}

TEST(World, StatesThatAreNotOfThisWorldAreRefused) {
    World world(falling_square(1));
    const WorldState good = world.state();
    const auto refuses = [&](auto&& spoil) {
        WorldState bad = good;
        spoil(bad);
        EXPECT_THROW(world.set_state(bad), InvalidInput);
        EXPECT_TRUE(world.state() == good);
    };
    refuses([](WorldState& s) { s = {}; });
    refuses([](WorldState& s) { s.positions.pop_back(); });
    refuses([](WorldState& s) { s.velocities.pop_back(); });
    refuses([](WorldState& s) { s.last_changes.emplace_back(0, 0, 0); });
    refuses([](WorldState& s) { s.control.halvings = 9; });
    refuses([](WorldState& s) { s.control.tick = 1; });
    refuses([](WorldState& s) { s.velocities[3].y() = std::nan(""); });
    EXPECT_NO_THROW(world.set_state(good));
}

TEST(World, AStateThatCrossesFinishesNoFrame) {
    // The sheet is put half into the plate, so deep that no vertex or edge comes near an edge.
    Scene scene = falling_square(2);
    scene.solver.max_halvings = 1;
    scene.obstacles = {obstacle("plate", rectangle(2, 2, 1))};
    scene.obstacles[0].translation = {0, 0.9, 0};
    World world(scene);
    WorldState crossing = world.state();
    crossing.positions[24].y() = 0.8;
    world.set_state(crossing);
    const FrameReport report = world.step();
    ASSERT_TRUE(report.failure);
    EXPECT_TRUE(world.state() == crossing);
}

TEST(World, AVelocityThatCannotBeSolvedForIsNotAccepted) {
    Scene scene = small_drape(20);
    scene.solver.tolerance = 1e-10;
    scene.solver.max_halvings = 0;
    // Enough for a free fall, where nothing is to be solved for, too few for an answer to contacts.
    scene.solver.max_iterations = 2;
    scene.cloths[0].fabric.stretch_warp *= 100;
    World world(scene);
    FrameReport report;
    WorldState before;
    for (int f = 0; f < 20 && !report.failure; ++f) {
        before = world.state();
        report = world.step();
    }
    ASSERT_TRUE(report.failure);
    EXPECT_NE(report.failure->message().find("did not converge"), std::string::npos);
    EXPECT_EQ(report.contacts + report.collisions, 0) << "a step with contacts was accepted";
    EXPECT_TRUE(world.state() == before);
}

}  // namespace
}  // namespace toile
