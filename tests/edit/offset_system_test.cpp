// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/offset_system.h"

#include "support/mesh_battery.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/sphere.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace toile {
namespace {

// The least squares written out row by row and solved densely by QR, with gradients from the edges'
// pseudo-inverse: shares nothing with the system but the problem.
std::vector<Vec3> dense_twin(const EditRegion& region, std::span<const Vec3> positions,
                             std::span<const Mat3> gradients, std::span<const Vec3> targets,
                             double pull_length) {
    const int n_triangles = static_cast<int>(region.triangles.size());
    double area = 0;
    for (const auto& [a, b, c] : region.local_triangles) {
        area += triangle_area(positions[a], positions[b], positions[c]);
    }
    const double radius = std::sqrt(area / std::numbers::pi);
    const double lambda = 1 / (pull_length * radius * pull_length * radius);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * n_triangles + region.n_free, region.n_free);
    Eigen::MatrixXd wanted = Eigen::MatrixXd::Zero(matrix.rows(), 3);
    for (int k = 0; k < n_triangles; ++k) {
        const auto& [a, b, c] = region.local_triangles[k];
        Eigen::Matrix<double, 3, 2> edges;
        edges << positions[b] - positions[a], positions[c] - positions[a];
        const Eigen::Matrix<double, 2, 3> inverse =
            (edges.transpose() * edges).inverse() * edges.transpose();
        const double own_area = triangle_area(positions[a], positions[b], positions[c]);
        const double root = std::sqrt(own_area);
        const Eigen::Matrix3d of_corner = (Eigen::Matrix3d() << -(inverse.row(0) + inverse.row(1)),
                                           inverse.row(0), inverse.row(1))
                                              .finished();
        for (int c3 = 0; c3 < 3; ++c3) {
            const int i = region.local_triangles[k][c3];
            if (i >= region.n_free) continue;
            matrix.block<3, 1>(3 * k, i) += root * of_corner.row(c3).transpose();
            matrix(3 * n_triangles + i, i) += lambda * own_area / 3;
        }
        // Only the part of G within the triangle's plane can be met; the rest is constant.
        wanted.block<3, 3>(3 * k, 0) = root * (gradients[k] * edges * inverse).transpose();
    }
    for (int i = 0; i < region.n_free; ++i) {
        double& pull = matrix(3 * n_triangles + i, i);
        pull = std::sqrt(pull);
        wanted.row(3 * n_triangles + i) = pull * targets[i].transpose();
    }
    const Eigen::MatrixXd solved = matrix.colPivHouseholderQr().solve(wanted);
    std::vector<Vec3> offsets;
    for (int i = 0; i < region.n_free; ++i) offsets.emplace_back(solved.row(i).transpose());
    return offsets;
}

struct Problem {
    TriangleMesh mesh;
    EditRegion region;
    std::vector<Vec3> positions;
    std::vector<Mat3> gradients;
    std::vector<Vec3> targets;
};

Problem random_problem(double scale, int n_moved) {
    Problem problem;
    problem.mesh = make_sphere({.radius = scale, .subdivisions = 2});
    std::vector<int> moved;
    for (int v = 0; v < n_moved; ++v) moved.push_back(v);
    problem.region = make_edit_region(problem.mesh.triangles, problem.mesh.n_vertices(), moved, 0);
    problem.positions = gather(problem.region, problem.mesh.positions);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (size_t k = 0; k < problem.region.triangles.size(); ++k) {
        problem.gradients.push_back(Mat3::NullaryExpr([&] { return any(random); }));
    }
    for (size_t i = 0; i < problem.region.vertices.size(); ++i) {
        const bool border = static_cast<int>(i) >= problem.region.n_free;
        const Vec3 target = scale * Vec3::NullaryExpr([&] { return any(random); });
        problem.targets.push_back(border ? Vec3(Vec3::Zero()) : target);
    }
    return problem;
}

TEST(OffsetSystem, SolvesTheLeastSquaresOfItsDenseTwin) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (const int n_moved : {1, 40, 162}) {  // 162: all vertices, no border
            const Problem problem = random_problem(scale, n_moved);
            const std::vector<Vec3> expected = dense_twin(problem.region, problem.positions,
                                                          problem.gradients, problem.targets, 0.7);
            const auto hats = triangle_hats(problem.positions, problem.region.local_triangles);
            std::vector<Mat3> gradients = problem.gradients;
            std::vector<Vec3> found(static_cast<size_t>(n_moved));
            OffsetSystem(problem.region, hats, 0.7).solve(gradients, problem.targets, found);
            for (int i = 0; i < n_moved; ++i) {
                EXPECT_LE((found[i] - expected[i]).norm(), 1e-11 * scale) << scale << " " << i;
            }
        }
    }
}

TEST(OffsetSystem, GivesBackTargetsThatHaveTheWantedGradients) {
    Problem problem = random_problem(1, 162);
    const auto hats = triangle_hats(problem.positions, problem.region.local_triangles);
    for (size_t k = 0; k < hats.size(); ++k) {
        problem.gradients[k].setZero();
        for (int c = 0; c < 3; ++c) {
            problem.gradients[k] +=
                problem.targets[problem.region.local_triangles[k][c]] * hats[k].hats[c].transpose();
        }
    }
    std::vector<Vec3> found(162);
    OffsetSystem(problem.region, hats, 100).solve(problem.gradients, problem.targets, found);
    for (int i = 0; i < 162; ++i) EXPECT_LE((found[i] - problem.targets[i]).norm(), 1e-14);
}

TEST(OffsetSystem, IsSolvableOnEveryMesh) {
    for (const test::BatteryMesh& battery : test::mesh_battery()) {
        std::vector<int> moved;
        for (int v = 0; v < battery.mesh.n_vertices(); ++v) moved.push_back(v);
        const EditRegion region =
            make_edit_region(battery.mesh.triangles, battery.mesh.n_vertices(), moved, 0);
        const std::vector<Vec3> positions = gather(region, battery.mesh.positions);
        const auto hats = triangle_hats(positions, region.local_triangles);
        std::vector<Mat3> gradients(hats.size(), Mat3::Zero());
        const std::vector<Vec3> targets(moved.size(), Vec3(1, 2, 3));
        std::vector<Vec3> found(moved.size());
        OffsetSystem(region, hats, 1).solve(gradients, targets, found);
        for (const Vec3& u : found) {
            EXPECT_LE((u - Vec3(1, 2, 3)).norm(), 1e-12) << battery.name;
        }
    }
}

}  // namespace
}  // namespace toile
