// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/fit_system.h"

#include "toile/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kRowGrain = 1024;
constexpr int kStiffnessColumns = 32;  // right sides solved together

Vec3 pulled(const Pull& pull, const Vec3& x) {
    return pull.across * x + (pull.along - pull.across) * pull.normal.dot(x) * pull.normal;
}

bool is_scalar(std::span<const Pull> pulls) {
    return std::all_of(pulls.begin(), pulls.end(),
                       [](const Pull& p) { return p.along == p.across; });
}

}  // namespace

FitSystem::FitSystem(const SparseMatrix& lower, std::span<const char> held,
                     std::span<const double> anchors)
    : held_(held.begin(), held.end()),
      anchors_(anchors.begin(), anchors.end()),
      rows_(SparseMatrix(lower.selfadjointView<Eigen::Lower>())),
      free_lower_(lower),
      shifts_(held.size(), 0.0),
      rhs_(held.size()),
      residual_(held.size()),
      preconditioned_(held.size()),
      direction_(held.size()),
      product_(held.size()) {
    const auto is_held = [&](Eigen::Index i) { return held_[static_cast<size_t>(i)] != 0; };
    free_lower_.prune([&](Eigen::Index row, Eigen::Index column, double) {
        return row == column || (!is_held(row) && !is_held(column));
    });
    free_diagonal_ = free_lower_.diagonal();
}

void FitSystem::factor(std::span<const double> diagonal) {
    for (int i = 0; i < size(); ++i) {
        const auto v = static_cast<size_t>(i);
        free_lower_.coeffRef(i, i) = held_[v] ? 1 : free_diagonal_[i] + anchors_[v] + diagonal[v];
    }
    if (factor_) {
        factor_->refactor(free_lower_);
    } else {
        factor_.emplace(free_lower_);
    }
}

void FitSystem::multiply(std::span<const Pull> pulls, std::span<const Vec3> x,
                         std::span<Vec3> out) const {
    parallel_for(size(), kRowGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto v = static_cast<size_t>(i);
            Vec3 sum = Vec3::Zero();
            if (!held_[v]) {
                sum = force(i, x) + anchors_[v] * x[v];
                if (v < pulls.size()) sum += pulled(pulls[v], x[v]);
            }
            out[v] = sum;
        }
    });
}

Vec3 FitSystem::force(int i, std::span<const Vec3> d) const {
    Vec3 sum = Vec3::Zero();
    const int* const columns = rows_.innerIndexPtr();
    const double* const values = rows_.valuePtr();
    for (int k = rows_.outerIndexPtr()[i]; k < rows_.outerIndexPtr()[i + 1]; ++k) {
        sum += values[k] * d[static_cast<size_t>(columns[k])];
    }
    return sum;
}

int FitSystem::solve(std::span<const Pull> pulls, double shift, std::span<Vec3> inout_d) {
    for (size_t v = 0; v < held_.size(); ++v) residual_[v] = held_[v] ? inout_d[v] : Vec3::Zero();
    parallel_for(size(), kRowGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto v = static_cast<size_t>(i);
            rhs_[v].setZero();
            if (held_[v]) continue;
            rhs_[v] = -force(i, residual_);
            if (v < pulls.size()) rhs_[v] += pulled(pulls[v], pulls[v].place);
        }
    });
    const bool exact = is_scalar(pulls);
    for (size_t v = 0; v < held_.size(); ++v) {
        shifts_[v] = !exact ? shift : v < pulls.size() ? pulls[v].along : 0;
    }
    factor(shifts_);
    if (!exact) return iterate(pulls, inout_d);
    factor_->solve(rhs_, product_);
    for (size_t v = 0; v < held_.size(); ++v) {
        if (!held_[v]) inout_d[v] = product_[v];
    }
    return 0;
}

int FitSystem::iterate(std::span<const Pull> pulls, std::span<Vec3> inout_d) {
    // Preconditioned conjugate gradients on the free rows; held rows of all vectors are zero.
    factor_->solve(rhs_, preconditioned_);
    const double goal =
        relative_tolerance * relative_tolerance * dot(rhs_, preconditioned_, scratch_);
    for (size_t v = 0; v < held_.size(); ++v) direction_[v] = held_[v] ? Vec3::Zero() : inout_d[v];
    multiply(pulls, direction_, product_);
    for (size_t v = 0; v < held_.size(); ++v) residual_[v] = rhs_[v] - product_[v];
    factor_->solve(residual_, preconditioned_);
    direction_ = preconditioned_;
    double rho = dot(residual_, preconditioned_, scratch_);
    int k = 0;
    while (k < max_iterations && rho > goal) {
        multiply(pulls, direction_, product_);
        const double alpha = rho / dot(direction_, product_, scratch_);
        add_scaled(alpha, direction_, inout_d);
        add_scaled(-alpha, product_, residual_);
        factor_->solve(residual_, preconditioned_);
        const double next = dot(residual_, preconditioned_, scratch_);
        scale_and_add(preconditioned_, next / rho, direction_);
        rho = next;
        ++k;
    }
    return k;
}

std::vector<double> FitSystem::stiffness(std::span<const int> rows) const {
    std::vector<double> result(rows.size());
    const int n_pieces =
        (static_cast<int>(rows.size()) + kStiffnessColumns - 1) / kStiffnessColumns;
    parallel_for(n_pieces, 1, [&](int piece, int) {
        const size_t first = static_cast<size_t>(piece) * kStiffnessColumns;
        const size_t n = std::min(rows.size() - first, static_cast<size_t>(kStiffnessColumns));
        Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(size(), static_cast<Eigen::Index>(n));
        const auto each = [&](size_t c, const auto& visit) {
            for (decltype(rows_)::InnerIterator entry(rows_, rows[first + c]); entry; ++entry) {
                if (!held_[static_cast<size_t>(entry.col())]) visit(entry.col(), entry.value());
            }
        };
        for (size_t c = 0; c < n; ++c) {
            each(c, [&](auto i, double k) { columns(i, static_cast<Eigen::Index>(c)) = k; });
        }
        factor_->solve(columns);
        for (size_t c = 0; c < n; ++c) {
            double sum = rows_.coeff(rows[first + c], rows[first + c]);
            each(c, [&](auto i, double k) { sum -= k * columns(i, static_cast<Eigen::Index>(c)); });
            result[first + c] = sum;
        }
    });
    return result;
}

}  // namespace toile
