// SPDX-License-Identifier: Apache-2.0
// What users of cloth simulators meet every day where cloth touches.
#include "small_scenes.h"
#include "toile/collision/aabb.h"
#include "toile/core/timer.h"
#include "toile/sim/crossing_check.h"
#include "toile/sim/world.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

using test::obstacle;
using test::rectangle;
using test::sphere;
using test::square_cloth;

/// Nothing crosses and no cloth is inside of a closed obstacle, as the run's files would hold it.
void expect_clean(const World& world) {
    std::vector<Vec3> as_kept;
    round_to_float(world.state().positions, as_kept);
    EXPECT_TRUE(find_crossings(world.checked_bodies(as_kept)).empty()) << world.frame();
    EXPECT_TRUE(find_inside_vertices(world.checked_bodies(as_kept)).empty()) << world.frame();
}

/// Runs so many frames, each of which must be there and clean; how many contacts they had.
long long run_clean(World& world, int frames) {
    long long n_contacts = 0;
    for (int f = 0; f < frames; ++f) {
        const FrameReport report = world.step();
        if (report.failure) ADD_FAILURE() << report.failure->message();
        if (report.failure) break;
        n_contacts += report.contacts;
        expect_clean(world);
    }
    return n_contacts;
}

/// Pairs of cloth vertices that no edge joins, nearer than `distance`.
int n_folded_pairs(const World& world, double distance) {
    const auto x = world.positions(0);
    const auto rest = world.mesh(0).positions;
    int n = 0;
    for (size_t v = 0; v < x.size(); ++v) {
        for (size_t w = v + 1; w < x.size(); ++w) {
            const bool far_at_rest = (rest[v] - rest[w]).norm() > 4 * distance;
            n += far_at_rest && (x[v] - x[w]).norm() < distance ? 1 : 0;
        }
    }
    return n;
}

TEST(DailyContact, ASheetThatCrumplesOnItsEdgeGoesNeitherThroughTheFloorNorItself) {
    Scene scene;
    scene.cloths = {square_cloth(0.4, 12, {0, 0.21, 0})};
    scene.cloths[0].rotation = {.axis = {0, 0, 1}, .degrees = 84};
    scene.cloths[0].fabric.thickness = 0.004;
    scene.obstacles = {obstacle("floor", rectangle(2, 2, 1)), obstacle("ball", sphere(0.08, 2))};
    scene.obstacles[1].translation = {0.1, 0.085, 0};
    World world(scene);
    EXPECT_GT(run_clean(world, 22), 1000);
    EXPECT_GT(n_folded_pairs(world, 0.025), 5) << "it lies on itself";
    for (const Vec3& x : world.positions(0)) EXPECT_GT(x.y(), 0);
}

constexpr double kLean = 25 * std::numbers::pi / 180;  // radians

/// How far a patch has slid on a held sheet that leans by 25 degrees, m.
double slid_on_a_layer(double coefficient) {
    Scene scene;
    const double angle = kLean;
    scene.settings.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
    scene.cloths = {square_cloth(0.6, 8, {0, 0, 0}), square_cloth(0.1, 3, {-0.1, 0.0021, 0.007})};
    for (ClothSetup& cloth : scene.cloths) cloth.fabric.thickness = 0.002;
    scene.cloths[1].name = "patch";
    PinSetup all;
    all.box = Box{{-1, -1, -1}, {1, 1, 1}};
    scene.cloths[0].pins = {all};
    scene.friction = {{.between = {scene.cloths[0].material}, .coefficient = coefficient}};
    World world(scene);
    const double start = world.positions(1)[0].x();
    run_clean(world, 8);
    return world.positions(1)[0].x() - start;
}

TEST(DailyContact, ALayerRubsOnTheLayerBelow) {
    const double t = 8 / 25.0, freely = 0.5 * 9.81 * std::sin(kLean) * t * t;
    EXPECT_GT(slid_on_a_layer(0), 0.8 * freely);
    EXPECT_LT(slid_on_a_layer(0), 1.2 * freely);
    EXPECT_LT(slid_on_a_layer(0.8), 0.02 * freely) << "tan 25 degrees is 0.47";
    EXPECT_LT(slid_on_a_layer(0.25), 0.7 * freely);
}

TEST(DailyContact, AFastStepCostsNoMemory) {
    constexpr long long kMost = 60'000'000;  // bytes; a candidate has 40
    for (const double speed : {30.0, 300.0}) {
        Scene scene = test::small_drape(1);
        scene.settings.gravity = Vec3::Zero();
        scene.cloths[0].velocity = {0, -speed, 0};
        const long long before = peak_memory_bytes();
        World world(scene);
        const WorldState start = world.state();
        const FrameReport report = world.step();
        EXPECT_LT(peak_memory_bytes() - before, kMost) << speed;
        if (report.failure) {
            EXPECT_TRUE(world.state() == start);
            EXPECT_FALSE(report.failure->message().empty());
        }
        expect_clean(world);
    }
}

TEST(DailyContact, AMaterialChangedInMidRunDoesNotJerk) {
    Scene scene;
    scene.cloths = {square_cloth(0.4, 8, {0, 0.5, 0})};
    PinSetup side;
    side.vertices = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    scene.cloths[0].pins = {side};
    scene.cloths[0].fabric = named_fabric("silk");
    World soft(scene);
    run_clean(soft, 50);
    for (const char* name : {"denim", "leather", "wool"}) {
        scene.cloths[0].fabric = named_fabric(name);
        World stiff(scene);
        stiff.set_state(soft.state());
        const std::vector<Vec3> before(soft.positions(0).begin(), soft.positions(0).end());
        double speed_before = 0;
        for (const Vec3& v : soft.velocities(0)) speed_before = std::max(speed_before, v.norm());
        run_clean(stiff, 1);
        const double frame = 1 / scene.settings.frame_rate;
        double farthest = 0;
        for (size_t v = 0; v < before.size(); ++v) {
            farthest = std::max(farthest, (stiff.positions(0)[v] - before[v]).norm());
        }
        EXPECT_LT(farthest, speed_before * frame + 0.5 * 9.81 * frame * frame) << name;
    }
}

TEST(DailyContact, AGarmentHasNoCrossingWithWhatItLiesOnNorItself) {
    Scene scene;
    scene.cloths = {square_cloth(1, 1, {0, 0, 0})};
    scene.cloths[0].shape = ShapeSpec{"t-shirt", {{"edge_length", 0.06}}};
    scene.cloths[0].fabric.thickness = 0.002;
    World alone(scene);
    Aabb box;
    for (const Vec3& x : alone.positions(0)) box.extend(x);
    // A ball and a floor for it to fall on.
    scene.obstacles = {obstacle("ball", sphere(0.07, 2)), obstacle("floor", rectangle(3, 3, 1))};
    const Vec3 middle = box.center();
    scene.obstacles[0].translation = {middle.x(), box.min.y() - 0.08, middle.z()};
    scene.obstacles[1].translation = {middle.x(), box.min.y() - 0.18, middle.z()};
    World world(scene);
    EXPECT_GT(run_clean(world, 14), 500);
}

}  // namespace
}  // namespace toile
