// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/gradient.h"

#include "support/mesh_battery.h"
#include "toile/core/parallel.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/transform.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace toile {
namespace {

using Corners = std::array<Vec3, 3>;

Corners random_corners(unsigned seed, double scale) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-scale, scale);
    Corners p;
    for (Vec3& v : p) v = Vec3(entry(random), entry(random), entry(random));
    return p;
}

TriangleHats hats_of(const Corners& p) {
    const std::vector<Triangle> triangle = {{0, 1, 2}};
    return triangle_hats(p, triangle)[0];
}

/// [Sumner04, eqs. 1-4] as it stands.
Mat3 slow_gradient(const Corners& rest, const Corners& pose) {
    const auto edges = [](const Corners& p) {
        const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
        Mat3 v;
        v << p[1] - p[0], p[2] - p[0], n / std::sqrt(n.norm());
        return v;
    };
    return edges(pose) * edges(rest).inverse();
}

TEST(TriangleHats, AreTheDifferencesOfBarycentricCoordinates) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const Corners p = random_corners(1, scale);
        const TriangleHats hats = hats_of(p);
        const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
        EXPECT_NEAR(hats.area, triangle_area(p[0], p[1], p[2]), 1e-14 * scale * scale);
        for (size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(hats.hats[c].dot(normal) * scale, 0, 1e-14);
            for (size_t other = 0; other < 3; ++other) {
                const double along = hats.hats[c].dot(p[other] - p[c]);
                EXPECT_NEAR(along, other == c ? 0 : -1, 1e-13);
            }
        }
    }
}

TEST(TriangleHats, AreZeroWhereThereIsNoArea) {
    const std::vector<Vec3> p = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {1, 1, 1}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 1, 1}, {0, 1, 3}, {2, 2, 2}};
    for (const TriangleHats& hats : triangle_hats(p, triangles)) {
        EXPECT_TRUE(hats.degenerate);
        EXPECT_EQ(hats.area, 0);
        for (const Vec3& hat : hats.hats) EXPECT_EQ(hat, Vec3::Zero());
    }
}

TEST(TriangleHats, KeepThinTriangles) {
    EXPECT_FALSE(hats_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 1e-8, 0)}).degenerate);
}

TEST(DeformationGradient, IsTheFourthVertexFormula) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const Corners rest = random_corners(2, scale), pose = random_corners(3, scale);
        const Mat3 slow = slow_gradient(rest, pose);
        EXPECT_LT((deformation_gradient(rest, pose) - slow).norm(), 1e-12 * slow.norm());
    }
}

TEST(DeformationGradient, OfAUniformScaleAndRotationIsThat) {
    const Corners rest = random_corners(4, 1);
    for (const double scale : {1e-3, 0.4, 1e3}) {
        const Mat3 m = scale * rotation_about_axis(Vec3(1, -2, 0.5), 2.5);
        const Corners pose = {m * rest[0], m * rest[1], m * rest[2]};
        EXPECT_LT((deformation_gradient(rest, pose) - m).norm(), 1e-13 * scale);
    }
}

TEST(DeformationGradient, IsTheIdentityOnATriangleWithoutArea) {
    const Corners flat = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
    EXPECT_EQ(deformation_gradient(flat, random_corners(5, 1)), Mat3::Identity());
}

TEST(DeformationGradient, MovesEdgesButNotTheNormalOfATriangleThatCollapses) {
    const Corners rest = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    const Corners pose = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
    const Mat3 f = deformation_gradient(rest, pose);
    EXPECT_EQ(f.col(0), Vec3(1, 0, 0));
    EXPECT_EQ(f.col(1), Vec3(2, 0, 0));
    EXPECT_EQ(f.col(2), Vec3::Zero());
    EXPECT_EQ(deformation_gradient(rest, {Vec3::Ones(), Vec3::Ones(), Vec3::Ones()}), Mat3::Zero());
}

TEST(DeformationGradients, AreTheSameBitsOnAnyNumberOfThreads) {
    const TriangleMesh rest = make_sphere({.subdivisions = 5});
    std::vector<Vec3> pose = rest.positions;
    for (Vec3& p : pose) p = Vec3(p.x() * p.y(), p.y() + p.z(), std::sin(p.z()));
    std::vector<Mat3> all(rest.triangles.size()), one(rest.triangles.size());
    deformation_gradients(rest.triangles, rest.positions, pose, all);
    {
        const ThreadLimit limit(1);
        deformation_gradients(rest.triangles, rest.positions, pose, one);
    }
    EXPECT_EQ(all, one);
}

/// Gᵀ D G with the 3 m × n gradient operator as a dense matrix.
Eigen::MatrixXd slow_laplacian(const TriangleMesh& mesh) {
    const std::vector<TriangleHats> hats = triangle_hats(mesh.positions, mesh.triangles);
    Eigen::MatrixXd l = Eigen::MatrixXd::Zero(mesh.n_vertices(), mesh.n_vertices());
    for (size_t t = 0; t < hats.size(); ++t) {
        Eigen::MatrixXd g = Eigen::MatrixXd::Zero(3, mesh.n_vertices());
        for (size_t c = 0; c < 3; ++c) g.col(mesh.triangles[t][c]) += hats[t].hats[c];
        l += hats[t].area * g.transpose() * g;
    }
    return l;
}

TEST(Laplacian, IsTheProductOfGradientsOnEveryKindOfMesh) {
    for (const test::BatteryMesh& item : test::mesh_battery()) {
        const TriangleMesh& mesh = item.mesh;
        const auto hats = triangle_hats(mesh.positions, mesh.triangles);
        const SparseMatrix lower = laplacian(hats, mesh.triangles, mesh.n_vertices());
        const Eigen::MatrixXd full = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
        EXPECT_LT((full - slow_laplacian(mesh)).norm(), 1e-13) << item.name;
        for (int column = 0; column < lower.cols(); ++column) {
            SparseMatrix::InnerIterator entry(lower, column);
            ASSERT_TRUE(entry) << item.name;
            EXPECT_EQ(entry.row(), column) << item.name;
        }
    }
}

TEST(Laplacian, VanishesOnConstantsAndDoesNotDependOnScale) {
    TriangleMesh mesh = make_sphere({.subdivisions = 3});
    const auto build = [&](double scale) {
        std::vector<Vec3> p = mesh.positions;
        for (Vec3& v : p) v *= scale;
        return laplacian(triangle_hats(p, mesh.triangles), mesh.triangles, mesh.n_vertices());
    };
    const SparseMatrix unit = build(1);
    const VecX ones = VecX::Ones(mesh.n_vertices());
    EXPECT_LT((unit.selfadjointView<Eigen::Lower>() * ones).norm(), 1e-11);
    for (const double scale : {1e-3, 1e3}) EXPECT_LT((build(scale) - unit).norm(), 1e-10);
}

TEST(VertexAreas, SumToTheArea) {
    const TriangleMesh mesh = make_sphere({.subdivisions = 3});
    const auto hats = triangle_hats(mesh.positions, mesh.triangles);
    double sum = 0;
    for (const double a : vertex_areas(hats, mesh.triangles, mesh.n_vertices())) sum += a;
    EXPECT_NEAR(sum, total_area(mesh.positions, mesh.triangles), 1e-12);
}

}  // namespace
}  // namespace toile
