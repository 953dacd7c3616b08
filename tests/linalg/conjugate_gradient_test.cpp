// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/conjugate_gradient.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/linalg/element_schedule.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace toile {
namespace {

using Dense = Eigen::MatrixXd;

/// A chain of hinges: stencils of four successive rows.
StencilList chain(int n_rows) {
    StencilList stencils;
    for (int i = 0; i + 3 < n_rows; ++i) stencils.add(std::array{i, i + 1, i + 2, i + 3});
    return stencils;
}

/// Random positive definite: each stencil adds B Bᵀ, each row `own` times the identity.
BlockSparseMatrix random_matrix(int n_rows, double own, unsigned seed) {
    const StencilList stencils = chain(n_rows);
    BlockSparseMatrix matrix(n_rows, stencils);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    for (int s = 0; s < stencils.size(); ++s) {
        Dense b(12, 5);
        for (double& value : b.reshaped()) value = entry(random);
        const Dense element = b * b.transpose();
        const std::vector<int> slots = matrix.slots_of(stencils[s]);
        for (int i = 0; i < 16; ++i) {
            matrix.add(slots[i], element.block<3, 3>(3 * (i / 4), 3 * (i % 4)));
        }
    }
    for (int row = 0; row < n_rows; ++row) matrix.add_diagonal(row, own);
    return matrix;
}

Dense dense(const BlockSparseMatrix& matrix) {
    Dense result = Dense::Zero(3 * matrix.n_rows(), 3 * matrix.n_rows());
    matrix.for_each_block([&](int row, int column, const Mat3& block) {
        result.block<3, 3>(3 * row, 3 * column) = block;
    });
    return result;
}

std::vector<Vec3> random_vector(int n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    std::vector<Vec3> x(n);
    for (Vec3& v : x) v = Vec3(entry(random), entry(random), entry(random));
    return x;
}

VecX flat(std::span<const Vec3> x) {
    return Eigen::Map<const VecX>(x.data()->data(), 3 * static_cast<int>(x.size()));
}

const ConjugateGradientOptions kExact = {.relative_tolerance = 1e-13};

TEST(BlockSparseMatrix, MultipliesAsItsDenseTwin) {
    const BlockSparseMatrix matrix = random_matrix(40, 0.1, 1);
    const auto x = random_vector(40, 2);
    std::vector<Vec3> y(40);
    matrix.multiply(x, y);
    EXPECT_LE((flat(y) - dense(matrix) * flat(x)).norm(), 1e-13 * flat(y).norm());
}

TEST(BlockSparseMatrix, HasExactlyThePatternOfItsStencils) {
    const BlockSparseMatrix matrix(6, chain(6));
    EXPECT_EQ(matrix.n_blocks(), 6 + 2 * (5 + 4 + 3));
    EXPECT_GE(matrix.slot(0, 3), 0);
    EXPECT_EQ(matrix.slot(0, 4), -1);
    EXPECT_THROW(BlockSparseMatrix(3, chain(6)), InvalidInput);
}

TEST(BlockSparseMatrix, OfNoRowsMultipliesNothing) {
    const BlockSparseMatrix matrix(0, {});
    matrix.multiply({}, {});
    EXPECT_EQ(matrix.n_blocks(), 0);
}

TEST(ConjugateGradient, SolvesAsTheDenseTwinAtAnyScale) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
        BlockSparseMatrix matrix(30, chain(30));
        random_matrix(30, 0.1, 3).for_each_block([&](int row, int column, const Mat3& block) {
            matrix.add(matrix.slot(row, column), scale * block);
        });
        const auto b = random_vector(30, 4);
        std::vector<Vec3> x(30, Vec3::Zero());
        ConjugateGradient solver;
        const SolveReport report = solver.solve({matrix}, b, {}, x, kExact);
        EXPECT_EQ(report.status, SolveStatus::Converged);
        const VecX exact = dense(matrix).llt().solve(flat(b));
        EXPECT_LE((flat(x) - exact).norm(), 1e-10 * exact.norm());
    }
}

TEST(ConjugateGradient, KeepsFiltersExactlyAndSolvesTheRestAsTheDenseTwin) {
    const BlockSparseMatrix matrix = random_matrix(30, 0.1, 5);
    const auto b = random_vector(30, 6);
    const Vec3 normal = Vec3(1, 2, 2) / 3;
    const RowFilter filters[] = {
        {.row = 0, .value = Vec3(1, 2, 3)},
        {.row = 7, .free = Mat3::Identity() - normal * normal.transpose(), .value = 2 * normal},
        {.row = 20, .free = normal * normal.transpose()}};
    auto x = random_vector(30, 7);
    ConjugateGradient solver;
    ASSERT_EQ(solver.solve({matrix}, b, filters, x, kExact).status, SolveStatus::Converged);
    EXPECT_EQ(x[0], Vec3(1, 2, 3));
    EXPECT_NEAR(x[7].dot(normal), 2, 1e-14);

    Dense free = Dense::Identity(90, 90);
    VecX fixed = VecX::Zero(90);
    for (const RowFilter& f : filters) {
        free.block<3, 3>(3 * f.row, 3 * f.row) = f.free;
        fixed.segment<3>(3 * f.row) = f.value - f.free * f.value;
    }
    const Dense a = dense(matrix);
    const Dense reduced = free * a * free + (Dense::Identity(90, 90) - free);
    const VecX exact = fixed + free * reduced.lu().solve(free * (flat(b) - a * fixed));
    EXPECT_LE((flat(x) - exact).norm(), 1e-10 * exact.norm());
}

