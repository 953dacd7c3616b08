// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/loose_gradient.h"

#include "toile/core/parallel.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

using Dense = Eigen::MatrixXd;

StencilList chain(int n_rows) {
    StencilList stencils;
    for (int i = 0; i + 1 < n_rows; ++i) stencils.add(std::array{i, i + 1});
    return stencils;
}

/// Springs between successive rows, and a mass.
BlockSparseMatrix spring_chain(int n_rows, double mass) {
    const StencilList stencils = chain(n_rows);
    BlockSparseMatrix matrix(n_rows, stencils);
    for (int s = 0; s < stencils.size(); ++s) {
        const std::vector<int> slots = matrix.slots_of(stencils[s]);
        Mat3 k = Mat3::Identity();
        k(s % 3, s % 3) = 3;
        for (int i = 0; i < 4; ++i) matrix.add(slots[i], i == 0 || i == 3 ? k : Mat3(-k));
    }
    for (int row = 0; row < n_rows; ++row) matrix.add_diagonal(row, mass);
    return matrix;
}

std::vector<StencilTerm> random_terms(int n, int n_rows, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> row(-1, n_rows - 1);
    std::uniform_real_distribution<double> number(0, 1);
    std::vector<StencilTerm> terms;
    for (int t = 0; t < n; ++t) {
        StencilTerm term;
        for (int i = 0; i < 4; ++i) {
            const int r = row(random);
            const bool twice = std::ranges::find(term.rows, r) != term.rows.end();
            term.rows[i] = twice ? -1 : r;
            term.weights[i] = i == 0 ? 1 : -number(random);
        }
        term.normal = Vec3(number(random) - 0.5, number(random), number(random)).normalized();
        term.along = 10 * number(random);
        term.across = number(random);
        terms.push_back(term);
    }
    return terms;
}

/// The same, assembled.
Dense assembled(std::span<const StencilTerm> terms, int n_rows) {
    Dense matrix = Dense::Zero(3 * n_rows, 3 * n_rows);
    for (const StencilTerm& term : terms) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                if (term.rows[i] < 0 || term.rows[j] < 0) continue;
                matrix.block<3, 3>(3 * term.rows[i], 3 * term.rows[j]) +=
                    term.weights[i] * term.weights[j] * term_block(term);
            }
        }
    }
    return matrix;
}

std::vector<Vec3> random_vector(int n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    std::vector<Vec3> x(n);
    for (Vec3& v : x) v = Vec3(entry(random), entry(random), entry(random));
    return x;
}

VecX flat(std::span<const Vec3> x) {
    return Eigen::Map<const VecX>(x[0].data(), 3 * static_cast<Eigen::Index>(x.size()));
}

TEST(StencilOperator, MultipliesAsTheAssembledMatrixInBothPrecisions) {
    const int n = 50;
    const std::vector<StencilTerm> terms = random_terms(200, n, 1);
    StencilOperator springs;
    springs.set(terms, n);
    const std::vector<Vec3> x = random_vector(n, 2);
    std::vector<Vec3> y(n, Vec3::Zero());
    springs.add_product(x, y);
    const VecX expected = assembled(terms, n) * flat(x);
    EXPECT_LT((flat(y) - expected).norm(), 1e-12 * expected.norm());

    std::vector<Eigen::Vector4f> xf(n, Eigen::Vector4f::Zero()), yf(n, Eigen::Vector4f::Zero());
    for (int v = 0; v < n; ++v) xf[v].head<3>() = x[v].cast<float>();
    springs.add_product(xf, yf);
    for (int v = 0; v < n; ++v) {
        EXPECT_LT((yf[v].head<3>().cast<double>() - y[v]).norm(), 1e-5 * expected.norm());
        EXPECT_EQ(yf[v][3], 0);
    }
}

TEST(StencilOperator, GivesTheDiagonalBlocksOfTheAssembledMatrix) {
    const int n = 20;
    const std::vector<StencilTerm> terms = random_terms(60, n, 3);
    StencilOperator springs;
    springs.set(terms, n);
    std::vector<Mat3> diagonal(n, Mat3::Zero());
    springs.add_diagonal(diagonal);
    const Dense matrix = assembled(terms, n);
    for (int v = 0; v < n; ++v) {
        EXPECT_LT((diagonal[v] - matrix.block<3, 3>(3 * v, 3 * v)).norm(), 1e-12 * matrix.norm());
    }
}

class TwoChains : public testing::Test {
  protected:
    BlockSparseMatrix first_ = spring_chain(40, 0.5), second_ = spring_chain(25, 0.2);
    std::vector<const BlockSparseMatrix*> matrices_ = {&first_, &second_};
    std::vector<StencilTerm> terms_ = random_terms(30, 65, 5);
    std::vector<Vec3> rhs_ = random_vector(65, 6);
    int least_rows_for_coarse_ = 1000;
    int iterations_ = 0;

    [[nodiscard]] Dense dense() const {
        Dense matrix = assembled(terms_, 65);
        first_.for_each_block(
            [&](int r, int c, const Mat3& block) { matrix.block<3, 3>(3 * r, 3 * c) += block; });
        second_.for_each_block([&](int r, int c, const Mat3& block) {
            matrix.block<3, 3>(120 + 3 * r, 120 + 3 * c) += block;
        });
        return matrix;
    }

