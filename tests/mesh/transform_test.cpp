// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/transform.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace toile {
namespace {

TEST(Transform, ComposesAndInverts) {
    const Transform a{rotation_about_axis({1, 2, 3}, 0.7), {1, 2, 3}, 2};
    const Transform b{rotation_from_euler_xyz({0.1, 0.2, 0.3}), {-4, 5, 6}, 0.5};
    const Vec3 x(0.3, -0.2, 0.9);
    EXPECT_LT(((a * b)(x)-a(b(x))).norm(), 1e-14);
    EXPECT_LT((a.inverse()(a(x)) - x).norm(), 1e-15);
    EXPECT_LT(((a * a.inverse())(x)-x).norm(), 1e-14);
}

TEST(Transform, RotationsFollowTheRightHandRule) {
    const double quarter = radians(90);
    EXPECT_LT((rotation_about_axis({0, 0, 5}, quarter) * Vec3::UnitX() - Vec3::UnitY()).norm(),
              1e-15);
    EXPECT_LT((rotation_from_quaternion(1, {0, 0, 1}) * Vec3::UnitX() - Vec3::UnitY()).norm(),
              1e-15);
    // About x: y to z; then about z: z stays.
    EXPECT_LT(
        (rotation_from_euler_xyz({quarter, 0, quarter}) * Vec3::UnitY() - Vec3::UnitZ()).norm(),
        1e-15);
}

TEST(Transform, AxisLengthDoesNotMatterButMustNotBeZero) {
    const Mat3 expected = rotation_about_axis({1, 1, 0}, 0.5);
    EXPECT_LT((rotation_about_axis({1e-200, 1e-200, 0}, 0.5) - expected).norm(), 1e-14);
    EXPECT_LT((rotation_about_axis({1e200, 1e200, 0}, 0.5) - expected).norm(), 1e-14);
    EXPECT_THROW(rotation_about_axis({0, 0, 0}, 0.5), InvalidInput);
    EXPECT_THROW(rotation_about_axis({std::nan(""), 0, 1}, 0.5), InvalidInput);
    EXPECT_THROW(rotation_from_quaternion(0, {0, 0, 0}), InvalidInput);
}

TEST(Transform, ApplyMovesEveryPoint) {
    std::vector<Vec3> points = {{1, 0, 0}, {0, 1, 0}};
    transform_points({.translation = {1, 1, 1}, .scale = 2}, points);
    EXPECT_EQ(points[0], Vec3(3, 1, 1));
    EXPECT_EQ(points[1], Vec3(1, 3, 1));
}

}  // namespace
}  // namespace toile
