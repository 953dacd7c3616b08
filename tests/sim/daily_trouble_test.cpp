// SPDX-License-Identifier: Apache-2.0
// What users of cloth simulators meet every day.
#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/io/mesh_file.h"
#include "toile/sim/scene_check.h"
#include "toile/sim/world.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <malloc.h>

namespace toile {
namespace {

using test::obstacle;
using test::rectangle;
using test::small_drape;
using test::sphere;
using test::square_cloth;
using test::TemporaryFolder;

void step(World& world, int frames) {
    for (int f = 0; f < frames; ++f) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
    }
}

bool all_finite(const World& world) {
    return std::ranges::all_of(world.state().positions,
                               [](const Vec3& x) { return x.allFinite(); });
}

TEST(DailyTrouble, ABodyFarAwayChangesNoBit) {
    Scene scene = small_drape(6);
    World alone(scene);
    ObstacleSetup far = obstacle("moon", sphere(50, 2));
    far.translation = {300, 900, -700};
    far.keyframes = {{.time = 0}, {.time = 1, .translation = {50, 0, 0}}};
    scene.obstacles.push_back(far);
    World with_moon(scene);
    for (int f = 0; f < 6; ++f) {
        step(alone, 1);
        step(with_moon, 1);
        ASSERT_TRUE(std::ranges::equal(alone.positions(0), with_moon.positions(0))) << f;
    }
}

TEST(DailyTrouble, AClothThatFallsFarAwayChangesNoBit) {
    Scene scene = small_drape(6);
    World alone(scene);
    ClothSetup far = square_cloth(0.3, 3, {300, -200, 100});
    far.name = "leaf";
    far.velocity = {20, -3, 7};
    scene.cloths.push_back(far);
    World with_leaf(scene);
    for (int f = 0; f < 6; ++f) {
        step(alone, 1);
        step(with_leaf, 1);
        ASSERT_TRUE(std::ranges::equal(alone.positions(0), with_leaf.positions(0))) << f;
    }
}

TEST(DailyTrouble, TheSameSceneTwiceGivesTheSameBits) {
    World once(small_drape(6));
    World twice(small_drape(6));
    step(once, 6);
    step(twice, 6);
    EXPECT_EQ(once.state(), twice.state());
}

TEST(DailyTrouble, PinsOnAUvSeamHold) {
    Scene scene;
    ClothSetup shirt = square_cloth(1, 1, {0, 1, 0});
    shirt.shape = ShapeSpec{"t-shirt", {{"edge_length", 0.08}}};
    PinSetup shoulders;
    shoulders.box = Box{{-0.3, 1.25, -1}, {0.3, 2, 1}};
    shirt.pins = {shoulders};
    scene.cloths = {shirt};
    World world(scene);
    const auto pins = world.cloths()[0].pins[0].vertices();
    ASSERT_GE(pins.size(), 4u);
    const TriangleMesh& mesh = world.mesh(0);
    ASSERT_GT(mesh.uvs.size(), mesh.positions.size()) << "seam vertices have a UV in each layer";
    const std::vector<Vec3> start(world.positions(0).begin(), world.positions(0).end());
    step(world, 3);
    for (const int v : pins) EXPECT_EQ(world.positions(0)[v], start[v]);
    EXPECT_TRUE(all_finite(world));
}

TEST(DailyTrouble, APinnedCornerDoesNotSpinTheCloth) {
    Scene scene;
    scene.solver.tolerance = 1e-9;
    scene.cloths = {square_cloth(0.5, 8, {0, 1, 0})};
    PinSetup corner;
    corner.vertices = {0};
    scene.cloths[0].pins = {corner};
    World world(scene);
    const auto masses = world.cloths()[0].cloth.masses();
    const Vec3 at = world.positions(0)[0];
    for (int f = 0; f < 20; ++f) {
        step(world, 1);
        double spin = 0;
        double motion = 0;
        for (size_t v = 0; v < masses.size(); ++v) {
            const Vec3 r = world.positions(0)[v] - at;
            spin += masses[v] * r.cross(world.velocities(0)[v]).y();
            motion += masses[v] * r.norm() * world.velocities(0)[v].norm();
        }
        EXPECT_LT(std::abs(spin), 1e-5 * motion) << f;
    }
}

TEST(DailyTrouble, CoincidentUvsAndAnOpenNonManifoldMeshRun) {
    // Three sheets that meet in one edge, a fourth triangle turned over, and UVs all in one point.
    const TemporaryFolder folder;
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0},      {0.1, 0, 0},     {0, 0, 0.1},
                      {0, 0.1, 0.05}, {0, -0.1, 0.05}, {0.1, 0, 0.1}};
    mesh.triangles = {{0, 2, 1}, {0, 2, 3}, {0, 2, 4}, {1, 2, 5}};
    mesh.uvs.assign(1, Vec2(0.5, 0.5));
    mesh.uv_triangles.assign(4, Triangle{0, 0, 0});
    write_mesh(folder / "fin.obj", mesh);
    Scene scene;
    scene.cloths = {square_cloth(1, 1, {0, 0.5, 0})};
    scene.cloths[0].shape.reset();
    scene.cloths[0].mesh = folder / "fin.obj";
    scene.cloths[0].fabric.thickness = 0.002;
    scene.obstacles = {obstacle("floor", rectangle(2, 2, 1))};
    World world(scene);
    step(world, 12);
    EXPECT_TRUE(all_finite(world));
}