    std::vector<Vec3> solve(std::span<const char> fixed, std::vector<Vec3> x, double tolerance) {
        LooseGradient solver(matrices_, least_rows_for_coarse_);
        StencilOperator springs;
        springs.set(terms_, 65);
        solver.set_matrices(fixed, terms_);
        const LooseReport report =
            solver.solve(springs, rhs_, x, {.relative_tolerance = tolerance});
        iterations_ = report.solve.iterations;
        EXPECT_EQ(report.solve.status, SolveStatus::Converged);
        return x;
    }
};

TEST_F(TwoChains, CoupledBySpringsAreSolvedAsTheDenseMatrix) {
    const std::vector<Vec3> x =
        solve(std::vector<char>(65, 0), std::vector<Vec3>(65, Vec3::Zero()), 1e-5);
    const VecX exact = dense().ldlt().solve(flat(rhs_));
    EXPECT_LT((flat(x) - exact).norm(), 1e-4 * exact.norm());
}

TEST_F(TwoChains, KeepFixedRowsAndFeelThem) {
    std::vector<char> fixed(65, 0);
    std::vector<Vec3> start(65, Vec3::Zero());
    fixed[0] = fixed[50] = 1;
    start[0] = Vec3(1, 2, 3);
    start[50] = Vec3(-2, 0, 1);
    const std::vector<Vec3> x = solve(fixed, start, 1e-5);
    EXPECT_EQ(x[0], start[0]);
    EXPECT_EQ(x[50], start[50]);
    const VecX residual = flat(rhs_) - dense() * flat(x);
    for (int v = 0; v < 65; ++v) {
        if (fixed[v]) continue;
        EXPECT_LT(residual.segment<3>(3 * v).norm(), 1e-3) << v;
    }
}

/// What single precision cannot know any more is not taken for an answer.
TEST_F(TwoChains, AreSolvedToTheToleranceFromAnyStart) {
    const std::vector<Vec3> far = random_vector(65, 9);
    const std::vector<Vec3> rhs = rhs_;
    for (const double size : {1e-2, 1e-6, 1e-9, 0.0}) {
        for (size_t v = 0; v < rhs.size(); ++v) rhs_[v] = size * rhs[v];
        const std::vector<Vec3> x = solve(std::vector<char>(65, 0), far, 1e-2);
        const VecX exact = dense().ldlt().solve(flat(rhs_));
        EXPECT_LE((flat(x) - exact).norm(), 0.1 * exact.norm()) << size;
        EXPECT_LT(iterations_, 400) << size;
    }
}

TEST_F(TwoChains, AreSolvedWithACoarseSpaceAsTheDenseMatrix) {
    least_rows_for_coarse_ = 0;
    std::vector<char> fixed(65, 0);
    fixed[10] = 1;
    std::vector<Vec3> start(65, Vec3::Zero());
    const std::vector<Vec3> x = solve(fixed, start, 1e-5);
    Dense matrix = dense();
    VecX rhs = flat(rhs_);
    for (int i = 30; i < 33; ++i) {
        matrix.row(i).setZero();
        matrix.col(i).setZero();
        matrix(i, i) = 1;
        rhs[i] = 0;
    }
    const VecX exact = matrix.ldlt().solve(rhs);
    EXPECT_LT((flat(x) - exact).norm(), 1e-4 * exact.norm());
}

TEST(CoarseSpace, SavesIterationsOnALongChain) {
    const int n = 2000;
    const BlockSparseMatrix chain = spring_chain(n, 1e-4);
    const std::vector<const BlockSparseMatrix*> matrices = {&chain};
    const std::vector<Vec3> rhs = random_vector(n, 9);
    StencilOperator none;
    none.set({}, n);
    std::array<int, 2> iterations{};
    for (const int k : {0, 1}) {
        LooseGradient solver(matrices, k == 0 ? n + 1 : n);
        solver.set_matrices(std::vector<char>(n, 0));
        std::vector<Vec3> x(n, Vec3::Zero());
        const LooseReport report = solver.solve(none, rhs, x, {.relative_tolerance = 1e-3});
        EXPECT_EQ(report.solve.status, SolveStatus::Converged);
        iterations[k] = report.solve.iterations;
    }
    EXPECT_LT(3 * iterations[1], iterations[0]);
}

TEST(CoarseSpace, CutsThePatternIntoAggregatesOfTheAskedSize) {
    const BlockSparseMatrix chain = spring_chain(400, 1);
    const CoarseSpace coarse(chain.first(), chain.columns(), 40);
    EXPECT_EQ(coarse.n_aggregates(), 10);
    std::vector<int> count(10, 0);
    for (const int a : coarse.aggregate_of()) ++count[a];
    for (const int n : count) EXPECT_EQ(n, 40);
}

TEST_F(TwoChains, AreSolvedToTheSameBitsOnAnyNumberOfThreads) {
    std::vector<std::vector<Vec3>> answers;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        answers.push_back(
            solve(std::vector<char>(65, 0), std::vector<Vec3>(65, Vec3::Zero()), 1e-3));
    }
    EXPECT_EQ(answers[0], answers[1]);
    EXPECT_EQ(answers[0], answers[2]);
}

TEST_F(TwoChains, SayWhereANumberIsNotFinite) {
    LooseGradient solver(matrices_);
    StencilOperator springs;
    springs.set(terms_, 65);
    solver.set_matrices(std::vector<char>(65, 0));
    rhs_[3][1] = std::numeric_limits<double>::quiet_NaN();
    std::vector<Vec3> x(65, Vec3::Zero());
    const LooseReport report = solver.solve(springs, rhs_, x, {});
    EXPECT_EQ(report.solve.status, SolveStatus::NotFinite);
}

}  // namespace
}  // namespace toile
