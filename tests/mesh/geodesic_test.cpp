// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/geodesic.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace toile {
namespace {

constexpr double kAll = std::numeric_limits<double>::infinity();

GeodesicDistances distances(const TriangleMesh& mesh, const std::vector<int>& sources,
                            double radius) {
    return SurfaceDistance(mesh.triangles, mesh.n_vertices())
        .within(mesh.positions, sources, radius);
}

// A square whose inner vertices are shaken until some triangles are very obtuse.
TriangleMesh shaken_square(double size) {
    const int n = 20;
    TriangleMesh mesh = make_rectangle({.width = size,
                                        .length = size,
                                        .width_divisions = n,
                                        .length_divisions = n,
                                        .plane = Plane::Upright});
    std::mt19937 random(4);
    std::uniform_real_distribution<double> shake(-0.24 * size / n, 0.24 * size / n);
    for (int v = 0; v < mesh.n_vertices(); ++v) {
        const int i = v % (n + 1);
        const int j = v / (n + 1);
        if (i == 0 || i == n || j == 0 || j == n) continue;
        mesh.positions[static_cast<size_t>(v)] += Vec3(shake(random), shake(random), 0);
    }
    return mesh;
}

// The same rule without any order: all triangles again and again until nothing gets shorter.
std::vector<double> swept_distances(const TriangleMesh& mesh, int source) {
    std::vector<double> known(mesh.positions.size(), kAll);
    known[static_cast<size_t>(source)] = 0;
    const auto at = [&](int v) -> double& { return known[static_cast<size_t>(v)]; };
    const auto point = [&](int v) { return mesh.positions[static_cast<size_t>(v)]; };
    for (bool changed = true; changed;) {
        changed = false;
        for (const Triangle& t : mesh.triangles) {
            for (int corner = 0; corner < 3; ++corner) {
                const int a = t[static_cast<size_t>(corner)];
                const int b = t[static_cast<size_t>((corner + 1) % 3)];
                const int c = t[static_cast<size_t>((corner + 2) % 3)];
                if (a == b || b == c || a == c) continue;
                const double best = std::min(
                    {at(a) + (point(a) - point(c)).norm(), at(b) + (point(b) - point(c)).norm(),
                     detail::distance_through(point(a), point(b), point(c), at(a), at(b))});
                if (best < at(c) * (1 - 1e-12)) {
                    at(c) = best;
                    changed = true;
                }
            }
        }
    }
    return known;
}

TEST(SurfaceDistance, IsExactInAPlaneAlsoOverObtuseTriangles) {
    for (const double size : {1e-3, 1.0, 1e3}) {
        const TriangleMesh mesh = shaken_square(size);
        for (const int source : {0, 10, 217, 440}) {
            const GeodesicDistances found = distances(mesh, {source}, kAll);
            ASSERT_EQ(found.vertices.size(), mesh.positions.size());
            const Vec3 from = mesh.positions[static_cast<size_t>(source)];
            for (size_t v = 0; v < mesh.positions.size(); ++v) {
                EXPECT_NEAR(found.distances[v], (mesh.positions[v] - from).norm(), 1e-12 * size)
                    << "vertex " << v << " from " << source;
            }
        }
    }
}

TEST(SurfaceDistance, ComesNearTheGreatCircleOnABallAndNearerOnAFinerOne) {
    double before = kAll;
    for (const int subdivisions : {3, 4, 5}) {
        const TriangleMesh mesh = make_sphere({.radius = 2, .subdivisions = subdivisions});
        const GeodesicDistances found = distances(mesh, {0}, kAll);
        double worst = 0;
        for (size_t v = 1; v < mesh.positions.size(); ++v) {
            const double angle =
                std::acos(std::clamp(mesh.positions[v].dot(mesh.positions[0]) / 4, -1.0, 1.0));
            worst = std::max(worst, std::abs(found.distances[v] - 2 * angle) / (2 * angle));
        }
        EXPECT_LT(worst, 0.03);
        EXPECT_LT(worst, before);
        before = worst;
    }
}

TEST(SurfaceDistance, AgreesWithSweepingAllTrianglesUntilNothingChanges) {
    TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 3});
    for (Vec3& p : mesh.positions) p.y() += 0.4 * std::sin(5 * p.x());
    const std::vector<double> twin = swept_distances(mesh, 17);
    const GeodesicDistances found = distances(mesh, {17}, kAll);
    ASSERT_EQ(found.vertices.size(), mesh.positions.size());
    for (size_t v = 0; v < twin.size(); ++v) EXPECT_NEAR(found.distances[v], twin[v], 1e-9);
}

