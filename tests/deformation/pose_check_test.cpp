// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/pose_check.h"

#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace toile {
namespace {

struct Ball {
    TriangleMesh mesh = make_sphere({.subdivisions = 4});
    std::vector<Edge> edges = build_edges(mesh.triangles, mesh.n_vertices()).edges;
};

TEST(PoseCheck, TakesAnyMotionScaleAndPlaceOfTheWhole) {
    const Ball ball;
    for (const double scale : {1e-3, 1.0, 1e3}) {
        std::vector<Vec3> pose = ball.mesh.positions;
        transform_points({.rotation = rotation_about_axis(Vec3(1, 1, 0), 3),
                          .translation = Vec3(100, 0, 0),
                          .scale = scale},
                         pose);
        const PoseCheck check = check_pose(ball.edges, ball.mesh.positions, pose);
        EXPECT_EQ(check.n_stretched, 0);
        EXPECT_EQ(check.n_edges, static_cast<int>(ball.edges.size()));
        EXPECT_TRUE(check.belongs());
    }
}

TEST(PoseCheck, FindsVerticesInAnotherOrder) {
    const Ball ball;
    std::vector<Vec3> pose = ball.mesh.positions;
    std::mt19937 random(1);
    for (size_t i = pose.size() - 1; i > 0; --i) std::swap(pose[i], pose[random() % (i + 1)]);
    const PoseCheck check = check_pose(ball.edges, ball.mesh.positions, pose);
    EXPECT_GT(check.share(), 0.5);
    EXPECT_FALSE(check.belongs());
    EXPECT_EQ(check.worst.size(), 10u);
}

TEST(PoseCheck, NamesTheEdgesOfTwoVerticesThatChangedPlaces) {
    const Ball ball;
    const auto& p = ball.mesh.positions;
    const auto by_y = [](const Vec3& a, const Vec3& b) { return a.y() < b.y(); };
    const int low = static_cast<int>(std::min_element(p.begin(), p.end(), by_y) - p.begin());
    const int high = static_cast<int>(std::max_element(p.begin(), p.end(), by_y) - p.begin());
    std::vector<Vec3> pose = p;
    std::swap(pose[static_cast<size_t>(low)], pose[static_cast<size_t>(high)]);
    const PoseCheck check = check_pose(ball.edges, p, pose);
    EXPECT_GT(check.n_leaps, 8);
    EXPECT_FALSE(check.belongs());
    for (const EdgeStretch& worst : check.worst) {
        EXPECT_TRUE(worst.edge[0] == low || worst.edge[1] == low || worst.edge[0] == high ||
                    worst.edge[1] == high);
        EXPECT_GT(worst.ratio, 10);
    }
}

TEST(PoseCheck, TakesPointsThatPartALittle) {
    const std::vector<Vec3> rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    std::vector<Vec3> pose = rest;
    pose[3].z() += 1e-7;
    const std::vector<Edge> edges = {{0, 1}, {0, 3}, {1, 2}};
    EXPECT_EQ(check_pose(edges, rest, pose).n_stretched, 0);
}

TEST(PoseCheck, TakesNothingAndOnePoint) {
    EXPECT_TRUE(check_pose({}, {}, {}).belongs());
    const std::vector<Vec3> point = {{1, 2, 3}, {1, 2, 3}};
    const std::vector<Edge> edge = {{0, 1}};
    EXPECT_TRUE(check_pose(edge, point, point).belongs());
}

}  // namespace
}  // namespace toile
