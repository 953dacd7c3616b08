// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/delaunay.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/random_rectangle.h"
#include "toile/mesh/topology.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace toile {
namespace {

double signed_area(const std::vector<Vec2>& points, const Triangle& t) {
    const Vec2 b = points[t[1]] - points[t[0]];
    const Vec2 c = points[t[2]] - points[t[0]];
    return 0.5 * (b.x() * c.y() - b.y() * c.x());
}

/// How deep the point lies inside the circumcircle, in radii; the slow obvious twin of in_circle.
double depth_in_circumcircle(const std::vector<Vec2>& points, const Triangle& t, const Vec2& p) {
    const Vec2 b = points[t[1]] - points[t[0]];
    const Vec2 c = points[t[2]] - points[t[0]];
    const double d = 4 * signed_area(points, t);
    const Vec2 center(c.y() * b.squaredNorm() - b.y() * c.squaredNorm(),
                      b.x() * c.squaredNorm() - c.x() * b.squaredNorm());
    const Vec2 from_corner = center / d;
    return 1 - (p - points[t[0]] - from_corner).norm() / from_corner.norm();
}

void expect_delaunay_tiling(const std::vector<Vec2>& points, const std::vector<Triangle>& triangles,
                            double area) {
    double sum = 0;
    for (const Triangle& t : triangles) {
        EXPECT_GT(signed_area(points, t), 0);
        sum += signed_area(points, t);
        for (const Vec2& p : points) EXPECT_LT(depth_in_circumcircle(points, t, p), 1e-6);
    }
    EXPECT_NEAR(sum / area, 1, 1e-12);
    const int n = static_cast<int>(points.size());
    EXPECT_EQ(n - build_edges(triangles, n).n_edges() + static_cast<int>(triangles.size()), 1);
}

TEST(Delaunay, NoPointLiesInAnyCircumcircle) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        SCOPED_TRACE(scale);
        std::mt19937_64 generator(7);
        std::uniform_real_distribution<double> uniform(0, 1);
        DelaunayRectangle delaunay(2 * scale, scale);
        for (int i = 0; i < 300; ++i) {
            delaunay.insert(scale * Vec2(2 * uniform(generator), uniform(generator)));
        }
        EXPECT_EQ(delaunay.points().size(), 304u);
        expect_delaunay_tiling(delaunay.points(), delaunay.triangles(), 2 * scale * scale);
    }
}

TEST(Delaunay, PointsOfAGridAreAllOnSidesAndCirclesAndStillTile) {
    DelaunayRectangle delaunay(1, 1);
    const int n = 8;  // a power of two: all products are exact, so points lie exactly on edges
    for (int j = n; j >= 0; --j) {
        for (int i = 0; i <= n; ++i) delaunay.insert({1.0 * i / n, 1.0 * j / n});
    }
    EXPECT_EQ(delaunay.points().size(), 81u);
    EXPECT_EQ(delaunay.triangles().size(), 128u);
    expect_delaunay_tiling(delaunay.points(), delaunay.triangles(), 1);
}

TEST(Delaunay, ARepeatedPointIsTheSameVertexAndAnOutsidePointIsRefused) {
    DelaunayRectangle delaunay(1, 1);
    EXPECT_EQ(delaunay.insert({0.5, 0.25}), 4);
    EXPECT_EQ(delaunay.insert({0.5, 0.25}), 4);
    EXPECT_EQ(delaunay.insert({1, 1}), 2);
    EXPECT_THROW(delaunay.insert({1.5, 0}), InvalidInput);
    EXPECT_THROW(delaunay.insert({0.5, std::nan("")}), InvalidInput);
    EXPECT_THROW(DelaunayRectangle(0, 1), InvalidInput);
}

TEST(RandomRectangle, IsADelaunayTilingWithGoodTrianglesAndAnEvenBorder) {
    const RandomRectangleOptions options{
        .width = 2, .length = 1, .width_divisions = 24, .length_divisions = 12};
    const TriangleMesh mesh = make_random_rectangle(options);
    EXPECT_EQ(mesh.n_vertices(), 25 * 13);
    EXPECT_EQ(mesh.n_triangles(), 2 * 24 * 12);
    expect_delaunay_tiling(mesh.uvs, mesh.triangles, 2);
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    const LengthStatistics lengths = edge_length_statistics(mesh.positions, topology.edges);
    EXPECT_GT(lengths.min, 0.5 / 12);
    EXPECT_LT(lengths.max, 2.5 / 12);
    EXPECT_EQ(boundary_loops(topology, mesh.n_vertices()).front().size(), 72u);
    for (const auto& [a, b] : topology.edges) {
        EXPECT_NEAR((mesh.uvs[a] - mesh.uvs[b]).norm(),
                    (mesh.positions[a] - mesh.positions[b]).norm(), 1e-14);
    }
}

TEST(RandomRectangle, ASeedGivesOneMeshAndAnotherSeedAnother) {
    const auto positions = [](std::uint64_t seed) {
        return make_random_rectangle({.seed = seed}).positions;
    };
    EXPECT_EQ(positions(3), positions(3));
    EXPECT_NE(positions(3), positions(4));
}

TEST(RandomRectangle, WorksFromOneCellToThousandsAndForOddSizes) {
    EXPECT_EQ(make_random_rectangle({.width_divisions = 1, .length_divisions = 1}).n_triangles(),
              2);
    EXPECT_EQ(make_random_rectangle({.width_divisions = 70, .length_divisions = 70}).n_triangles(),
              9800);
    for (const double width : {0.1, 1.1, 3.3e-3, 777.7}) {
        const TriangleMesh mesh = make_random_rectangle(
            {.width = width, .length = 0.3 * width, .width_divisions = 49, .length_divisions = 7});
        EXPECT_EQ(mesh.n_triangles(), 2 * 49 * 7);
        EXPECT_NEAR(total_area(mesh.positions, mesh.triangles) / (0.3 * width * width), 1, 1e-12);
    }
}

}  // namespace
}  // namespace toile
