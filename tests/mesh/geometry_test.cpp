// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/geometry.h"

#include "support/mesh_battery.h"
#include "toile/mesh/shapes/sphere.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace toile {
namespace {

constexpr double kScales[] = {1e-3, 1, 1e3};

TEST(Geometry, SphereAreaVolumeAndNormalsApproachTheExactOnes) {
    for (const double radius : kScales) {
        SCOPED_TRACE(radius);
        const TriangleMesh mesh = make_sphere({.radius = radius, .subdivisions = 4});
        const double area = 4 * std::numbers::pi * radius * radius;
        EXPECT_NEAR(total_area(mesh.positions, mesh.triangles) / area, 1, 4e-3);
        EXPECT_NEAR(enclosed_volume(mesh.positions, mesh.triangles) / (area * radius / 3), 1, 6e-3);
        const auto normals = vertex_normals(mesh.positions, mesh.triangles);
        for (int v = 0; v < mesh.n_vertices(); ++v) {
            EXPECT_GT(normals[v].dot(mesh.positions[v]), 0.999 * radius);
        }
    }
}

TEST(Geometry, VolumeDoesNotDependOnWhereTheSurfaceStands) {
    TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 2});
    const double volume = enclosed_volume(mesh.positions, mesh.triangles);
    for (Vec3& p : mesh.positions) p += Vec3(1e6, -1e6, 1e6);
    EXPECT_NEAR(enclosed_volume(mesh.positions, mesh.triangles), volume, 1e-8);
}

TEST(Geometry, NormalsOfTheBatteryAreUnitOrZeroAndFinite) {
    for (const auto& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        for (const Vec3& n : triangle_normals(battery.mesh.positions, battery.mesh.triangles)) {
            EXPECT_TRUE(n.isZero(0) || std::abs(n.norm() - 1) < 1e-14);
        }
        for (const Vec3& n : vertex_normals(battery.mesh.positions, battery.mesh.triangles)) {
            EXPECT_TRUE(n.isZero(0) || std::abs(n.norm() - 1) < 1e-14);
        }
    }
}

TEST(Geometry, NormalFollowsTheRightHandRule) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
    const std::vector<Triangle> triangles = {{0, 1, 2}};
    EXPECT_EQ(triangle_normals(positions, triangles)[0], Vec3(0, 0, 1));
    EXPECT_DOUBLE_EQ(triangle_areas(positions, triangles)[0], 3);
}

TEST(Geometry, BoundingBoxLeavesOutWhatIsNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3> positions = {{0, 1, 2}, {3, 5, 2}, {nan, 100, 0}};
    const BoundingBox box = bounding_box(positions);
    EXPECT_EQ(box.min, Vec3(0, 1, 2));
    EXPECT_EQ(box.max, Vec3(3, 5, 2));
    EXPECT_DOUBLE_EQ(box.diagonal(), 5);
    EXPECT_TRUE(bounding_box({}).empty());
    EXPECT_EQ(bounding_box({}).diagonal(), 0);
}

TEST(Geometry, EdgeLengthsHaveMinimumMeanAndMaximum) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
    const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}};
    const LengthStatistics statistics = edge_length_statistics(positions, edges);
    EXPECT_DOUBLE_EQ(statistics.min, 3);
    EXPECT_DOUBLE_EQ(statistics.mean, 4);
    EXPECT_DOUBLE_EQ(statistics.max, 5);
    EXPECT_EQ(edge_length_statistics({}, {}).max, 0);
}

}  // namespace
}  // namespace toile
