// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/alignment.h"

#include "toile/core/error.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace toile {
namespace {

constexpr double kScales[] = {1e-3, 1, 1e3};

class Random {
  public:
    explicit Random(unsigned seed) : generator_(seed) {}
    double number() { return uniform_(generator_); }
    Vec3 vector() { return {number(), number(), number()}; }
    Mat3 rotation() { return rotation_about_axis(vector(), 4 * number()); }
    std::vector<Vec3> points(int n, double scale) {
        std::vector<Vec3> points;
        for (int i = 0; i < n; ++i) points.push_back(scale * vector());
        return points;
    }

  private:
    std::mt19937 generator_;
    std::uniform_real_distribution<double> uniform_{-1, 1};
};

std::vector<Vec3> moved(const Transform& transform, std::vector<Vec3> points) {
    transform_points(transform, points);
    return points;
}

TEST(Alignment, FindsRandomTransformsAtAllScales) {
    Random random(1);
    for (const double scale : kScales) {
        for (int trial = 0; trial < 50; ++trial) {
            const auto from = random.points(20, scale);
            const Transform truth{random.rotation(), 10 * scale * random.vector(),
                                  std::exp(random.number())};
            const AlignmentResult found = align(from, moved(truth, from), Alignment::Similarity);
            EXPECT_EQ(found.rank, 3);
            EXPECT_LT((found.transform.rotation - truth.rotation).norm(), 1e-12);
            EXPECT_NEAR(found.transform.scale / truth.scale, 1, 1e-12);
            EXPECT_LT((found.transform.translation - truth.translation).norm(), 1e-12 * scale);
            EXPECT_LT(found.rms, 1e-13 * scale);
        }
    }
}

TEST(Alignment, EachKindFindsJustWhatItMayMove) {
    Random random(2);
    const auto from = random.points(30, 1);
    const Transform truth{random.rotation(), {1, 2, 3}, 1.5};
    const auto to = moved(truth, from);
    EXPECT_EQ(align(from, to, Alignment::None).transform.translation, Vec3::Zero());
    const AlignmentResult translation = align(from, to, Alignment::Translation);
    EXPECT_EQ(translation.transform.rotation, Mat3::Identity());
    EXPECT_EQ(translation.transform.scale, 1);
    const AlignmentResult rigid = align(from, to, Alignment::Rigid);
    EXPECT_EQ(rigid.transform.scale, 1);
    EXPECT_LT((rigid.transform.rotation - truth.rotation).norm(), 1e-12);
    EXPECT_GT(align(from, to, Alignment::None).rms, translation.rms);
    EXPECT_GT(translation.rms, rigid.rms);
    EXPECT_GT(rigid.rms, 100 * align(from, to, Alignment::Similarity).rms);
}

TEST(Alignment, IsTheBestOfAllSmallMovesUnderNoise) {
    Random random(3);
    const auto from = random.points(15, 1);
    auto to = moved({random.rotation(), {1, 0, 0}, 1}, from);
    for (Vec3& p : to) p += 0.2 * random.vector();
    const auto rms_of = [&](const Transform& transform) {
        double sum = 0;
        for (size_t i = 0; i < from.size(); ++i) sum += (transform(from[i]) - to[i]).squaredNorm();
        return std::sqrt(sum / static_cast<double>(from.size()));
    };
    const AlignmentResult best = align(from, to, Alignment::Similarity);
    EXPECT_NEAR(best.rms, rms_of(best.transform), 1e-15);
    for (int trial = 0; trial < 200; ++trial) {
        Transform other = best.transform;
        other.rotation = rotation_about_axis(random.vector(), 0.02) * other.rotation;
        EXPECT_GT(rms_of(other), best.rms);
        other = best.transform;
        other.scale *= 1 + 0.02 * random.number();
        other.translation += 0.02 * random.vector();
        EXPECT_GT(rms_of(other), best.rms);
    }
}

TEST(Alignment, NeverReflects) {
    Random random(4);
    for (int trial = 0; trial < 50; ++trial) {
        const auto from = random.points(12, 1);
        auto to = from;
        for (Vec3& p : to) p.x() = -p.x();
        const AlignmentResult found = align(from, to, Alignment::Similarity);
        EXPECT_NEAR(found.transform.rotation.determinant(), 1, 1e-12);
        EXPECT_GT(found.rms, 0.01);
        EXPECT_GE(found.transform.scale, 0);
    }
}

TEST(Alignment, PointsOfAPlaneDecideTheRotation) {
    Random random(5);
    for (const double scale : kScales) {
        auto from = random.points(10, scale);
        for (Vec3& p : from) p.z() = 0;
        const Transform truth{random.rotation(), scale * random.vector(), 1};
        const AlignmentResult found = align(from, moved(truth, from), Alignment::Rigid);
        EXPECT_EQ(found.rank, 2);
        EXPECT_TRUE(found.rotation_is_unique());
        EXPECT_LT((found.transform.rotation - truth.rotation).norm(), 1e-12);
    }
}

TEST(Alignment, PointsOfALineSayThatTheRotationIsNotUnique) {
    Random random(6);
    for (const double scale : kScales) {
        std::vector<Vec3> from;
        for (int i = 0; i < 5; ++i) from.push_back(scale * (Vec3(1, 2, 3) + i * Vec3(1, 0, 1)));
        const Transform truth{random.rotation(), scale * random.vector(), 2};
        const AlignmentResult found = align(from, moved(truth, from), Alignment::Similarity);
        EXPECT_EQ(found.rank, 1);
        EXPECT_FALSE(found.rotation_is_unique());
        EXPECT_NEAR(found.transform.rotation.determinant(), 1, 1e-12);
        EXPECT_NEAR(found.transform.scale, 2, 1e-12);
        EXPECT_LT(found.rms, 1e-13 * scale);
    }
}

TEST(Alignment, EqualLinesAreNotTurned) {
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    EXPECT_LT((align(line, line, Alignment::Rigid).transform.rotation - Mat3::Identity()).norm(),
              1e-14);
}

TEST(Alignment, OnePointManyEqualPointsAndNoneOnlyMove) {
    for (const size_t n : {1u, 3u}) {
        const std::vector<Vec3> from(n, Vec3(1, 2, 3));
        const std::vector<Vec3> to(n, Vec3(4, 4, 4));
        const AlignmentResult found = align(from, to, Alignment::Similarity);
        EXPECT_EQ(found.rank, 0);
        EXPECT_EQ(found.transform.scale, 1);
        EXPECT_EQ(found.transform.rotation, Mat3::Identity());
        EXPECT_LT((found.transform.translation - Vec3(3, 2, 1)).norm(), 1e-15);
    }
    EXPECT_EQ(align({}, {}, Alignment::Similarity).rms, 0);
}

TEST(Alignment, FarAwayPointsKeepTheirDigits) {
    Random random(8);
    auto from = random.points(20, 1);
    for (Vec3& p : from) p += Vec3(1e6, -1e6, 1e6);
    const Mat3 rotation = random.rotation();
    const AlignmentResult found =
        align(from, moved({rotation, {0, 0, 0}, 1}, from), Alignment::Rigid);
    EXPECT_LT((found.transform.rotation - rotation).norm(), 1e-8);
    EXPECT_LT(found.rms, 1e-8);
}

TEST(Alignment, DifferentCountsAndNotFinitePointsAreRefused) {
    const std::vector<Vec3> two = {{0, 0, 0}, {1, 0, 0}};
    const std::vector<Vec3> three = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<Vec3> broken = {{0, 0, 0}, {std::nan(""), 0, 0}};
    try {
        align(two, three, Alignment::Rigid);
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(), "Only equal numbers of points can be aligned; found 2 and 3.");
    }
    try {
        align(two, broken, Alignment::Rigid);
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(),
                     "Point 1 has a coordinate that is not finite, so nothing aligns it.");
    }
}

}  // namespace
}  // namespace toile
