// SPDX-License-Identifier: Apache-2.0
#include "support/finite_differences.h"
#include "toile/cloth/bending_energy.h"
#include "toile/cloth/dihedral_angle.h"
#include "toile/cloth/membrane_energy.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace toile {
namespace {

constexpr double kTolerance = 1e-7;  // of the largest entry, for central differences

template <size_t N>
std::array<Vec3, N> jittered(const std::array<Vec3, N>& points, double amount, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> offset(-amount, amount);
    std::array<Vec3, N> result = points;
    for (Vec3& p : result) p += Vec3(offset(random), offset(random), offset(random));
    return result;
}

template <class Derived, class Other>
void expect_near(const Eigen::MatrixBase<Derived>& found,
                 const Eigen::MatrixBase<Other>& expected) {
    const double scale = expected.cwiseAbs().maxCoeff();
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), kTolerance * scale);
}

using test::flat;

const MembraneStiffness kMembrane = {.warp = 900, .weft = 400, .shear = 150};

std::array<Vec3, 3> triangle(double scale, double stretched, unsigned seed) {
    return jittered<3>(
        {Vec3(0, 0, 0), Vec3(scale * stretched, 0, 0), Vec3(0, scale * stretched, 0)}, 0.2 * scale,
        seed);
}

std::array<Vec2, 3> rest_triangle(double scale) {
    return {Vec2(0, 0), Vec2(1.1 * scale, 0.2 * scale), Vec2(-0.1 * scale, 0.9 * scale)};
}

class AtScale : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Scales, AtScale, testing::Values(1e-3, 1.0, 1e3));

TEST_P(AtScale, MembraneGradientMatchesFiniteDifferences) {
    const MembraneShape shape = membrane_shape(rest_triangle(GetParam()));
    for (unsigned seed = 0; seed < 10; ++seed) {
        const auto corners = triangle(GetParam(), seed % 2 == 0 ? 1.3 : 0.7, seed);
        const auto value = [&](const auto& p) { return membrane_value(shape, kMembrane, p); };
        expect_near(flat(membrane_gradient(shape, kMembrane, corners)),
                    test::difference_gradient<3>(value, corners, GetParam()));
    }
}

TEST_P(AtScale, MembraneHessianMatchesFiniteDifferences) {
    const MembraneShape shape = membrane_shape(rest_triangle(GetParam()));
    for (unsigned seed = 0; seed < 10; ++seed) {
        const auto corners = triangle(GetParam(), seed % 2 == 0 ? 1.3 : 0.7, seed);
        const auto gradient = [&](const auto& p) { return membrane_gradient(shape, kMembrane, p); };
        expect_near(membrane_hessian(shape, kMembrane, corners),
                    test::difference_hessian<3>(gradient, corners, GetParam()));
    }
}

HingeCorners hinge(double scale, unsigned seed) {
    return jittered<4>({Vec3(0, scale, 0), Vec3(0, 0, 0), Vec3(scale, 0, 0), Vec3(0, -scale, 0)},
                       0.45 * scale, seed);
}

TEST_P(AtScale, DihedralGradientMatchesFiniteDifferences) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const HingeCorners corners = hinge(GetParam(), seed);
        expect_near(flat(dihedral_gradient(corners)),
                    test::difference_gradient<4>(dihedral_angle, corners, GetParam()));
    }
}

TEST_P(AtScale, DihedralHessianMatchesFiniteDifferences) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const HingeCorners corners = hinge(GetParam(), seed);
        expect_near(dihedral_hessian(corners),
                    test::difference_hessian<4>(dihedral_gradient, corners, GetParam()));
    }
}

/// Three corners and three far corners in the plane.
std::array<Vec2, 6> flat_six(double scale) {
    return {Vec2(0, 0),
            Vec2(scale, 0.1 * scale),
            Vec2(0.2 * scale, 0.8 * scale),
            Vec2(0.9 * scale, 1.1 * scale),
            Vec2(-0.7 * scale, 0.5 * scale),
            Vec2(0.4 * scale, -0.8 * scale)};
}

BendingCorners bent(double scale, unsigned seed) {
    BendingCorners corners;
    for (size_t i = 0; i < 6; ++i) {
        corners[i] = Vec3(flat_six(scale)[i][0], flat_six(scale)[i][1], 0);
    }
    return jittered<6>(corners, 0.25 * scale, seed);
}

BendingShape bending_triangle(double scale) {
    const auto q = flat_six(scale);
    BendingShape shape;
    shape.stiffness =
        slope_stiffness({q[0], q[1], q[2]}, {.warp = 3e-5, .weft = 1e-5, .twist = 2e-5});
    shape.rest_angles = {0.2, -0.1, 0.3};
    shape.has_hinge = {true, true, true};
    return shape;
}

const BendingSplit kSplit = {.share = Vec3(0.5, 0.3, 0.8), .offset = Vec3(0.1, -0.05, 0.2)};

TEST_P(AtScale, BendingGradientMatchesFiniteDifferences) {
    const BendingShape shape = bending_triangle(GetParam());
    for (unsigned seed = 0; seed < 10; ++seed) {
        const auto corners = bent(GetParam(), seed);
        const auto value = [&](const auto& p) { return bending_value(shape, kSplit, p); };
        expect_near(flat(bending_gradient(shape, kSplit, corners)),
                    test::difference_gradient<6>(value, corners, GetParam()));
    }
}

