// SPDX-License-Identifier: Apache-2.0
#include "toile/render/shading_normals.h"

#include <gtest/gtest.h>

#include <numbers>

namespace toile {
namespace {

constexpr double kPi = std::numbers::pi;

/// Two unit squares' halves folded along the x axis by a right angle; the second is larger.
struct Fold {
    std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -3}};
    std::vector<Triangle> triangles = {{0, 1, 2}, {0, 3, 1}};
};

TEST(CornerNormals, AreAreaWeightedMeansWhereSmooth) {
    const Fold fold;
    const auto normals = corner_normals(fold.positions, fold.triangles, kPi);
    ASSERT_EQ(normals.size(), 6U);
    const Eigen::Vector3f mean =
        (Eigen::Vector3f(0, 0, 1) + 3 * Eigen::Vector3f(0, -1, 0)).normalized();
    EXPECT_LT((normals[0] - mean).norm(), 1e-6F);
    EXPECT_LT((normals[3] - mean).norm(), 1e-6F);
    EXPECT_LT((normals[2] - Eigen::Vector3f(0, 0, 1)).norm(), 1e-6F);
}

TEST(CornerNormals, StaySharpAcrossACrease) {
    const Fold fold;
    for (const Eigen::Vector3f& n : corner_normals(fold.positions, fold.triangles, 0.25 * kPi)) {
        EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-6F);
    }
}

TEST(CornerNormals, AreZeroWithoutAreaAndForNoTriangles) {
    const std::vector<Vec3> line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const std::vector<Triangle> flat = {{0, 1, 2}};
    for (const Eigen::Vector3f& n : corner_normals(line, flat, kPi)) EXPECT_TRUE(n.isZero(0));
    EXPECT_TRUE(corner_normals(line, {}, kPi).empty());
}

}  // namespace
}  // namespace toile
