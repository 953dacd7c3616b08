// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/motion.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

std::vector<Keyframe> some_keys() {
    return {{.time = 0.5},
            {.time = 1, .translation = {1, 0, 0}, .rotation = {{0, 1, 0}, 90}},
            {.time = 1.2, .translation = {1.5, -2, 0}, .rotation = {{0, 2, 0}, 400}},
            {.time = 3, .translation = {4, -2, 1}, .rotation = {{1, 0, 0}, -30}}};
}

Vec3 point_at(const KeyframePath& path, double time) {
    return path.at(time).apply({0.3, 0.4, 0.5}, {0.1, 0, 0});
}

TEST(KeyframePath, WithoutKeysIsTheIdentity) {
    const KeyframePath path;
    EXPECT_TRUE(path.stands_still());
    EXPECT_EQ(path.at(3).rotation, Mat3::Identity());
    EXPECT_EQ(path.at(3).translation, Vec3::Zero());
}

TEST(KeyframePath, PassesThroughItsKeysAndHoldsBeforeAndAfter) {
    const auto keys = some_keys();
    const KeyframePath path(keys);
    for (const Keyframe& key : keys) {
        EXPECT_EQ(path.at(key.time).translation, key.translation);
        const Mat3 expected = rotation_matrix(rotation_vector(key.rotation));
        EXPECT_LT((path.at(key.time).rotation - expected).norm(), 1e-14);
    }
    EXPECT_EQ(point_at(path, -7), point_at(path, 0.5));
    EXPECT_EQ(point_at(path, 99), point_at(path, 3));
}

TEST(KeyframePath, VelocityAndAccelerationAreContinuousEverywhere) {
    const KeyframePath path(some_keys());
    const double h = 1e-4;
    Vec3 last_velocity = Vec3::Zero();
    Vec3 last_acceleration = Vec3::Zero();
    double worst_jump = 0;
    double largest = 0;
    for (double t = 0.4; t < 3.1; t += h) {
        const Vec3 velocity = (point_at(path, t + h) - point_at(path, t)) / h;
        const Vec3 acceleration = (velocity - last_velocity) / h;
        if (t > 0.4 + 1.5 * h) {
            worst_jump = std::max(worst_jump, (acceleration - last_acceleration).norm());
        }
        largest = std::max(largest, acceleration.norm());
        last_velocity = velocity;
        last_acceleration = acceleration;
    }
    EXPECT_GT(largest, 10);
    // Where acceleration jumped, this would be of the order of the largest acceleration.
    EXPECT_LT(worst_jump, 0.02 * largest);
}

TEST(KeyframePath, NeverOvershootsBetweenTwoKeys) {
    const auto keys = some_keys();
    const KeyframePath path(keys);
    for (size_t k = 0; k + 1 < keys.size(); ++k) {
        for (int i = 0; i <= 1000; ++i) {
            const double s = i / 1000.0;
            const Vec3 x = path.at((1 - s) * keys[k].time + s * keys[k + 1].time).translation;
            const Vec3 low = keys[k].translation.cwiseMin(keys[k + 1].translation);
            const Vec3 high = keys[k].translation.cwiseMax(keys[k + 1].translation);
            EXPECT_TRUE((x.array() >= low.array() - 1e-12).all() &&
                        (x.array() <= high.array() + 1e-12).all())
                << "at " << s << " of piece " << k;
        }
    }
}

TEST(KeyframePath, SteepestAllowedSlopesStayMonotone) {
    std::vector<Keyframe> keys;
    double x = 0;
    double time = 0;
    for (int k = 0; k < 12; ++k) {
        keys.push_back({.time = time, .translation = {x, 0, 0}});
        time += 1 + 0.3 * (k % 3);
        x += (k % 2) ? 1 : 100;
    }
    const KeyframePath path(keys);
    double last = -1e-9;
    for (double t = 0; t < keys.back().time; t += 1e-3) {
        const double now = path.at(t).translation.x();
        EXPECT_GE(now, last - 1e-12) << "at " << t;
        last = now;
    }
}

TEST(KeyframePath, StaysRigid) {
    const KeyframePath path(some_keys());
    for (double t = 0; t < 4; t += 0.01) {
        const Mat3 r = path.at(t).rotation;
        EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-13);
        EXPECT_NEAR(r.determinant(), 1, 1e-13);
    }
}

TEST(KeyframePath, TwoTurnsAreTwoTurns) {
    const std::vector<Keyframe> keys = {{.time = 0}, {.time = 2, .rotation = {{0, 0, 1}, 720}}};
    const KeyframePath path(keys);
    double turned = 0;
    Vec3 last(1, 0, 0);
    for (int i = 1; i <= 1000; ++i) {
        const Vec3 now = path.at(i * 2e-3).rotation * Vec3(1, 0, 0);
        turned += std::atan2(last.cross(now).z(), last.dot(now));
        last = now;
    }
    EXPECT_NEAR(turned, 4 * std::numbers::pi, 1e-9);
}

TEST(RotationVector, ZeroDegreesNeedNoAxis) {
    EXPECT_EQ(rotation_vector({{0, 0, 0}, 0}), Vec3::Zero());
    EXPECT_EQ(rotation_matrix(Vec3::Zero()), Mat3::Identity());
}

TEST(VelocityPath, IsTheIntegralOfItsPieces) {
    const std::vector<VelocityPiece> pieces = {{-1, {1, 0, 0}}, {0.5, {0, 2, 0}}, {2, {0, 0, 0}}};
    const VelocityPath path(pieces, {0, 0, 3});
    EXPECT_FALSE(path.stands_still());
    EXPECT_EQ(path.way(0), Vec3(0, 0, 0));
    EXPECT_EQ(path.way(0.25), Vec3(0.25, 0, 0.75));
    EXPECT_EQ(path.way(1), Vec3(0.5, 1, 3));
    EXPECT_EQ(path.way(10), Vec3(0.5, 3, 30));
    EXPECT_EQ(path.way(-2), Vec3(-1, 0, -6));
}

TEST(VelocityPath, StandsBeforeItsFirstPieceAndWithoutAny) {
    const std::vector<VelocityPiece> late = {{2, {1, 0, 0}}};
    EXPECT_EQ(VelocityPath(late, {0, 0, 0}).way(1.5), Vec3(0, 0, 0));
    EXPECT_EQ(VelocityPath(late, {0, 0, 0}).way(3), Vec3(1, 0, 0));
    EXPECT_TRUE(VelocityPath().stands_still());
    EXPECT_EQ(VelocityPath().way(7), Vec3(0, 0, 0));
}

}  // namespace
}  // namespace toile