TEST_P(AtScale, BendingHessianMatchesFiniteDifferences) {
    BendingShape with_free_edge = bending_triangle(GetParam());
    with_free_edge.has_hinge[1] = false;
    with_free_edge.rest_angles[1] = 0;
    for (const BendingShape& shape : {bending_triangle(GetParam()), with_free_edge}) {
        for (unsigned seed = 0; seed < 10; ++seed) {
            const auto corners = bent(GetParam(), seed);
            const auto gradient = [&](const auto& q) { return bending_gradient(shape, kSplit, q); };
            expect_near(bending_hessian(shape, kSplit, corners),
                        test::difference_hessian<6>(gradient, corners, GetParam()));
        }
    }
}

template <class Matrix>
double smallest_eigenvalue(const Matrix& matrix) {
    Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix, Eigen::EigenvaluesOnly);
    return solver.eigenvalues()[0] / solver.eigenvalues().cwiseAbs().maxCoeff();
}

TEST_P(AtScale, PositiveHessiansAreSemiDefinite) {
    constexpr double kRounding = 1e-12;
    const MembraneShape membrane = membrane_shape(rest_triangle(GetParam()));
    const BendingShape bending = bending_triangle(GetParam());
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto corners = triangle(GetParam(), 0.6, seed);
        EXPECT_GE(smallest_eigenvalue(membrane_hessian_positive(membrane, kMembrane, corners)),
                  -kRounding);
        const auto six = bent(GetParam(), seed);
        EXPECT_GE(smallest_eigenvalue(bending_hessian_positive(bending, kSplit, six)), -kRounding);
    }
}

TEST(DihedralAngle, IsPositiveWhereTheSecondTriangleRisesTowardsTheNormalOfTheFirst) {
    const double angle = 0.4;
    const Vec3 far(0.5, -std::cos(angle), std::sin(angle));
    EXPECT_NEAR(dihedral_angle({Vec3(0.3, 1, 0), Vec3(0, 0, 0), Vec3(1, 0, 0), far}), angle, 1e-14);
    EXPECT_NEAR(dihedral_angle({far, Vec3(1, 0, 0), Vec3(0, 0, 0), Vec3(0.3, 1, 0)}), angle, 1e-14);
}

TEST(DihedralAngle, IsZeroWithZeroDerivativesForATriangleWithoutArea) {
    const HingeCorners flat_side = {Vec3(0.5, 0, 0), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0)};
    EXPECT_EQ(dihedral_angle(flat_side), 0.0);
    EXPECT_EQ(flat(dihedral_gradient(flat_side)).norm(), 0.0);
    EXPECT_EQ(dihedral_hessian(flat_side).norm(), 0.0);
    EXPECT_EQ(dihedral_angle({Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}), 0.0);
}

TEST(MembraneEnergy, IsFiniteAndWithoutForceWhereAStretchVectorVanishes) {
    const MembraneShape shape = membrane_shape(rest_triangle(1));
    const std::array<Vec3, 3> point = {Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3)};
    EXPECT_DOUBLE_EQ(membrane_value(shape, kMembrane, point),
                     0.5 * shape.area * (kMembrane.warp + kMembrane.weft));
    EXPECT_EQ(flat(membrane_gradient(shape, kMembrane, point)).norm(), 0.0);
    EXPECT_TRUE(membrane_hessian(shape, kMembrane, point).allFinite());
}

TEST(MembraneEnergy, VanishesForARestTriangleWithoutArea) {
    const MembraneShape shape = membrane_shape({Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)});
    EXPECT_EQ(shape.area, 0.0);
    EXPECT_EQ(membrane_value(shape, kMembrane, triangle(1, 1, 0)), 0.0);
}

TEST_P(AtScale, SlopesOfConstantCurvatureHaveTheEnergyOfAPlate) {
    const auto q = flat_six(GetParam());
    const BendingShape shape = bending_triangle(GetParam());
    const double area = membrane_shape({q[0], q[1], q[2]}).area;
    for (const Vec3& k : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, -2, 0.5)}) {
        const Mat2 curvature = (Mat2() << k[0], k[2], k[2], k[1]).finished();
        const auto height = [&](const Vec2& p) { return 0.5 * p.dot(curvature * p); };
        // Slope of the plane through the lifted corners.
        Mat2 edges;
        edges << (q[1] - q[0]).transpose(), (q[2] - q[0]).transpose();
        const Vec2 plane =
            edges.inverse() * Vec2(height(q[1]) - height(q[0]), height(q[2]) - height(q[0]));
        Vec3 slopes;
        for (int i = 0; i < 3; ++i) {
            const Vec2 a = q[(i + 1) % 3], b = q[(i + 2) % 3];
            const Vec2 outward = Vec2(b[1] - a[1], a[0] - b[0]).normalized();
            slopes[i] = outward.dot(curvature * (a + b) / 2 - plane);
        }
        const double plate =
            0.5 * area * (3e-5 * k[0] * k[0] + 1e-5 * k[1] * k[1] + 2 * 2e-5 * k[2] * k[2]);
        EXPECT_NEAR(0.5 * slopes.dot(shape.stiffness * slopes) / plate, 1, 1e-12);
    }
}

TEST(BendingEnergy, VanishesForARestTriangleWithoutArea) {
    EXPECT_EQ(slope_stiffness({Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)}, {1, 1, 1}).norm(), 0.0);
}

}  // namespace
}  // namespace toile
