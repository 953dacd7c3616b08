// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/fit_system.h"

#include "correspondence/blobs.h"
#include "toile/correspondence/fit_energy.h"
#include "toile/deformation/gradient.h"
#include "toile/mesh/topology.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

Eigen::MatrixXd dense(const SparseMatrix& lower) {
    return Eigen::MatrixXd(SparseMatrix(lower.selfadjointView<Eigen::Lower>()));
}

std::vector<Vec3> random_vectors(int n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vec3> result;
    for (int i = 0; i < n; ++i)
        result.emplace_back(uniform(random), uniform(random), uniform(random));
    return result;
}

double energy_of(const Eigen::MatrixXd& k, const std::vector<Vec3>& d) {
    double sum = 0;
    for (Eigen::Index i = 0; i < k.rows(); ++i) {
        for (Eigen::Index j = 0; j < k.cols(); ++j) {
            sum += k(i, j) * d[static_cast<size_t>(i)].dot(d[static_cast<size_t>(j)]);
        }
    }
    return sum;
}

/// The edges to the three other corners of a triangle's tetrahedron, the fourth at its own place.
Mat3 tetrahedron(const std::vector<Vec3>& x, const Triangle& t, const Vec3& fourth) {
    const Vec3& a = x[static_cast<size_t>(t[0])];
    Mat3 edges;
    edges << x[static_cast<size_t>(t[1])] - a, x[static_cast<size_t>(t[2])] - a, fourth - a;
    return edges;
}

TEST(FitEnergy, OfTheFullFormIsTheSumOverTrianglesAndNeighbours) {
    const TriangleMesh mesh = test::blob_source(1);
    const FitWeights weights{1.5, 0.25};
    const std::vector<Vec3> d = random_vectors(mesh.n_vertices() + mesh.n_triangles(), 1);
    std::vector<Mat3> gradients;
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        const Triangle& triangle = mesh.triangles[static_cast<size_t>(t)];
        const Vec3& a = mesh.positions[static_cast<size_t>(triangle[0])];
        const Vec3 n = (mesh.positions[static_cast<size_t>(triangle[1])] - a)
                           .cross(mesh.positions[static_cast<size_t>(triangle[2])] - a);
        const Mat3 rest = tetrahedron(mesh.positions, triangle, a + n / std::sqrt(n.norm()));
        const Mat3 moved = tetrahedron(d, triangle, d[static_cast<size_t>(mesh.n_vertices() + t)]);
        gradients.emplace_back(moved * rest.inverse());
    }
    double expected = 0;
    for (const Mat3& g : gradients) expected += weights.identity * g.squaredNorm();
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    for (int e = 0; e < topology.n_edges(); ++e) {
        const auto around = topology.triangles_of_edge(e);
        const Mat3 jump =
            gradients[static_cast<size_t>(around[0])] - gradients[static_cast<size_t>(around[1])];
        expected += 2 * weights.smoothness * jump.squaredNorm();
    }
    const Eigen::MatrixXd k = dense(full_energy(mesh.positions, mesh.triangles, weights));
    EXPECT_NEAR(energy_of(k, d), expected, 1e-9 * expected);
}

TEST(FitEnergy, IsZeroForTranslationsAndPositiveElse) {
    const TriangleMesh mesh = test::blob_source(1);
    for (const SparseMatrix& lower : {plate_energy(mesh.positions, mesh.triangles, {}),
                                      full_energy(mesh.positions, mesh.triangles, {})}) {
        const Eigen::MatrixXd k = dense(lower);
        EXPECT_LT((k * VecX::Ones(k.cols())).cwiseAbs().maxCoeff(),
                  1e-10 * k.cwiseAbs().maxCoeff());
        const VecX values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
        EXPECT_GT(values[0], -1e-10 * values.maxCoeff());
        EXPECT_GT(values[1], 1e-6 * values.maxCoeff() / static_cast<double>(k.cols()));
    }
}

TEST(FitEnergy, OfASheetWithoutAreaInPlacesIsFinite) {
    TriangleMesh mesh = test::blob_source(1);
    mesh.triangles.push_back({0, 0, 1});
    mesh.triangles.push_back({0, 1, 1});
    mesh.positions.push_back(mesh.positions[3]);
    mesh.triangles.push_back({3, mesh.n_vertices() - 1, 4});
    mesh.positions.emplace_back(5, 5, 5);
    for (const SparseMatrix& lower : {plate_energy(mesh.positions, mesh.triangles, {}),
                                      full_energy(mesh.positions, mesh.triangles, {})}) {
        EXPECT_TRUE(dense(lower).allFinite());
    }
}

