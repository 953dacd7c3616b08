// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/intersection.h"

#include "collision/integer_hull.h"
#include "collision/random_geometry.h"
#include "toile/collision/triangle_pair.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

struct Surface {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
};

Surface cube(double half) {
    Surface s;
    for (int i = 0; i < 8; ++i) {
        s.positions.push_back(half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return s;
}

Surface octahedron() {
    return {
        {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
        {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// A square grid of n × n cells in the xz plane, each of two triangles.
Surface sheet(int n, const std::function<Vec3(double, double)>& place) {
    Surface s;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            s.positions.push_back(place(static_cast<double>(i) / n, static_cast<double>(j) / n));
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const int v = j * (n + 1) + i;
            s.triangles.push_back({v, v + 1, v + n + 1});
            s.triangles.push_back({v + 1, v + n + 2, v + n + 1});
        }
    }
    return s;
}

std::array<IntegerPoint, 6> integers(const std::array<Vec3, 6>& x) {
    std::array<IntegerPoint, 6> n;
    for (size_t i = 0; i < 6; ++i) n[i] = integer_point(x[i]);
    return n;
}

bool has_area(const IntegerPoint& a, const IntegerPoint& b, const IntegerPoint& c) {
    return !is_zero(cross(b - a, c - a));
}

TEST(TrianglesIntersect, AgreesWithHullsOfIntegers) {
    RandomGeometry random(1);
    int n_meeting = 0;
    for (int i = 0; i < 20000; ++i) {
        std::array<Vec3, 6> x;
        for (Vec3& p : x) p = random.lattice_point(1 + i % 4);
        if (i % 5 == 0) {
            for (Vec3& p : x) p.y() = 1;
        }
        const auto n = integers(x);
        const bool meet = hulls_meet({n[0], n[1], n[2]}, {n[3], n[4], n[5]});
        n_meeting += meet;
        ASSERT_EQ(triangles_intersect({x[0], x[1], x[2]}, {x[3], x[4], x[5]}), meet) << i;
        ASSERT_EQ(triangles_intersect({x[4], x[3], x[5]}, {x[2], x[0], x[1]}), meet) << i;
    }
    EXPECT_GT(n_meeting, 4000);
    EXPECT_LT(n_meeting, 18000);
}

/// With the common vertex in the origin: whether the cones over the opposite sides share a ray.
TEST(TrianglesCross, BeyondACommonVertexAgreesWithConesOfIntegers) {
    RandomGeometry random(2);
    const IntegerPoint zero{0, 0, 0};
    int n_crossing = 0;
    int n_tested = 0;
    for (int i = 0; i < 30000; ++i) {
        std::vector<Vec3> x(5, Vec3::Zero());
        for (size_t k = 1; k < 5; ++k) x[k] = random.lattice_point(1 + i % 3);
        const IntegerPoint a1 = integer_point(x[1]), a2 = integer_point(x[2]);
        const IntegerPoint b1 = integer_point(x[3]), b2 = integer_point(x[4]);
        if (!has_area(zero, a1, a2) || !has_area(zero, b1, b2)) continue;
        const bool cross = origin_in_hull({a1, a2, zero - b1, zero - b2});
        ++n_tested;
        n_crossing += cross;
        ASSERT_EQ(triangles_cross(x, {1, 0, 2}, {3, 4, 0}), cross) << i;
    }
    EXPECT_GT(n_crossing, n_tested / 10);
    EXPECT_LT(n_crossing, n_tested * 9 / 10);
}

TEST(TrianglesCross, BeyondACommonEdgeOnlyWhenFoldedFlat) {
    RandomGeometry random(3);
    int n_crossing = 0;
    for (int i = 0; i < 30000; ++i) {
        std::vector<Vec3> x;
        for (int k = 0; k < 4; ++k) x.push_back(random.lattice_point(1 + i % 2));
        std::array<IntegerPoint, 4> n;
        for (size_t k = 0; k < 4; ++k) n[k] = integer_point(x[k]);
        if (!has_area(n[0], n[1], n[2]) || !has_area(n[0], n[1], n[3])) continue;
        const IntegerPoint normal_a = cross(n[1] - n[0], n[2] - n[0]);
        const IntegerPoint normal_b = cross(n[1] - n[0], n[3] - n[0]);
        const bool flat = is_zero(cross(normal_a, normal_b)) && dot(normal_a, normal_b) > 0;
        n_crossing += flat;
        ASSERT_EQ(triangles_cross(x, {0, 1, 2}, {1, 3, 0}), flat) << i;
    }
    EXPECT_GT(n_crossing, 100);
}

TEST(TrianglesCross, DefinesTrianglesWithoutArea) {
    const std::vector<Vec3> x = {{0, 0, 0},  {1, 0, 0}, {2, 0, 0}, {0, 1, 0},
                                 {-1, 0, 0}, {0, 0, 0}, {3, 0, 0}, {0, 0, 1}};
    // Collapsed onto the edge of the other: nothing beyond the edge.
    EXPECT_FALSE(triangles_cross(x, {0, 2, 1}, {0, 2, 3}));
    // Collapsed onto a line that runs along the other's side, and against it.
    EXPECT_TRUE(triangles_cross(x, {0, 1, 2}, {0, 6, 3}));
    EXPECT_FALSE(triangles_cross(x, {0, 4, 4}, {0, 1, 3}));
    // Two collapsed ones with a common edge, on one side and on both.
    EXPECT_TRUE(triangles_cross(x, {0, 1, 2}, {0, 1, 6}));
    EXPECT_FALSE(triangles_cross(x, {0, 1, 4}, {0, 1, 6}));
    // A vertex named twice, and a point.
    EXPECT_FALSE(triangles_cross(x, {0, 0, 7}, {0, 1, 3}));
    EXPECT_TRUE(triangles_cross(x, {0, 0, 2}, {0, 1, 3}));
    EXPECT_FALSE(triangles_cross(x, {0, 0, 0}, {0, 1, 3}));
    // The same triangle twice, with area and without.
    EXPECT_TRUE(triangles_cross(x, {0, 1, 3}, {1, 3, 0}));
    EXPECT_FALSE(triangles_cross(x, {0, 1, 2}, {1, 2, 0}));
    // Other vertices at the same place touch.
    EXPECT_TRUE(triangles_cross(x, {0, 1, 3}, {5, 4, 7}));
}

TEST(SelfCrossings, OfACleanSheetAreNone) {
    const Surface flat = sheet(20, [](double u, double v) { return Vec3(u, 0.25, v); });
    EXPECT_TRUE(self_crossings(flat.positions, flat.triangles).empty());
    const Surface tilted = sheet(20, [](double u, double v) {
        return Vec3(0.6 * u + 0.1 * v, 0.3 * u - 0.7 * v, 0.2 * v + 0.33 * u);
    });
    EXPECT_TRUE(self_crossings(tilted.positions, tilted.triangles).empty());
}

TEST(SelfCrossings, OfARolledSheetAreWhatBruteForceFinds) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const Surface roll = sheet(24, [&](double u, double v) {
            const double angle = 7 * u;
            return Vec3(scale * (1 + 0.1 * std::sin(9 * v + 5 * u)) * std::cos(angle),
                        scale * std::sin(angle), scale * v);
        });
        const auto found = self_crossings(roll.positions, roll.triangles);
        EXPECT_GT(found.size(), 20u);
        EXPECT_EQ(found, brute_force::self_crossings(roll.positions, roll.triangles));
    }
}

TEST(SelfCrossings, AreTheSameOnAnyNumberOfThreads) {
    RandomGeometry random(4);
    Surface soup;
    for (int v = 0; v < 300; ++v) soup.positions.push_back(random.lattice_point(9));
    for (int t = 0; t < 400; ++t) {
        soup.triangles.push_back(
            {random.integer(0, 299), random.integer(0, 299), random.integer(0, 299)});
    }
    const auto expected = brute_force::self_crossings(soup.positions, soup.triangles);
    for (const int n_threads : {1, 3}) {
        const ThreadLimit limit(n_threads);
        EXPECT_EQ(self_crossings(soup.positions, soup.triangles), expected);
    }
}

TEST(Crossings, OfTwoSurfacesAreWhatBruteForceFinds) {
    const Surface box = cube(0.7);
    const Surface ball = octahedron();
    const auto found = crossings(box.positions, box.triangles, ball.positions, ball.triangles);
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found,
              brute_force::crossings(box.positions, box.triangles, ball.positions, ball.triangles));
    const Surface small = cube(0.25);
    EXPECT_TRUE(
        crossings(small.positions, small.triangles, ball.positions, ball.triangles).empty());
    EXPECT_TRUE(crossings({}, {}, ball.positions, ball.triangles).empty());
}

TEST(Crossings, RefuseNaN) {
    Surface box = cube(1);
    box.positions[3].y() = std::nan("");
    EXPECT_THROW(self_crossings(box.positions, box.triangles), InvalidInput);
    const Surface ball = octahedron();
    EXPECT_THROW(crossings(ball.positions, ball.triangles, box.positions, box.triangles),
                 InvalidInput);
}

TEST(PointsInside, OfAnOctahedronAreThoseOfItsInequality) {
    const Surface ball = octahedron();
    std::vector<Vec3> points;
    std::vector<int> expected;
    for (int i = -6; i <= 6; ++i) {
        for (int j = -6; j <= 6; ++j) {
            for (int k = -6; k <= 6; ++k) {
                if (std::abs(i) + std::abs(j) + std::abs(k) < 4) {
                    expected.push_back(static_cast<int>(points.size()));
                }
                points.push_back(Vec3(i, j, k) / 4);
            }
        }
    }
    EXPECT_EQ(points_inside(points, ball.positions, ball.triangles), expected);
}

TEST(PointsInside, FollowsParityOfNestedSurfacesAndIgnoresCollapsedTriangles) {
    Surface shell = cube(1);
    const Surface hole = cube(0.5);
    for (const Vec3& p : hole.positions) shell.positions.push_back(p);
    for (const Triangle& t : hole.triangles) {
        shell.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    }
    shell.triangles.push_back({0, 0, 1});
    const std::vector<Vec3> points = {{0, 0, 0},   {0.75, 0, 0}, {1, 0.1, 0.2}, {0.5, 0.5, 0.5},
                                      {0, 0.9, 0}, {5, 0, 0},    {NAN, 0, 0}};
    EXPECT_EQ(points_inside(points, shell.positions, shell.triangles), (std::vector<int>{1, 4}));
}

TEST(PointsInside, IsEmptyWhereTheSurfaceIsOpen) {
    Surface box = cube(1);
    box.triangles.pop_back();
    const std::vector<Vec3> points = {{0, 0, 0}};
    EXPECT_TRUE(points_inside(points, box.positions, box.triangles).empty());
    EXPECT_TRUE(points_inside(points, {}, {}).empty());
}

}  // namespace
}  // namespace toile
