// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/exact_predicates.h"

#include "collision/integer_hull.h"
#include "collision/random_geometry.h"
#include "toile/collision/exact_segment.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

int sign(std::int64_t x) {
    return (x > 0) - (x < 0);
}

/// Sums of a small integer and a tiny one, far apart: rounding errors swallow the tiny ones, so
/// that only exact arithmetic sees them.
TEST(ExactPredicates, SeeTheLastBit) {
    const double ulp = std::nextafter(1.0, 2.0) - 1;
    const Vec3 a(0, 0, 1);
    const Vec3 b(1, 0, 1);
    const Vec3 c(0.3, 1, 1);
    const Vec3 d(0.1, 0.7, 1);
    EXPECT_EQ(orient3d(a, b, c, d), 0);
    EXPECT_EQ(orient3d(a, b, c, d + Vec3(0, 0, ulp)), 1);
    EXPECT_EQ(orient3d(a, b, c, d - Vec3(0, 0, ulp / 2)), -1);
    for (int i = -3; i <= 3; ++i) {
        const Vec3 x(0.5 + i * ulp / 2, 0.5, 0);
        EXPECT_EQ(orient2d({12, 12, 0}, {24, 24, 0}, x, 2), (i < 0) - (i > 0)) << i;
    }
}

TEST(ExactPredicates, MatchIntegerDeterminants) {
    RandomGeometry random(1);
    int n_flat = 0;
    for (int i = 0; i < 20000; ++i) {
        std::array<Vec3, 4> x;
        for (Vec3& p : x) p = random.lattice_point(3);
        std::array<IntegerPoint, 4> n;
        for (size_t k = 0; k < 4; ++k) n[k] = integer_point(x[k]);
        const int expected = sign(volume(n[1] - n[0], n[2] - n[0], n[3] - n[0]));
        n_flat += expected == 0;
        EXPECT_EQ(orient3d(x[0], x[1], x[2], x[3]), expected);
        const IntegerPoint normal = cross(n[1] - n[0], n[2] - n[0]);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(orient2d(x[0], x[1], x[2], axis), sign(normal[static_cast<size_t>(axis)]));
        }
        EXPECT_EQ(collinear(x[0], x[1], x[2]), is_zero(normal));
    }
    EXPECT_GT(n_flat, 500);
}

/// Exact signs do not change with a power of two, however small or large.
TEST(ExactPredicates, HoldNearUnderflowAndOverflow) {
    RandomGeometry random(2);
    for (const double scale : {0x1p-1000, 0x1p-340, 0x1p-100, 0x1p100, 0x1p340, 0x1p900}) {
        for (int i = 0; i < 300; ++i) {
            const Vec3 a = random.lattice_point(4), b = random.lattice_point(4);
            const Vec3 c = random.lattice_point(4), d = random.lattice_point(4);
            EXPECT_EQ(orient3d(scale * a, scale * b, scale * c, scale * d), orient3d(a, b, c, d));
            EXPECT_EQ(orient2d(scale * a, scale * b, scale * c, 1), orient2d(a, b, c, 1));
        }
    }
}

TEST(ExactSegments, AgreeWithHullsOfIntegers) {
    RandomGeometry random(3);
    int n_meeting = 0;
    for (int i = 0; i < 20000; ++i) {
        std::array<Vec3, 5> x;
        for (Vec3& p : x) p = random.lattice_point(1 + i % 3);
        std::vector<IntegerPoint> n;
        for (const Vec3& p : x) n.push_back(integer_point(p));
        EXPECT_EQ(segments_intersect(x[0], x[1], x[2], x[3]),
                  hulls_meet({n[0], n[1]}, {n[2], n[3]}));
        const bool meet = hulls_meet({n[0], n[1]}, {n[2], n[3], n[4]});
        n_meeting += meet;
        ASSERT_EQ(segment_meets_triangle(x[0], x[1], {x[2], x[3], x[4]}), meet) << i;
    }
    EXPECT_GT(n_meeting, 2000);
    EXPECT_LT(n_meeting, 18000);
}

}  // namespace
}  // namespace toile
