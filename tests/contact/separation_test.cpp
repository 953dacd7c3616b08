// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/separation.h"

#include "contact/contact_scene.h"
#include "toile/contact/contact_stencil.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace toile {
namespace {

TEST(Separation, FloatRoundingClosesLessThanTheRoundingGap) {
    std::mt19937_64 random(3);
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (int i = 0; i < 3000; ++i) {
            StencilPoints x, rounded;
            for (int k = 0; k < 4; ++k) {
                x[k] = scale * (Vec3(3, -2, 5) + test::uniform_in_cube(random, 1e-3));
                rounded[k] = x[k].cast<float>().cast<double>();
            }
            const StencilKind kind = i % 2 ? StencilKind::PointTriangle : StencilKind::EdgeEdge;
            const double lost = measure_gap(kind, x).distance - measure_gap(kind, rounded).distance;
            EXPECT_LT(lost, 0.5 * rounding_gap(x, x));
        }
    }
}

TEST(Separation, HitsAskForMoreThanTheCertificate) {
    const Separation separation{.rounding = 1e-6};
    for (const double thickness : {0.0, 1e-5, 1e-3}) {
        for (double gap = 1e-9; gap < 1e-2; gap *= 1.1) {
            const double hit = separation.of_hit(thickness, gap);
            EXPECT_LT(separation.of_certificate(gap), hit);
            EXPECT_LT(hit, gap);
        }
    }
}

TEST(Separation, PressingForHundredsOfStepsLeavesMoreThanRoundingCloses) {
    const Separation separation{.rounding = 1e-6};
    double gap = 1e-3;
    for (int step = 0; step < 300; ++step) gap = separation.of_hit(1e-3, gap);
    EXPECT_GT(gap, separation.rounding * 3.47 / 8);
    for (int step = 0; step < 300; ++step) gap = separation.of_certificate(gap);
    EXPECT_GT(gap, 0);
}

TEST(Separation, ScalesWithTheScene) {
    for (const double scale : {1e-3, 1e3}) {
        const Separation one{.rounding = 1e-6}, scaled{.rounding = scale * 1e-6};
        EXPECT_NEAR(scaled.of_hit(scale * 1e-3, scale * 5e-5), scale * one.of_hit(1e-3, 5e-5),
                    1e-12 * scale);
    }
}

TEST(Separation, TheRoundingGapIsThatOfThePairsLargestCoordinate) {
    const StencilPoints near = {Vec3(1, 2, 3), Vec3(0, -4, 0), Vec3(2, 2, 2), Vec3(1, 1, 1)};
    StencilPoints far = near;
    far[2].z() = -64;
    EXPECT_EQ(rounding_gap(near, near), 4 * 0x1p-21);
    EXPECT_EQ(rounding_gap(near, far), 64 * 0x1p-21);
    EXPECT_EQ(rounding_gap(far, near), 64 * 0x1p-21);
}

TEST(Separation, RefusesPositionsThatAreNotFinite) {
    std::vector<Vec3> good(3, Vec3::Ones()), bad = good;
    bad[1].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NO_THROW(require_finite(good));
    EXPECT_THROW(require_finite(bad), InvalidInput);
    bad[1].y() = std::numeric_limits<double>::infinity();
    EXPECT_THROW(require_finite(bad), InvalidInput);
}

}  // namespace
}  // namespace toile
