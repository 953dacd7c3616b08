// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_stencil.h"

#include "contact/contact_scene.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

constexpr auto kPointTriangle = StencilKind::PointTriangle;
constexpr auto kEdgeEdge = StencilKind::EdgeEdge;

StencilPoints random_points(std::mt19937_64& random) {
    StencilPoints points;
    for (Vec3& point : points) point = test::uniform_in_cube(random, 1);
    return points;
}

TEST(ContactStencil, WeightsNormalAndDistanceAgree) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        std::mt19937_64 random(1);
        for (int i = 0; i < 2000; ++i) {
            StencilPoints x = random_points(random);
            for (Vec3& point : x) point *= scale;
            const StencilKind kind = i % 2 ? kPointTriangle : kEdgeEdge;
            const StencilGap gap = measure_gap(kind, x);
            const Vec3 difference = weighted_difference(gap.weights, x);
            EXPECT_LE((difference - gap.distance * gap.normal).norm(), 1e-12 * scale);
            EXPECT_NEAR(gap.weights[0] + gap.weights[1] + gap.weights[2] + gap.weights[3], 0,
                        1e-12);
        }
    }
}

TEST(ContactStencil, TheDirectionOfTheClosestPointsPartsTheSidesByTheirDistance) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        const StencilPoints x = random_points(random);
        const StencilKind kind = i % 2 ? kPointTriangle : kEdgeEdge;
        const StencilGap gap = measure_gap(kind, x);
        EXPECT_NEAR(gap_along(kind, x, gap.normal), gap.distance, 1e-9);
    }
}

TEST(ContactStencil, EdgeWeightsCountFromTheFirstVertexOfEachEdge) {
    const StencilPoints x{Vec3(0, 1, 0), Vec3(4, 1, 0), Vec3(1, 0, -1), Vec3(1, 0, 3)};
    const StencilGap gap = measure_gap(kEdgeEdge, x);
    EXPECT_NEAR(gap.weights[0], 0.75, 1e-15);
    EXPECT_NEAR(gap.weights[1], 0.25, 1e-15);
    EXPECT_NEAR(gap.weights[2], -0.75, 1e-15);
    EXPECT_NEAR(gap.weights[3], -0.25, 1e-15);
    EXPECT_LE((gap.normal - Vec3::UnitY()).norm(), 1e-15);
}

TEST(ContactStencil, ParallelEdgesAreMeasuredAcross) {
    const StencilPoints x{Vec3(0, 1, 0), Vec3(2, 1, 0), Vec3(1, 0, 0), Vec3(3, 0, 0)};
    const StencilGap gap = measure_gap(kEdgeEdge, x);
    EXPECT_NEAR(gap.distance, 1, 1e-14);
    EXPECT_LE((gap.normal - Vec3::UnitY()).norm(), 1e-14);
}

TEST(ContactStencil, TouchingSidesHaveTheNormalOfTheirSurfaces) {
    const StencilPoints on_triangle{Vec3(0.2, 0, 0.2), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)};
    StencilGap gap = measure_gap(kPointTriangle, on_triangle);
    EXPECT_EQ(gap.distance, 0);
    EXPECT_NEAR(std::abs(gap.normal.y()), 1, 1e-15);
    const StencilPoints crossing{Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0, 0, 1)};
    gap = measure_gap(kEdgeEdge, crossing);
    EXPECT_NEAR(std::abs(gap.normal.y()), 1, 1e-15);
    const StencilPoints one_point{Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, 1)};
    for (const StencilKind kind : {kPointTriangle, kEdgeEdge}) {
        EXPECT_EQ(measure_gap(kind, one_point).normal.norm(), 1);
    }
}

}  // namespace
}  // namespace toile
