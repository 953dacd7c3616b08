// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/vertex_field.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace toile {
namespace {

TriangleMesh patch() {
    return make_rectangle({.width_divisions = 8, .length_divisions = 8});
}

std::vector<Vec3> mapped(const TriangleMesh& mesh, const Mat3& map) {
    std::vector<Vec3> positions;
    for (const Vec3& p : mesh.positions) positions.emplace_back(map * p + Vec3(3, 1, 2));
    return positions;
}

TEST(VertexField, TellsSpeedAndDisplacementInTheirUnits) {
    const std::vector<Vec3> a = {{0, 0, 0}, {1, 0, 0}};
    const std::vector<Vec3> b = {{0, 3, 4}, {1, 0, 0}};
    const VertexField speed = speed_field(a, b, 10);
    EXPECT_EQ(speed.values, (std::vector<double>{50, 0}));
    EXPECT_EQ(speed.unit, "m/s");
    EXPECT_EQ(speed.minimum, 0);
    EXPECT_EQ(speed.maximum, 50);
    const VertexField way = displacement_field(a, b);
    EXPECT_EQ(way.values, (std::vector<double>{5, 0}));
    EXPECT_EQ(way.unit, "m");
}

TEST(VertexField, RangesOverNumbersOnly) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const VertexField field = make_vertex_field({none, 3, none, 2}, "m");
    EXPECT_EQ(field.minimum, 2);
    EXPECT_EQ(field.maximum, 3);
    EXPECT_EQ(make_vertex_field({none}, "").maximum, 0);
    EXPECT_EQ(make_vertex_field({}, "").minimum, 0);
}

TEST(VertexField, OfStrainIsTheLargestStretchOfALinearMap) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        TriangleMesh mesh = patch();
        for (Vec3& p : mesh.positions) p *= scale;
        Mat3 stretch = Mat3::Identity();
        stretch(0, 0) = 1.3;
        stretch(2, 2) = 0.9;
        const Mat3 turned = rotation_about_axis(Vec3(1, 2, 3), 0.7) * stretch;
        const VertexField field =
            StrainField(mesh.positions, mesh.triangles).of(mapped(mesh, turned));
        ASSERT_EQ(field.values.size(), mesh.positions.size());
        for (const double value : field.values) EXPECT_NEAR(value, 0.3, 1e-9);
        EXPECT_NEAR(field.maximum, 0.3, 1e-9);
    }
}

TEST(VertexField, OfStrainVanishesUnderRigidMotionsAndIsNegativeUnderASqueeze) {
    const TriangleMesh mesh = patch();
    const StrainField strain(mesh.positions, mesh.triangles);
    const VertexField still = strain.of(mapped(mesh, rotation_about_axis(Vec3(3, 1, 2), 2.5)));
    for (const double value : still.values) EXPECT_NEAR(value, 0, 1e-12);
    for (const double value : strain.of(mapped(mesh, 0.8 * Mat3::Identity())).values) {
        EXPECT_NEAR(value, -0.2, 1e-12);
    }
}

TEST(VertexField, OfTrianglesIsTheirMeanByArea) {
    const std::vector<Vec3> rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-3, 0, 0}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
    const VertexField field =
        StrainField(rest, triangles).of_triangles(std::vector<double>{0.4, 0.8});
    EXPECT_NEAR(field.values[0], 0.7, 1e-15);
    EXPECT_NEAR(field.values[1], 0.4, 1e-15);
    EXPECT_NEAR(field.values[3], 0.8, 1e-15);
}

TEST(VertexField, OfStrainCopesWithEveryMeshOfTheBattery) {
    for (const test::BatteryMesh& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const TriangleMesh& mesh = battery.mesh;
        const VertexField field =
            StrainField(mesh.positions, mesh.triangles).of(mapped(mesh, Mat3::Identity()));
        EXPECT_EQ(field.values.size(), mesh.positions.size());
        for (const double value : field.values) {
            EXPECT_TRUE(std::isnan(value) || std::abs(value) < 1e-12);
        }
    }
    const StrainField flat({}, {});
    EXPECT_TRUE(flat.of({}).values.empty());
}

TEST(VertexField, OfStrainIsTheSameOnAnyNumberOfThreads) {
    const TriangleMesh mesh = make_rectangle({.width_divisions = 60, .length_divisions = 60});
    const StrainField strain(mesh.positions, mesh.triangles);
    std::vector<Vec3> bent = mesh.positions;
    for (Vec3& p : bent) p.y() += 0.2 * std::sin(9 * p.x());
    std::vector<std::vector<double>> results;
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        results.push_back(strain.of(bent).values);
    }
    EXPECT_EQ(results[0], results[1]);
}

TEST(VertexField, RefusesFramesThatDoNotFit) {
    const std::vector<Vec3> two(2, Vec3::Zero()), three(3, Vec3::Zero());
    EXPECT_THROW((void)speed_field(two, three, 1), InvalidInput);
    EXPECT_THROW((void)speed_field(two, two, 0), InvalidInput);
    EXPECT_THROW((void)displacement_field(two, three), InvalidInput);
    const TriangleMesh mesh = patch();
    const StrainField strain(mesh.positions, mesh.triangles);
    EXPECT_THROW((void)strain.of(two), InvalidInput);
    EXPECT_THROW((void)strain.of_triangles(std::vector<double>(3)), InvalidInput);
    EXPECT_THROW(StrainField(two, mesh.triangles), InvalidInput);
}

}  // namespace
}  // namespace toile