TEST(SurfaceDistance, StopsAtTheRadiusAndAgreesWithTheWholeWithinIt) {
    const TriangleMesh mesh = shaken_square(1);
    const GeodesicDistances whole = distances(mesh, {217}, kAll);
    const GeodesicDistances part = distances(mesh, {217}, 0.3);
    size_t expected = 0;
    for (const double distance : whole.distances) expected += distance <= 0.3 ? 1 : 0;
    ASSERT_EQ(part.vertices.size(), expected);
    EXPECT_GT(expected, 50u);
    for (size_t k = 0; k < part.vertices.size(); ++k) {
        EXPECT_NEAR(part.distances[k], whole.distances[static_cast<size_t>(part.vertices[k])],
                    1e-12);
    }
}

TEST(SurfaceDistance, OfSeveralSourcesIsThatOfTheNearest) {
    const TriangleMesh mesh = shaken_square(1);
    const GeodesicDistances found = distances(mesh, {0, 440, 0}, kAll);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        const double nearest = std::min((mesh.positions[v] - mesh.positions[0]).norm(),
                                        (mesh.positions[v] - mesh.positions[440]).norm());
        // Between the two fronts a triangle may see both at once.
        EXPECT_NEAR(found.distances[v], nearest, 0.03);
    }
}

TEST(SurfaceDistance, NeverLeavesAComponentAndNeverExceedsTheWayAlongEdges) {
    for (const test::BatteryMesh& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const TriangleMesh& mesh = battery.mesh;
        if (mesh.positions.empty()) {
            EXPECT_TRUE(distances(mesh, {}, kAll).vertices.empty());
            continue;
        }
        const std::vector<int> components = vertex_components(mesh.triangles, mesh.n_vertices());
        const GeodesicDistances found = distances(mesh, {0}, kAll);
        EXPECT_EQ(static_cast<long>(found.vertices.size()),
                  std::count(components.begin(), components.end(), components[0]));
        std::vector<double> all(mesh.positions.size(), kAll);
        for (size_t k = 0; k < found.vertices.size(); ++k) {
            all[static_cast<size_t>(found.vertices[k])] = found.distances[k];
        }
        for (const auto& [a, b] : build_edges(mesh.triangles, mesh.n_vertices()).edges) {
            const double length =
                (mesh.positions[static_cast<size_t>(a)] - mesh.positions[static_cast<size_t>(b)])
                    .norm();
            if (!std::isfinite(all[static_cast<size_t>(a)])) continue;
            EXPECT_LE(std::abs(all[static_cast<size_t>(a)] - all[static_cast<size_t>(b)]),
                      length * (1 + 1e-9));
        }
    }
}

TEST(SurfaceDistance, RefusesWhatIsNoVertexAndNoRadius) {
    const TriangleMesh mesh = make_sphere({.subdivisions = 1});
    EXPECT_THROW((void)distances(mesh, {-1}, 1), InvalidInput);
    EXPECT_THROW((void)distances(mesh, {mesh.n_vertices()}, 1), InvalidInput);
    EXPECT_THROW((void)distances(mesh, {0}, -1), InvalidInput);
    EXPECT_THROW((void)distances(mesh, {0}, std::nan("")), InvalidInput);
    const SurfaceDistance surface(mesh.triangles, mesh.n_vertices());
    EXPECT_THROW((void)surface.within({}, std::vector<int>{0}, 1), InvalidInput);
    EXPECT_EQ(distances(mesh, {5}, 0).vertices, std::vector<int>{5});
    EXPECT_THROW(SurfaceDistance(mesh.triangles, 3), InvalidInput);
    for (const double broken : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        std::vector<Vec3> positions = mesh.positions;
        positions[7].z() = broken;
        EXPECT_THROW((void)surface.within(positions, std::vector<int>{0}, 1), InvalidInput);
    }
}

}  // namespace
}  // namespace toile
