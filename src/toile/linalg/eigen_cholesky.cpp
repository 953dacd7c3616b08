// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/cholesky_factor.h"

#include <Eigen/SparseCholesky>

#include <vector>

namespace toile::detail {
namespace {

class EigenCholesky final : public CholeskyFactor {
  public:
    explicit EigenCholesky(const SparseMatrix& lower) {
        ldlt_.analyzePattern(lower);
        const auto& rows = ldlt_.permutationPinv().indices();  // row of each elimination step
        row_of_.assign(rows.data(), rows.data() + rows.size());
        if (row_of_.empty()) {
            for (int row = 0; row < lower.rows(); ++row) row_of_.push_back(row);
        }
    }

    void factor(const SparseMatrix& lower) override {
        ldlt_.factorize(lower);
        const VecX pivots = ldlt_.vectorD();
        require_positive_pivots({pivots.data(), static_cast<size_t>(pivots.size())}, row_of_,
                                lower);
    }

    void solve(Eigen::Ref<Eigen::MatrixXd> in_out) const override {
        in_out = ldlt_.solve(in_out).eval();
    }

  private:
    Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> ldlt_;
    std::vector<int> row_of_;
};

}  // namespace

std::unique_ptr<CholeskyFactor> make_eigen_cholesky(const SparseMatrix& lower) {
    return std::make_unique<EigenCholesky>(lower);
}

}  // namespace toile::detail
