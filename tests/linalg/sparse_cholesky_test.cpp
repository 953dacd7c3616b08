// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/sparse_cholesky.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <thread>

namespace toile {
namespace {

/// The Laplacian of an n x n (x n) grid plus `own` on the diagonal; of the lower triangle only.
SparseMatrix grid_matrix(int n, int layers, double own, double scale = 1) {
    const int size = n * n * layers;
    std::vector<double> diagonal(static_cast<size_t>(size), own * scale);
    std::vector<Eigen::Triplet<double>> entries;
    const auto connect = [&](int a, int b) {
        entries.emplace_back(std::max(a, b), std::min(a, b), -scale);
        diagonal[static_cast<size_t>(a)] += scale;
        diagonal[static_cast<size_t>(b)] += scale;
    };
    for (int k = 0; k < layers; ++k) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const int v = (k * n + j) * n + i;
                if (i + 1 < n) connect(v, v + 1);
                if (j + 1 < n) connect(v, v + n);
                if (k + 1 < layers) connect(v, v + n * n);
            }
        }
    }
    for (int v = 0; v < size; ++v) entries.emplace_back(v, v, diagonal[static_cast<size_t>(v)]);
    SparseMatrix matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

Eigen::MatrixXd random_columns(int rows, int columns) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> entry(-1, 1);
    Eigen::MatrixXd result(rows, columns);
    for (double& value : result.reshaped()) value = entry(random);
    return result;
}

Eigen::MatrixXd times(const SparseMatrix& lower, const Eigen::MatrixXd& x) {
    return lower.selfadjointView<Eigen::Lower>() * x;
}

class SparseCholeskyOf : public testing::TestWithParam<CholeskyBackend> {};

TEST_P(SparseCholeskyOf, SolvesLikeADenseFactor) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const SparseMatrix lower = grid_matrix(5, 1, 0.1, scale);
        const Eigen::MatrixXd full = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
        const Eigen::MatrixXd b = random_columns(25, 4);
        Eigen::MatrixXd x = b;
        SparseCholesky(lower, GetParam()).solve(x);
        const Eigen::MatrixXd expected = full.ldlt().solve(b);
        EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
    }
}

// Large and filled enough for CHOLMOD's supernodal form.
TEST_P(SparseCholeskyOf, SolvesALargeSystemWithASmallResidual) {
    const SparseMatrix lower = grid_matrix(16, 16, 0.01);
    const Eigen::MatrixXd b = random_columns(16 * 16 * 16, 3);
    Eigen::MatrixXd x = b;
    SparseCholesky(lower, GetParam()).solve(x);
    EXPECT_LT((times(lower, x) - b).norm(), 1e-12 * b.norm());
}

TEST_P(SparseCholeskyOf, SolvesVectorsInPlaceAsColumns) {
    const SparseMatrix lower = grid_matrix(12, 1, 0.5);
    const SparseCholesky factor(lower, GetParam());
    Eigen::MatrixXd columns = random_columns(144, 3);
    std::vector<Vec3> vectors(144);
    for (int i = 0; i < 144; ++i) vectors[static_cast<size_t>(i)] = columns.row(i).transpose();
    factor.solve(columns);
    factor.solve(vectors, vectors);
    for (int i = 0; i < 144; ++i) {
        EXPECT_EQ(vectors[static_cast<size_t>(i)], Vec3(columns.row(i).transpose()));
    }
}

TEST_P(SparseCholeskyOf, RefactorsNewValuesInTheSamePattern) {
    SparseCholesky factor(grid_matrix(8, 8, 0.1), GetParam());
    const SparseMatrix other = grid_matrix(8, 8, 3.0, 0.7);
    factor.refactor(other);
    const Eigen::MatrixXd b = random_columns(512, 2);
    Eigen::MatrixXd x = b, fresh = b;
    factor.solve(x);
    SparseCholesky(other, GetParam()).solve(fresh);
    EXPECT_LT((times(other, x) - b).norm(), 1e-12 * b.norm());
    EXPECT_LT((x - fresh).norm(), 1e-14 * fresh.norm());
}

TEST_P(SparseCholeskyOf, GivesTheSameBitsOnAnyNumberOfThreadsAndSideBySide) {
    const SparseMatrix lower = grid_matrix(14, 14, 0.01);
    const Eigen::MatrixXd b = random_columns(14 * 14 * 14, 3);
    Eigen::MatrixXd alone = b;
    {
        const ThreadLimit limit(1);
        SparseCholesky(lower, GetParam()).solve(alone);
    }
    const SparseCholesky factor(lower, GetParam());
    std::vector<Eigen::MatrixXd> results(4, b);
    {
        std::vector<std::jthread> threads;
        for (Eigen::MatrixXd& x : results) threads.emplace_back([&] { factor.solve(x); });
    }
    for (const Eigen::MatrixXd& x : results) EXPECT_EQ(x, alone);
}

TEST_P(SparseCholeskyOf, NamesTheRowThatIsNotPositive) {
    SparseMatrix lower = grid_matrix(6, 1, 1.0);
    lower.coeffRef(17, 17) = -2;
    try {
        const SparseCholesky factor(lower, GetParam());
        FAIL() << "a negative diagonal passed";
    } catch (const ComputationFailed& e) {
        EXPECT_NE(std::string(e.what()).find("row 17"), std::string::npos) << e.what();
    }
}

TEST_P(SparseCholeskyOf, RefusesSingularAndBrokenMatrices) {
    EXPECT_THROW(SparseCholesky(grid_matrix(9, 1, 0.0), GetParam()), ComputationFailed);
    EXPECT_THROW(SparseCholesky(grid_matrix(12, 12, 0.0), GetParam()), ComputationFailed);
    SparseMatrix broken = grid_matrix(4, 1, 1.0);
    broken.coeffRef(3, 3) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(SparseCholesky(broken, GetParam()), ComputationFailed);
    SparseMatrix empty_row(3, 3);
    empty_row.insert(0, 0) = 1;
    empty_row.insert(2, 2) = 1;
    empty_row.makeCompressed();
    EXPECT_THROW(SparseCholesky(empty_row, GetParam()), ComputationFailed);
    EXPECT_THROW(SparseCholesky(SparseMatrix(2, 3), GetParam()), InvalidInput);
}

TEST_P(SparseCholeskyOf, TakesSizesZeroAndOne) {
    const SparseCholesky none(SparseMatrix(0, 0), GetParam());
    EXPECT_EQ(none.size(), 0);
    none.solve(std::span<const Vec3>(), std::span<Vec3>());
    SparseMatrix one(1, 1);
    one.insert(0, 0) = 4;
    Eigen::MatrixXd x = Eigen::MatrixXd::Constant(1, 1, 2);
    SparseCholesky(one, GetParam()).solve(x);
    EXPECT_DOUBLE_EQ(x(0, 0), 0.5);
}

INSTANTIATE_TEST_SUITE_P(Backends, SparseCholeskyOf,
                         testing::Values(CholeskyBackend::Best, CholeskyBackend::Eigen),
                         [](const auto& test) {
                             return test.param == CholeskyBackend::Best ? "Best" : "Eigen";
                         });

}  // namespace
}  // namespace toile