/// A plate with some rows held and pulls on the others.
class FitSystemTest : public testing::Test {
  protected:
    FitSystemTest()
        : mesh_(test::blob_source(1)),
          lower_(plate_energy(mesh_.positions, mesh_.triangles, {})),
          held_(mesh_.positions.size(), 0),
          anchors_(mesh_.positions.size(), 0.0),
          start_(random_vectors(mesh_.n_vertices(), 2)),
          pulls_(mesh_.positions.size()) {
        for (const int v : {0, 7, 20}) held_[static_cast<size_t>(v)] = 1;
        const std::vector<Vec3> places = random_vectors(mesh_.n_vertices(), 3);
        const std::vector<Vec3> normals = random_vectors(mesh_.n_vertices(), 4);
        for (size_t v = 0; v < pulls_.size(); v += 2) {
            pulls_[v] = {places[v], normals[v].normalized(), 0.5, 0.005};
        }
    }
    /// The 3n system, whole.
    std::vector<Vec3> slowly() const {
        const Eigen::MatrixXd k = dense(lower_);
        const Eigen::Index n = k.rows();
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * n, 3 * n);
        VecX b = VecX::Zero(3 * n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto v = static_cast<size_t>(i);
            if (held_[v]) {
                a.block<3, 3>(3 * i, 3 * i).setIdentity();
                b.segment<3>(3 * i) = start_[v];
                continue;
            }
            for (Eigen::Index j = 0; j < n; ++j) {
                a.block<3, 3>(3 * i, 3 * j) += k(i, j) * Mat3::Identity();
            }
            const Pull& p = pulls_[v];
            const Mat3 w = p.across * Mat3::Identity() +
                           (p.along - p.across) * p.normal * p.normal.transpose();
            a.block<3, 3>(3 * i, 3 * i) += w;
            b.segment<3>(3 * i) = w * p.place;
        }
        const VecX x = a.fullPivLu().solve(b);
        std::vector<Vec3> result;
        for (Eigen::Index i = 0; i < n; ++i) result.emplace_back(x.segment<3>(3 * i));
        return result;
    }
    void expect_agreement(double tolerance) {
        FitSystem system(lower_, held_, anchors_);
        system.max_iterations = 200;
        system.relative_tolerance = 1e-12;
        std::vector<Vec3> d = start_;
        system.solve(pulls_, 0.15, d);
        const std::vector<Vec3> expected = slowly();
        for (size_t v = 0; v < d.size(); ++v) EXPECT_LT((d[v] - expected[v]).norm(), tolerance);
    }

    TriangleMesh mesh_;
    SparseMatrix lower_;
    std::vector<char> held_;
    std::vector<double> anchors_;
    std::vector<Vec3> start_;
    std::vector<Pull> pulls_;
};

TEST_F(FitSystemTest, PullsAlongNormalsAgreeWithTheDenseSystem) {
    expect_agreement(1e-8);
}

TEST_F(FitSystemTest, PullsToPointsAreExact) {
    for (Pull& pull : pulls_) pull.across = pull.along;
    expect_agreement(1e-10);
}

TEST_F(FitSystemTest, HeldRowsStay) {
    FitSystem system(lower_, held_, anchors_);
    std::vector<Vec3> d = start_;
    system.solve(pulls_, 0.15, d);
    for (const size_t v : {0, 7, 20}) EXPECT_EQ(d[v], start_[v]);
}

TEST_F(FitSystemTest, ForceOverStiffnessIsTheWayToWhereTheOthersPutARow) {
    FitSystem system(lower_, held_, anchors_);
    std::vector<Vec3> d = start_;
    const std::vector<Pull> none(pulls_.size());
    system.solve(none, 0, d);
    const std::vector<int> rows = {7};
    const Vec3 predicted = d[7] - system.force(7, d) / system.stiffness(rows)[0];
    held_[7] = 0;
    FitSystem without(lower_, held_, anchors_);
    std::vector<Vec3> left_out = start_;
    without.solve(none, 0, left_out);
    EXPECT_LT((predicted - left_out[7]).norm(), 1e-10);
}

}  // namespace
}  // namespace toile