TEST(DailyTrouble, AfterExtremeWindTheClothGoesOn) {
    Scene storm = small_drape(4);
    storm.solver.max_halvings = 3;
    storm.air.wind = {1e7, 3e6, 0};
    storm.air.air_drag = 1;
    PinSetup corners;
    corners.vertices = {0, 20};
    storm.cloths[0].pins = {corners};
    World in_storm(storm);
    const FrameReport report = in_storm.step();
    EXPECT_TRUE(all_finite(in_storm));
    ASSERT_TRUE(report.failure) << "no step is small enough for it";
    EXPECT_FALSE(report.failure->message().empty());
    Scene calm = small_drape(4);
    World in_calm(calm);
    WorldState state = in_storm.state();
    state.control = {};
    in_calm.set_state(state);
    step(in_calm, 1);
    EXPECT_TRUE(all_finite(in_calm));
}

TEST(DailyTrouble, StepsKeepNoMemory) {
    const ThreadLimit one(1);
    World world(small_drape(10));
    step(world, 4);
    const WorldState snapshot = world.state();
    std::vector<size_t> in_use;
    for (int round = 0; round < 4; ++round) {
        world.set_state(snapshot);
        step(world, 3);
        in_use.push_back(mallinfo2().uordblks);
    }
    constexpr size_t kOfTheAllocator = 4096;  // bytes that it may keep for itself
    EXPECT_LE(in_use[3], in_use[1] + kOfTheAllocator);
}

std::string warnings_of(const Scene& scene) {
    std::string text;
    for (const Finding& finding : check_scene(scene).findings) text += finding.text + '\n';
    return text;
}

TEST(DailyTrouble, PinsThatPullTheClothApartAreFoundBefore) {
    Scene scene;
    scene.settings.frames = 50;
    scene.cloths = {square_cloth(0.5, 4, {0, 1, 0})};
    PinSetup left, right;
    left.vertices = {0};
    right.vertices = {4};
    right.keyframes = {{.time = 0}, {.time = 1, .translation = {0, 0, 0.04}}};
    scene.cloths[0].pins = {left, right};
    EXPECT_EQ(warnings_of(scene), "");
    right.velocity = {0.3, 0, 0.3};
    scene.cloths[0].pins = {left, right};
    const std::string text = warnings_of(scene);
    EXPECT_NE(text.find("pinned vertices 0 and 4"), std::string::npos) << text;
    EXPECT_NE(text.find("at 2 s"), std::string::npos) << text;
}

TEST(DailyTrouble, PinsLedThroughAnObstacleAreFoundBefore) {
    Scene scene;
    scene.settings.frames = 50;
    scene.cloths = {square_cloth(0.5, 4, {0, 1, 0})};
    scene.obstacles = {obstacle("wall", rectangle(2, 2, 1))};
    PinSetup side;
    side.vertices = {0, 1, 2, 3, 4};
    side.velocity = {0, -0.4, 0};
    side.end = 2;
    scene.cloths[0].pins = {side};
    EXPECT_EQ(warnings_of(scene), "") << "it ends at 0.2 m";
    scene.cloths[0].pins[0].velocity = {0, -0.6, 0};
    const std::string text = warnings_of(scene);
    EXPECT_NE(text.find("obstacle 'wall' are led through each other at 1.6"), std::string::npos)
        << text;
    // The wall comes to the pins as well.
    scene.cloths[0].pins[0].velocity = {0, 0, 0};
    scene.obstacles[0].pieces = {{0.5, {0, 0.8, 0}}};
    EXPECT_NE(warnings_of(scene).find("at 1.7"), std::string::npos) << warnings_of(scene);
}

}  // namespace
}  // namespace toile
