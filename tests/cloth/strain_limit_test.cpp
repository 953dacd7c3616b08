// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/strain_limit.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

using Corners = std::array<Vec3, 3>;

MembraneShape unit_shape(double size) {
    return membrane_shape({Vec2(0, 0), Vec2(size, 0.2 * size), Vec2(-0.1 * size, size)});
}

/// Corners of the rest triangle under a random map whose stretches lie about `stretch`.
Corners stretched(double size, double stretch, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    Eigen::Matrix<double, 3, 2> f;
    for (double& value : f.reshaped()) value = number(random);
    const Eigen::JacobiSVD<Eigen::Matrix<double, 3, 2>> svd(
        f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix<double, 3, 2> sigma = Eigen::Matrix<double, 3, 2>::Zero();
    sigma(0, 0) = stretch * (1.05 + 0.1 * std::abs(number(random)));
    sigma(1, 1) = stretch * (0.95 + 0.03 * number(random));
    f = svd.matrixU() * sigma * svd.matrixV().transpose();
    return {Vec3(f * Vec2(0, 0)), Vec3(f * Vec2(size, 0.2 * size)),
            Vec3(f * Vec2(-0.1 * size, size))};
}

double& coordinate(Corners& corners, int i) {
    return corners[i / 3][i % 3];
}

class StrainLimitDerivatives : public testing::TestWithParam<double> {};

TEST_P(StrainLimitDerivatives, MatchFiniteDifferences) {
    const double size = GetParam();
    const StrainLimit limit{.stretch = 1.1, .stiffness = 2000};
    const MembraneShape shape = unit_shape(size);
    for (unsigned seed = 0; seed < 20; ++seed) {
        // One or both of the stretches beyond the limit.
        const Corners corners = stretched(size, seed % 2 == 0 ? 1.12 : 1.3, seed);
        const auto gradient = strain_limit_gradient(shape, limit, corners);
        const MembraneHessian hessian = strain_limit_hessian(shape, limit, corners);
        const double e = 1e-6 * size;
        for (int i = 0; i < 9; ++i) {
            Corners plus = corners, minus = corners;
            coordinate(plus, i) += e;
            coordinate(minus, i) -= e;
            const double slope =
                (strain_limit_value(shape, limit, plus) - strain_limit_value(shape, limit, minus)) /
                (2 * e);
            EXPECT_NEAR(gradient[i / 3][i % 3], slope, 1e-4 * limit.stiffness * size);
            const auto more = strain_limit_gradient(shape, limit, plus);
            const auto less = strain_limit_gradient(shape, limit, minus);
            for (int j = 0; j < 9; ++j) {
                const double curvature = (more[j / 3][j % 3] - less[j / 3][j % 3]) / (2 * e);
                EXPECT_NEAR(hessian(j, i), curvature, 1e-3 * limit.stiffness) << seed;
            }
        }
    }
}

TEST_P(StrainLimitDerivatives, HaveAPositiveSemiDefiniteHessian) {
    const double size = GetParam();
    const StrainLimit limit{.stretch = 1.1, .stiffness = 2000};
    const MembraneShape shape = unit_shape(size);
    for (unsigned seed = 0; seed < 50; ++seed) {
        const Corners corners = stretched(size, 1.1 + 0.01 * seed, seed);
        const Eigen::SelfAdjointEigenSolver<MembraneHessian> eigen(
            strain_limit_hessian(shape, limit, corners));
        EXPECT_GT(eigen.eigenvalues()[0], -1e-9 * eigen.eigenvalues()[8]);
    }
}

INSTANTIATE_TEST_SUITE_P(Scales, StrainLimitDerivatives, testing::Values(1e-3, 1.0, 1e3));

TEST(StrainLimit, IsNothingBelowAndForADegenerateTriangle) {
    const StrainLimit limit{.stretch = 1.1, .stiffness = 2000};
    const MembraneShape shape = unit_shape(1);
    const Corners corners = stretched(1, 0.9, 1);
    EXPECT_EQ(strain_limit_value(shape, limit, corners), 0);
    EXPECT_EQ(strain_limit_hessian(shape, limit, corners).norm(), 0);
    const Corners point = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    EXPECT_EQ(strain_limit_value(shape, limit, point), 0);
    const StrainLimit never{.stretch = 0, .stiffness = 2000};
    const Corners wide = stretched(1, 3, 1);
    EXPECT_EQ(strain_limit_value(shape, never, wide), 0);
    for (const Vec3& g : strain_limit_gradient(shape, never, wide)) EXPECT_EQ(g.norm(), 0);
    EXPECT_EQ(strain_limit_hessian(shape, never, wide).norm(), 0);
    const MembraneShape flat = membrane_shape({Vec2(0, 0), Vec2(1, 0), Vec2(2, 0)});
    EXPECT_EQ(strain_limit_gradient(flat, limit, corners)[0].norm(), 0);
}

TEST(StrainLimit, SeesEqualStretchesInAllDirections) {
    const StrainLimit limit{.stretch = 1.1, .stiffness = 100};
    const auto terms = strain_limit_terms({.warp = {1.2, 0, 0}, .weft = {0, 1.2, 0}}, limit);
    ASSERT_TRUE(terms);
    EXPECT_TRUE(terms->hessian.allFinite());
    EXPECT_NEAR(terms->gradient[0], 10, 1e-9);
    EXPECT_NEAR(terms->gradient[4], 10, 1e-9);
}

}  // namespace
}  // namespace toile