/// The stiffness of a spring between two rows.
class Spring : public LinearOperator {
  public:
    Spring(int a, int b, double k) : a_(a), b_(b), k_(k) {}
    void add_product(std::span<const Vec3> x, std::span<Vec3> inout_y) const override {
        const Vec3 pull = k_ * (x[a_] - x[b_]);
        inout_y[a_] += pull;
        inout_y[b_] -= pull;
    }
    void add_diagonal(std::span<Mat3> inout_blocks) const override {
        inout_blocks[a_].diagonal().array() += k_;
        inout_blocks[b_].diagonal().array() += k_;
    }

  private:
    int a_, b_;
    double k_;
};

TEST(ConjugateGradient, TakesFurtherTermsAsPartOfTheMatrix) {
    const BlockSparseMatrix matrix = random_matrix(20, 0.5, 8);
    const Spring spring(2, 17, 30.0);
    const LinearOperator* const terms[] = {&spring};
    const auto b = random_vector(20, 9);
    std::vector<Vec3> x(20, Vec3::Zero());
    ConjugateGradient solver;
    ASSERT_EQ(solver.solve({matrix, terms}, b, {}, x, kExact).status, SolveStatus::Converged);
    Dense a = dense(matrix);
    for (int i = 0; i < 3; ++i) {
        a(6 + i, 6 + i) += 30;
        a(51 + i, 51 + i) += 30;
        a(6 + i, 51 + i) -= 30;
        a(51 + i, 6 + i) -= 30;
    }
    const VecX exact = a.llt().solve(flat(b));
    EXPECT_LE((flat(x) - exact).norm(), 1e-10 * exact.norm());
}

TEST(ConjugateGradient, NeedsNoIterationsFromTheSolutionAndNoneWithoutLoad) {
    const BlockSparseMatrix matrix = random_matrix(20, 0.5, 10);
    const auto b = random_vector(20, 11);
    auto x = random_vector(20, 12);
    ConjugateGradient solver;
    ASSERT_EQ(solver.solve({matrix}, b, {}, x, kExact).status, SolveStatus::Converged);
    EXPECT_EQ(solver.solve({matrix}, b, {}, x, {.relative_tolerance = 1e-6}).iterations, 0);
    const std::vector<Vec3> nothing(20, Vec3::Zero());
    EXPECT_EQ(solver.solve({matrix}, nothing, {}, x, kExact).iterations, 0);
    EXPECT_EQ(flat(x).norm(), 0.0);
}

TEST(ConjugateGradient, ReportsWhatItCannotSolve) {
    const auto b = random_vector(20, 13);
    std::vector<Vec3> x(20, Vec3::Zero());
    ConjugateGradient solver;
    const BlockSparseMatrix negative = random_matrix(20, -50, 14);
    EXPECT_EQ(solver.solve({negative}, b, {}, x, kExact).status, SolveStatus::NotPositive);
    const BlockSparseMatrix matrix = random_matrix(20, 0.1, 15);
    std::fill(x.begin(), x.end(), Vec3::Zero());
    const SolveReport report = solver.solve({matrix}, b, {}, x, {1e-12, 3});
    EXPECT_EQ(report.status, SolveStatus::IterationLimit);
    EXPECT_EQ(report.iterations, 3);
    EXPECT_GT(report.relative_residual, 1e-12);
    auto broken = b;
    broken[5][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solver.solve({matrix}, broken, {}, x, kExact).status, SolveStatus::NotFinite);
}

TEST(ConjugateGradient, GivesTheSameBitsOnAnyNumberOfThreads) {
    const int n = 5000;
    const BlockSparseMatrix matrix = random_matrix(n, 0.1, 16);
    const auto b = random_vector(n, 17);
    std::vector<std::vector<Vec3>> results;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> x(n, Vec3::Zero());
        ConjugateGradient solver;
        ASSERT_EQ(solver.solve({matrix}, b, {}, x, {}).status, SolveStatus::Converged);
        results.push_back(x);
    }
    EXPECT_TRUE(results[0] == results[1]);
    EXPECT_TRUE(results[0] == results[2]);
}

TEST(ElementSchedule, VisitsEveryElementOnceAndNoRowTwiceInOneColour) {
    const int n = 3000;
    const StencilList stencils = chain(n);
    const auto centres = random_vector(stencils.size(), 18);
    const ElementSchedule schedule(stencils, centres, n);
    std::vector<int> visits(stencils.size(), 0);
    schedule.for_each([&](int e) { ++visits[e]; });
    for (const int count : visits) EXPECT_EQ(count, 1);

    const std::vector<int> colours = schedule.colour_of_piece();
    std::vector<std::vector<int>> piece_of_row(schedule.n_colours(), std::vector<int>(n, -1));
    for (int k = 0; k < stencils.size(); ++k) {
        const int piece = k / ElementSchedule::kPieceSize;
        for (const int row : stencils[schedule.order()[k]]) {
            int& owner = piece_of_row[colours[piece]][row];
            EXPECT_TRUE(owner == -1 || owner == piece);
            owner = piece;
        }
    }
}

TEST(ElementSchedule, OfNothingDoesNothing) {
    const ElementSchedule schedule({}, {}, 0);
    int visits = 0;
    schedule.for_each([&](int) { ++visits; });
    EXPECT_EQ(visits, 0);
    EXPECT_EQ(schedule.n_colours(), 0);
}

}  // namespace
}  // namespace toile
