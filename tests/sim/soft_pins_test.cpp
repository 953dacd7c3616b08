// SPDX-License-Identifier: Apache-2.0
// Pulls that cannot be met: softened, told of, and never through anything.
#include "toile/sim/soft_pins.h"

#include "small_scenes.h"
#include "toile/core/parallel.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace toile {
namespace {

using test::obstacle;
using test::sphere;
using test::square_cloth;

constexpr int kDivisions = 8;
constexpr double kSize = 0.4;

/// Opposite corners of the square: vertex 0 at (-x, +z), kLast at (+x, -z).
constexpr int kLast = (kDivisions + 1) * (kDivisions + 1) - 1;

PinSetup led_pin(int vertex, const std::vector<Keyframe>& keyframes) {
    PinSetup pin;
    pin.vertices = {vertex};
    pin.keyframes = keyframes;
    return pin;
}

Scene pinned_square(int frames) {
    Scene scene;
    scene.settings.frames = frames;
    scene.cloths = {square_cloth(kSize, kDivisions, {0, 0.5, 0})};
    return scene;
}

struct Outcome {
    std::vector<FrameReport> reports;
    std::vector<PinLetGo> let_go;
    double largest_lag = 0;
    double largest_strain = 0;
    WorldState end;
};

/// Runs all frames; none may fail or hold a crossing.
Outcome run(const Scene& scene) {
    World world(scene);
    Outcome outcome;
    for (int f = 1; f <= scene.settings.frames; ++f) {
        const FrameReport report = world.step();
        if (report.failure) ADD_FAILURE() << report.failure->message();
        if (report.failure) break;
        std::vector<Vec3> rounded;
        round_to_float(world.state().positions, rounded);
        EXPECT_TRUE(find_crossings(world.checked_bodies(rounded)).empty()) << f;
        EXPECT_TRUE(find_inside_vertices(world.checked_bodies(rounded)).empty()) << f;
        outcome.let_go.insert(outcome.let_go.end(), report.let_go.begin(), report.let_go.end());
        outcome.largest_lag = std::max(outcome.largest_lag, report.lag.largest);
        outcome.largest_strain = std::max(outcome.largest_strain, report.largest_strain);
        outcome.reports.push_back(report);
    }
    outcome.end = world.state();
    return outcome;
}

/// Two opposite corners, led apart to three times their distance, held there, and back.
Scene pulled_apart() {
    Scene scene = pinned_square(50);
    scene.cloths[0].pins = {led_pin(0, {{.time = 0},
                                        {.time = 0.8, .translation = {-kSize, 0, kSize}},
                                        {.time = 1.0, .translation = {-kSize, 0, kSize}},
                                        {.time = 1.6}}),
                            led_pin(kLast, {{.time = 0},
                                            {.time = 0.8, .translation = {kSize, 0, -kSize}},
                                            {.time = 1.0, .translation = {kSize, 0, -kSize}},
                                            {.time = 1.6}})};
    return scene;
}

TEST(SoftPins, APullFartherThanTheClothStretchesIsSoftenedAndNamed) {
    const Outcome outcome = run(pulled_apart());
    ASSERT_FALSE(outcome.let_go.empty());
    const PinLetGo& first = outcome.let_go.front();
    EXPECT_EQ(first.cloth, "cloth");
    EXPECT_TRUE(first.vertex == 0 || first.vertex == kLast);
    EXPECT_NE(first.cause.find("stretch"), std::string::npos);
    EXPECT_GT(first.time, 0);
    EXPECT_LT(first.time, 0.8);
    EXPECT_GT(outcome.largest_lag, 0.05);
    EXPECT_LT(outcome.largest_strain, 1.5);
    EXPECT_EQ(outcome.reports.back().lag.n_vertices, 0);  // back, and caught up
}

TEST(SoftPins, NothingStallsWhileAPullIsSoftened) {
    int n_steps = 0, n_rejected = 0;
    for (const FrameReport& report : run(pulled_apart()).reports) {
        n_steps += report.steps;
        n_rejected += report.rejected;
    }
    EXPECT_LT(n_steps, 10 * 50 * 8);
    EXPECT_LT(n_rejected, n_steps);
}

/// A corner led straight through a ball beside the cloth.
Scene through_a_ball() {
    Scene scene = pinned_square(60);
    scene.obstacles = {obstacle("ball", sphere(0.1, 2))};
    // Slightly off the ball's middle, so that there is a way round it.
    scene.obstacles[0].translation = {kSize / 2 + 0.2, 0.48, -kSize / 2 + 0.03};
    scene.obstacles[0].friction = 0;
    scene.cloths[0].pins = {led_pin(kLast, {{.time = 0}, {.time = 1, .translation = {0.5, 0, 0}}})};
    return scene;
}

TEST(SoftPins, APinLedThroughABallGoesRoundItAndCatchesUp) {
    const Outcome outcome = run(through_a_ball());
    ASSERT_FALSE(outcome.let_go.empty());
    EXPECT_EQ(outcome.let_go.front().vertex, kLast);
    EXPECT_NE(outcome.let_go.front().cause.find("in its way"), std::string::npos);
    EXPECT_GT(outcome.largest_lag, 0.005);
    EXPECT_EQ(outcome.reports.back().lag.n_vertices, 0);
}

TEST(SoftPins, PinsLedThroughEachOtherStayOnTheirSides) {
    Scene scene = pinned_square(40);
    scene.cloths[0].pins = {
        led_pin(0, {{.time = 0}, {.time = 1, .translation = {kSize, 0, -kSize}}}),
        led_pin(kLast, {{.time = 0}, {.time = 1, .translation = {-kSize, 0, kSize}}})};
    const Outcome outcome = run(scene);
    EXPECT_EQ(outcome.reports.size(), 40u);
    EXPECT_FALSE(outcome.let_go.empty());
}

TEST(SoftPins, ABallLedIntoAHeldVertexPushesIt) {
    Scene scene = pinned_square(30);
    PinSetup held;
    held.vertices = {kLast};
    scene.cloths[0].pins = {held};
    scene.obstacles = {obstacle("ball", sphere(0.1, 2))};
    scene.obstacles[0].translation = {kSize / 2 + 0.2, 0.5, -kSize / 2};
    scene.obstacles[0].keyframes = {{.time = 0}, {.time = 1, .translation = {-0.2, 0, 0}}};
    const Outcome outcome = run(scene);
    EXPECT_FALSE(outcome.let_go.empty());
    EXPECT_GT(outcome.largest_lag, 0.05);
}

TEST(SoftPins, APinAtTenMetresASecondIsFollowedOrNamed) {
    for (const std::vector<int>& vertices : {std::vector<int>{0}, std::vector<int>{0, 1, 2}}) {
        Scene scene = pinned_square(12);
        PinSetup fast;
        fast.vertices = vertices;
        fast.velocity = {10, 0, 0};
        scene.cloths[0].pins = {fast};
        const Outcome outcome = run(scene);
        ASSERT_EQ(outcome.reports.size(), 12u);
        EXPECT_TRUE(outcome.largest_lag == 0 || !outcome.let_go.empty());
        EXPECT_LT(outcome.largest_strain, 1.5);
        int n_steps = 0;
        for (const FrameReport& report : outcome.reports) n_steps += report.steps + report.rejected;
        EXPECT_LT(n_steps, 12 * 8 * 8);
    }
}

TEST(SoftPins, TheSameBitsOnAnyNumberOfThreads) {
    WorldState expected;
    for (const int n_threads : {1, 2, 3}) {
        const ThreadLimit limit(n_threads);
        Scene scene = through_a_ball();
        scene.settings.frames = 25;
        const Outcome outcome = run(scene);
        if (n_threads == 1) expected = outcome.end;
        EXPECT_TRUE(outcome.end == expected) << n_threads;
    }
}

TEST(SoftPins, AStateOfALaggingPinGoesOnToTheSameBits) {
    Scene scene = through_a_ball();
    World one(scene), other(scene);
    FrameReport report;
    while (report.lag.n_vertices == 0 && one.frame() < scene.settings.frames) report = one.step();
    ASSERT_GT(report.lag.n_vertices, 0);
    other.set_state(one.state());
    for (int f = 0; f < 3; ++f) {
        ASSERT_FALSE(one.step().failure);
        ASSERT_FALSE(other.step().failure);
        EXPECT_TRUE(one.state() == other.state());
    }
}

TEST(SoftPins, APullThatCanBeMetIsMetExactly) {
    Scene scene = pinned_square(12);
    scene.cloths[0].pins = {led_pin(0, {{.time = 0}, {.time = 0.4, .translation = {0, 0.1, 0}}}),
                            led_pin(kLast, {})};
    const Outcome outcome = run(scene);
    EXPECT_TRUE(outcome.let_go.empty());
    EXPECT_EQ(outcome.largest_lag, 0);
}

TEST(SoftPins, RoundingIsNoLag) {
    EXPECT_TRUE(is_at_place({1, 2, 3}, {1, 2, 3 + 1e-13}));
    EXPECT_FALSE(is_at_place({1, 2, 3}, {1, 2, 3 + 1e-9}));
    EXPECT_TRUE(is_at_place({0, 0, 0}, {0, 0, 0}));
    EXPECT_TRUE(is_at_place({1e3, 2e3, 3e3}, {1e3, 2e3, 3e3 + 1e-10}));
    EXPECT_FALSE(is_at_place({1e-3, 0, 0}, {1e-3 + 1e-12, 0, 0}));
}

}  // namespace
}  // namespace toile
