// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/distance.h"

#include "collision/random_geometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

constexpr int kCases = 100000;
constexpr double kScales[] = {1e-3, 1, 1e3};

/// Least value of a convex function on [0, 1].
template <class Function>
double least(const Function& f) {
    double low = 0;
    double high = 1;
    double best = std::min(f(0.0), f(1.0));
    for (int i = 0; i < 80; ++i) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        const double fa = f(a);
        const double fb = f(b);
        best = std::min({best, fa, fb});
        (fa < fb ? high : low) = fa < fb ? b : a;
    }
    return best;
}

double slow_point_edge(const Vec3& p, const Vec3& e0, const Vec3& e1) {
    const Vec3 e = e1 - e0;
    const double ee = e.squaredNorm();
    const double a = ee > 0 ? std::min(1.0, std::max(0.0, e.dot(p - e0) / ee)) : 0;
    return (p - e0 - a * e).norm();
}

/// Segments parallel to the side opposite t0 fill the triangle.
double slow_point_triangle(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    return least(
        [&](double s) { return slow_point_edge(p, t0 + s * (t1 - t0), t0 + s * (t2 - t0)); });
}

double slow_edge_edge(const Vec3& ea0, const Vec3& ea1, const Vec3& eb0, const Vec3& eb1) {
    return least([&](double s) { return slow_point_edge(ea0 + s * (ea1 - ea0), eb0, eb1); });
}

void expect_inside_unit(double x) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
}

TEST(PointTriangleDistance, IsNoLargerThanAnySlowSearchFinds) {
    RandomGeometry random(1);
    for (int i = 0; i < kCases; ++i) {
        std::array<Vec3, 4> x = random.stencil();
        const double scale = kScales[i % 3];
        for (Vec3& v : x) v *= scale;
        const auto found = closest_point_triangle(x[0], x[1], x[2], x[3]);
        const Vec3& w = found.barycentric;
        for (int k = 0; k < 3; ++k) expect_inside_unit(w[k]);
        EXPECT_NEAR(w.sum(), 1, 1e-15);
        const double distance = std::sqrt(found.squared_distance);
        EXPECT_NEAR(distance, (x[0] - w[0] * x[1] - w[1] * x[2] - w[2] * x[3]).norm(),
                    2e-15 * scale);
        ASSERT_LE(distance, slow_point_triangle(x[0], x[1], x[2], x[3]) + 1e-13 * scale) << i;
    }
}

TEST(EdgeEdgeDistance, IsNoLargerThanAnySlowSearchFinds) {
    RandomGeometry random(2);
    for (int i = 0; i < kCases; ++i) {
        std::array<Vec3, 4> x = random.stencil();
        const double scale = kScales[i % 3];
        for (Vec3& v : x) v *= scale;
        const auto found = closest_edge_edge(x[0], x[1], x[2], x[3]);
        expect_inside_unit(found.a);
        expect_inside_unit(found.b);
        const double distance = std::sqrt(found.squared_distance);
        const Vec3 on_a = (1 - found.a) * x[0] + found.a * x[1];
        const Vec3 on_b = (1 - found.b) * x[2] + found.b * x[3];
        EXPECT_NEAR(distance, (on_a - on_b).norm(), 2e-15 * scale);
        ASSERT_LE(distance, slow_edge_edge(x[0], x[1], x[2], x[3]) + 1e-13 * scale) << i;
    }
}

TEST(PointEdgeDistance, IsExactAtTheEndsAndRightBetween) {
    const Vec3 e0(0, 0, 0);
    const Vec3 e1(3, 0, 0);
    EXPECT_EQ(closest_point_edge({-1, 0, 0}, e0, e1).a, 0);
    EXPECT_EQ(closest_point_edge({-1, 0, 0}, e0, e1).squared_distance, 1);
    EXPECT_EQ(closest_point_edge({5, 0, 0}, e0, e1).a, 1);
    EXPECT_EQ(closest_point_edge({5, 0, 0}, e0, e1).squared_distance, 4);
    EXPECT_NEAR(closest_point_edge({1, 2, 0}, e0, e1).a, 1.0 / 3, 1e-15);
    EXPECT_NEAR(closest_point_edge({1, 2, 0}, e0, e1).squared_distance, 4, 1e-15);
    EXPECT_EQ(closest_point_edge({1, 2, 0}, e1, e1).squared_distance, 8);
}

TEST(EdgeEdgeDistance, OfParallelEdgesLiesInTheMiddleOfTheOverlap) {
    const auto found = closest_edge_edge({0, 0, 0}, {4, 0, 0}, {6, 1, 0}, {2, 1, 0});
    EXPECT_NEAR(found.a, 0.75, 1e-15);
    EXPECT_NEAR(found.b, 0.75, 1e-15);
    EXPECT_NEAR(found.squared_distance, 1, 1e-15);
}

TEST(EdgeEdgeDistance, OfParallelEdgesWithoutOverlapJoinsTheEnds) {
    const auto found = closest_edge_edge({0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {5, 1, 0});
    EXPECT_EQ(found.a, 1);
    EXPECT_EQ(found.b, 0);
    EXPECT_NEAR(found.squared_distance, 2, 1e-15);
}

TEST(EdgeEdgeDistance, OfTwoPointsIsTheirDistance) {
    const Vec3 p(1, 2, 3);
    const Vec3 q(1, 2, 5);
    EXPECT_EQ(closest_edge_edge(p, p, q, q).squared_distance, 4);
    EXPECT_EQ(closest_point_triangle(p, q, q, q).squared_distance, 4);
}

TEST(Distance, OfNaNIsNeverANumber) {
    const Vec3 nan = Vec3::Constant(std::nan(""));
    const Vec3 o = Vec3::Zero();
    const Vec3 x = Vec3::UnitX();
    EXPECT_TRUE(std::isnan(closest_point_triangle(nan, o, x, {0, 1, 0}).squared_distance));
    EXPECT_TRUE(std::isnan(closest_edge_edge(o, x, nan, {0, 1, 0}).squared_distance));
}

}  // namespace
}  // namespace toile
