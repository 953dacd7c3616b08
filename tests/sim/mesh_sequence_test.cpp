// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/mesh_sequence.h"

#include "small_scenes.h"
#include "support/test_data.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/sim/crossing_check.h"
#include "toile/sim/world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace toile {
namespace {

using Frames = std::vector<std::vector<Vec3>>;

/// One vertex at x = 0, 1, 3, 2.
MeshSequence short_sequence(const std::string& interpolation) {
    const Frames frames = {{{0, 0, 0}}, {{1, 0, 0}}, {{3, 0, 0}}, {{2, 0, 0}}};
    return MeshSequence(frames,
                        {.path = "a", .rate = 10, .start = 1, .interpolation = interpolation});
}

double at(const MeshSequence& sequence, double time) {
    std::vector<Vec3> x(1);
    sequence.place(time, x);
    return x[0].x();
}

TEST(MeshSequence, IsEveryFrameExactlyAtItsTimeAndStandsStillOutside) {
    for (const char* interpolation : {"linear", "smooth"}) {
        const MeshSequence sequence = short_sequence(interpolation);
        EXPECT_EQ(at(sequence, 1.0), 0);
        EXPECT_EQ(at(sequence, 1.1), 1);
        EXPECT_EQ(at(sequence, 1 + 0.2), 3);
        EXPECT_EQ(at(sequence, 1.3), 2);
        EXPECT_EQ(at(sequence, 0), 0);
        EXPECT_EQ(at(sequence, 99), 2);
    }
}

TEST(MeshSequence, GoesStraightOrSmoothlyBetween) {
    EXPECT_NEAR(at(short_sequence("linear"), 1.125), 1.5, 1e-12);
    const MeshSequence smooth = short_sequence("smooth");
    const double h = 1e-6;
    for (const double time : {1.0, 1.1, 1.2, 1.3}) {
        const double before = (at(smooth, time) - at(smooth, time - h)) / h;
        const double after = (at(smooth, time + h) - at(smooth, time)) / h;
        EXPECT_NEAR(before, after, 1e-3) << time;
    }
    EXPECT_NEAR((at(smooth, 1.1 + h) - at(smooth, 1.1)) / h, 15, 1e-3) << "3 in two frames";
}

TEST(MeshSequence, RefusesNoFrameAndFramesOfOtherSizes) {
    EXPECT_THROW(MeshSequence({}, {}), InvalidInput);
    const Frames uneven = {std::vector<Vec3>(2), std::vector<Vec3>(3)};
    EXPECT_THROW(MeshSequence(uneven, {}), InvalidInput);
}

/// A ball that swells and shrinks, as numbered meshes.
std::vector<TriangleMesh> write_breathing_ball(const test::TemporaryFolder& folder) {
    std::vector<TriangleMesh> meshes;
    for (int f = 0; f < 6; ++f) {
        const double radius = 0.2 + 0.01 * (f < 3 ? f : 6 - f);
        meshes.push_back(make_shape("sphere", {{"radius", radius}, {"subdivisions", 2.0}}));
        write_mesh(folder / fmt::format("ball_{:04}.obj", f), meshes.back());
    }
    return meshes;
}

Vec3 mean(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : points) sum += x;
    return sum / static_cast<double>(points.size());
}

Scene breathing_scene(const test::TemporaryFolder& folder) {
    Scene scene = test::small_drape(10);
    scene.obstacles.resize(1);
    ObstacleSetup& ball = scene.obstacles[0];
    ball.shape.reset();
    ball.frames = {.path = folder / "ball_*.obj", .rate = 20, .start = 0.1};
    ball.translation = {0.01, 0, 0};
    return scene;
}

TEST(AnimatedObstacle, FollowsItsFramesInItsPlace) {
    const test::TemporaryFolder folder;
    const auto meshes = write_breathing_ball(folder);
    World world(breathing_scene(folder));
    EXPECT_EQ(world.obstacles()[0].sequence->n_frames(), 6);
    for (int f = 0; f < 5; ++f) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
    }
    // 0.2 s is the frame that begins 0.1 s after the first: number 2.
    for (int v = 0; v < meshes[2].n_vertices(); ++v) {
        const Vec3 expected = meshes[2].positions[v] + Vec3(0.01, 0, 0);
        EXPECT_LT((world.positions(1)[v] - expected).norm(), 1e-15);
    }
}

TEST(AnimatedObstacle, CanBePushedByVelocitiesAtTheSameTime) {
    const test::TemporaryFolder folder;
    const auto meshes = write_breathing_ball(folder);
    Scene scene = breathing_scene(folder);
    scene.obstacles[0].pieces = {{0, {0, -0.5, 0}}};
    World world(scene);
    for (int f = 0; f < 5; ++f) ASSERT_FALSE(world.step().failure);
    const Vec3 expected = meshes[2].positions[0] + Vec3(0.01, -0.1, 0);
    EXPECT_LT((world.positions(1)[0] - expected).norm(), 1e-14);
}

TEST(AnimatedObstacle, ADancerCarriesASheetWithoutACrossing) {
    TOILE_REQUIRE_TEST_DATA(folder, "transfer/seq-samba");
    Scene scene;
    scene.cloths = {test::square_cloth(0.5, 16, {0.38, 1.80, 0})};
    ObstacleSetup dancer;
    dancer.name = "dancer";
    dancer.frames = {.path = folder / "mesh_*.obj", .rate = 25};
    scene.obstacles = {dancer};
    World world(scene);
    size_t n_contacts = 0;
    for (int f = 1; f <= 14; ++f) {
        const FrameReport report = world.step();
        ASSERT_FALSE(report.failure) << report.failure->message();
        n_contacts += static_cast<size_t>(report.contacts);
        std::vector<Vec3> as_kept;
        round_to_float(world.state().positions, as_kept);
        EXPECT_TRUE(find_crossings(world.checked_bodies(as_kept)).empty()) << f;
        EXPECT_TRUE(find_inside_vertices(world.checked_bodies(as_kept)).empty()) << f;
    }
    EXPECT_GT(n_contacts, 1000u);
    const Vec3 middle = mean(world.positions(0));
    EXPECT_GT(middle.y(), 1.5) << "the head holds it, though it falls 1.5 m in this time";
}

TEST(AnimatedObstacle, WithoutFramesOrOfAnotherMeshIsRefusedWithItsName) {
    const test::TemporaryFolder folder;
    const Scene nothing_there = breathing_scene(folder);
    EXPECT_THROW(World{nothing_there}, Error);
    write_breathing_ball(folder);
    write_mesh(folder / "ball_0006.obj",
               make_shape("sphere", {{"radius", 0.2}, {"subdivisions", 1.0}}));
    try {
        const World world(breathing_scene(folder));
        ADD_FAILURE() << "was taken";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("'ball'"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace toile
