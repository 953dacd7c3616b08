// SPDX-License-Identifier: Apache-2.0
#include "sim/small_scenes.h"
#include "toile/contact/certificate.h"
#include "toile/core/parallel.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace toile {
namespace {

using namespace test;

SolverSettings implicit_solver() {
    return {.name = "implicit", .steps_per_frame = 4, .tolerance = 0.01};
}

Scene implicit_drape(int frames) {
    Scene scene = small_drape(frames);
    scene.solver = implicit_solver();
    return scene;
}

/// A sheet on an incline of the given tangent, laid just above it.
Scene incline(double tangent, double friction) {
    const double degrees = std::atan(tangent) * 180 / M_PI;
    Scene scene;
    scene.solver = implicit_solver();
    ClothSetup cloth = square_cloth(0.2, 6, {0, 0, 0});
    cloth.rotation = {.axis = {0, 0, 1}, .degrees = degrees};
    const double up = cloth.fabric.thickness;
    const double angle = std::atan(tangent);
    cloth.translation = up * Vec3(-std::sin(angle), std::cos(angle), 0);
    scene.cloths = {cloth};
    ObstacleSetup plane = obstacle("plane", rectangle(6, 6, 1));
    plane.rotation = cloth.rotation;
    scene.obstacles = {plane};
    scene.friction = {{.between = {"cotton", "rigid"}, .coefficient = friction}};
    return scene;
}

/// How far the mean of a cloth's vertices has gone along the incline, m.
double way_down(const World& world, std::span<const Vec3> start, double tangent) {
    const double angle = std::atan(tangent);
    const Vec3 down(-std::cos(angle), -std::sin(angle), 0);
    double way = 0;
    for (size_t v = 0; v < start.size(); ++v) way += down.dot(world.positions(0)[v] - start[v]);
    return way / static_cast<double>(start.size());
}

TEST(ImplicitWorld, DrapesWithoutACrossingAndComesToRest) {
    World world(implicit_drape(60));
    FrameReport report;
    for (int f = 0; f < 60; ++f) {
        report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
        EXPECT_LT(report.largest_strain, 0.3);
    }
    EXPECT_LT(report.rms_speed, 0.05);
    EXPECT_LT(world.positions(0)[0].y(), 0.1);
}

TEST(ImplicitWorld, GoesTheSameWayOnAnyNumberOfThreads) {
    std::vector<WorldState> ends;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        World world(implicit_drape(8));
        for (int f = 0; f < 8; ++f) ASSERT_FALSE(world.step().failure);
        ends.push_back(world.state());
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
}

TEST(ImplicitWorld, GoesOnFromASnapshotToTheSameBits) {
    World world(implicit_drape(12));
    for (int f = 0; f < 6; ++f) ASSERT_FALSE(world.step().failure);
    const WorldState snapshot = world.state();
    for (int f = 0; f < 4; ++f) ASSERT_FALSE(world.step().failure);
    World other(implicit_drape(12));
    other.set_state(snapshot);
    for (int f = 0; f < 4; ++f) ASSERT_FALSE(other.step().failure);
    EXPECT_EQ(world.state(), other.state());
}

TEST(ImplicitWorld, StepsThatPassAreCleanForEveryPair) {
    Scene scene = implicit_drape(8);
    scene.cloths[0].shape = rectangle(1, 1, 10);
    scene.obstacles[0].shape = sphere(0.25, 1);
    World world(scene);
    StepTrace trace;
    size_t n_hits = 0;
    for (int f = 0; f < 8; ++f) {
        ASSERT_FALSE(world.step({.trace = &trace}).failure);
        for (const TracedStep& step : trace.steps) {
            n_hits += step.contact.rounds.front().collisions.size();
            if (!step.accepted || f % 2 == 0) continue;
            const ContactTrace& contact = step.contact;
            EXPECT_TRUE(certify_all_pairs(world.surface(), contact.start, contact.ends).clean());
        }
    }
    EXPECT_GT(n_hits, 10U);
}

TEST(ImplicitWorld, FallsFreelyAsBackwardEulerDoes) {
    Scene scene = implicit_drape(5);
    scene.obstacles.clear();
    World world(scene);
    const double y = world.positions(0)[0].y();
    for (int f = 0; f < 5; ++f) ASSERT_FALSE(world.step().failure);
    // After n steps of h: g h² n (n + 1) / 2.
    const double expected = 9.81 * 1e-4 * 20 * 21 / 2;
    // As exactly as the solve, to 1e-2 of its first residual, is.
    for (const Vec3& x : world.positions(0)) EXPECT_NEAR(y - x.y(), expected, 1e-3 * expected);
}

double way_after_a_second(double tangent) {
    World world(incline(tangent, 0.5));
    const std::vector<Vec3> start(world.positions(0).begin(), world.positions(0).end());
    for (int f = 0; f < 25; ++f) EXPECT_FALSE(world.step().failure);
    return way_down(world, start, tangent);
}

TEST(ImplicitWorld, SticksAPercentBelowTheConeOfFrictionAndSlidesAPercentAboveIt) {
    for (const double tangent : {0.3, 0.49, 0.495}) {
        EXPECT_LT(way_after_a_second(tangent), 1e-3) << tangent;
    }
    for (const double tangent : {0.505, 0.51}) {
        EXPECT_GT(way_after_a_second(tangent), 5e-3) << tangent;
    }
}

TEST(ImplicitWorld, SlidesAsFarAsCoulombsLawSays) {
    for (const double tangent : {0.6, 0.7, 1.0}) {
        const double angle = std::atan(tangent);
        const double way = 0.5 * 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
        EXPECT_NEAR(way_after_a_second(tangent), way, 0.03 * way) << tangent;
    }
}

}  // namespace
}  // namespace toile
