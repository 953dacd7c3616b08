// SPDX-License-Identifier: Apache-2.0
#include "toile/render/sampling.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace toile {
namespace {

/// Whether `points` have one point in each of their elementary intervals, of every shape.
bool one_in_each_interval(const std::vector<Eigen::Array2f>& points, int log2_count) {
    for (int a = 0; a <= log2_count; ++a) {
        std::set<std::pair<int, int>> cells;
        for (const Eigen::Array2f& p : points) {
            cells.emplace(std::ldexp(p[0], a), std::ldexp(p[1], log2_count - a));
        }
        if (cells.size() != points.size()) return false;
    }
    return true;
}

TEST(Sampling, EveryAlignedBlockIsStratifiedInAllElementaryIntervals) {
    for (const std::uint32_t seed : {0U, 1U, 77U}) {
        const SampleSequence sequence(seed);
        for (const int log2_count : {0, 3, 4, 8}) {
            const std::uint32_t count = 1U << log2_count;
            for (const std::uint32_t block : {0U, 1U, 5U, 1000U}) {
                std::vector<Eigen::Array2f> points;
                for (std::uint32_t i = 0; i < count; ++i) {
                    points.push_back(sequence.point(block * count + i));
                }
                EXPECT_TRUE(one_in_each_interval(points, log2_count));
            }
        }
    }
}

TEST(Sampling, SeedsGiveDifferentPoints) {
    EXPECT_NE(SampleSequence(1).point(3)[0], SampleSequence(2).point(3)[0]);
}

TEST(Sampling, ZOrderInterleavesBits) {
    EXPECT_EQ(z_order(1, 0), 1U);
    EXPECT_EQ(z_order(0, 1), 2U);
    EXPECT_EQ(z_order(3, 5), 0b100111U);
}

TEST(Sampling, CirclePointAgreesWithTheLibrary) {
    for (int i = 0; i < 1000; ++i) {
        const float t = static_cast<float>(i) / 1000;
        const Eigen::Array2f p = circle_point(t);
        EXPECT_NEAR(p[0], std::cos(2 * std::numbers::pi * t), 1e-5);
        EXPECT_NEAR(p[1], std::sin(2 * std::numbers::pi * t), 1e-5);
    }
}

TEST(Sampling, FramesAreOrthonormalForEveryAxis) {
    for (const Eigen::Vector3f& axis :
         {Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(0, 0, -1),
          Eigen::Vector3f(Eigen::Vector3f(0.3F, -2, 0.1F).normalized())}) {
        const SampleFrame f = frame_around(axis);
        Eigen::Matrix3f m;
        m << f.x, f.y, f.axis;
        EXPECT_LT((m.transpose() * m - Eigen::Matrix3f::Identity()).norm(), 1e-5F);
        EXPECT_GT(m.determinant(), 0);
    }
}

TEST(Sampling, DirectionsAreUnitAndHaveTheRightMeanHeight) {
    const SampleFrame frame = frame_around({0, 1, 0});
    const float cos_angle = 0.9F;
    const SampleSequence sequence(9);
    double cosine = 0;
    double cone = 0;
    const int n = 4096;
    for (std::uint32_t i = 0; i < n; ++i) {
        const Eigen::Array2f u = sequence.point(i);
        const Eigen::Vector3f d = cosine_direction(frame, u);
        EXPECT_NEAR(d.norm(), 1, 1e-5);
        cosine += d.y() / n;
        const Eigen::Vector3f l = cone_direction(frame, cos_angle, u);
        EXPECT_NEAR(l.norm(), 1, 1e-5);
        EXPECT_GE(l.y(), cos_angle - 1e-6F);
        cone += l.y() / n;
    }
    EXPECT_NEAR(cosine, 2.0 / 3, 1e-3);
    EXPECT_NEAR(cone, 0.95, 1e-3);
}

}  // namespace
}  // namespace toile
