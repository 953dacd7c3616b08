// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/stencil_terms.h"

#include "toile/core/parallel.h"

namespace toile {
namespace {

constexpr int kGrain = 1024;

}  // namespace

void StencilOperator::set(std::span<const StencilTerm> terms, int n_rows) {
    terms_ = terms;
    count_.assign(n_rows + 1, 0);
    for (const StencilTerm& term : terms) {
        for (const int row : term.rows) {
            if (row >= 0) ++count_[row];
        }
    }
    touched_.clear();
    first_.assign(1, 0);
    for (int row = 0; row < n_rows; ++row) {
        if (count_[row] == 0) continue;
        touched_.push_back(row);
        first_.push_back(first_.back() + count_[row]);
        count_[row] = first_[first_.size() - 2];  // where the next entry goes
    }
    entries_.resize(first_.back());
    float_terms_.resize(terms.size());
    forces_.resize(terms.size());
    for (int t = 0; t < static_cast<int>(terms.size()); ++t) {
        const StencilTerm& term = terms[t];
        FloatTerm& f = float_terms_[t];
        f.normal << term.normal.cast<float>(), 0.0F;
        f.loose << term.loose.cast<float>(), 0.0F;
        f.across = static_cast<float>(term.across);
        f.difference = static_cast<float>(term.along - term.across);
        for (int i = 0; i < 4; ++i) {
            const int row = term.rows[i];
            f.rows[i] = std::max(row, 0);
            f.weights[i] = row < 0 ? 0.0F : static_cast<float>(term.weights[i]);
            if (row >= 0) entries_[count_[row]++] = {t, f.weights[i]};
        }
    }
}

void StencilOperator::add_product(std::span<const Eigen::Vector4f> x,
                                  std::span<Eigen::Vector4f> inout_y) const {
    parallel_for(static_cast<int>(float_terms_.size()), kGrain, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            const FloatTerm& f = float_terms_[t];
            const Eigen::Vector4f u = f.weights[0] * x[f.rows[0]] + f.weights[1] * x[f.rows[1]] +
                                      f.weights[2] * x[f.rows[2]] + f.weights[3] * x[f.rows[3]];
            forces_[t] = f.across * (u - f.loose.dot(u) * f.loose) +
                         (f.difference * f.normal.dot(u)) * f.normal;
        }
    });
    parallel_for(static_cast<int>(touched_.size()), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Eigen::Vector4f sum = inout_y[touched_[i]];
            for (int e = first_[i]; e < first_[i + 1]; ++e) {
                sum += entries_[e].weight * forces_[entries_[e].term];
            }
            inout_y[touched_[i]] = sum;
        }
    });
}

void StencilOperator::add_product(std::span<const Vec3> x, std::span<Vec3> inout_y) const {
    for (const StencilTerm& term : terms_) {
        Vec3 u = Vec3::Zero();
        for (int i = 0; i < 4; ++i) {
            if (term.rows[i] >= 0) u += term.weights[i] * x[term.rows[i]];
        }
        const Vec3 force = term.across * (u - term.loose.dot(u) * term.loose) +
                           ((term.along - term.across) * term.normal.dot(u)) * term.normal;
        for (int i = 0; i < 4; ++i) {
            if (term.rows[i] >= 0) inout_y[term.rows[i]] += term.weights[i] * force;
        }
    }
}

void StencilOperator::add_diagonal(std::span<Mat3> inout_blocks) const {
    for (const StencilTerm& term : terms_) {
        const Mat3 block = term_block(term);
        for (int i = 0; i < 4; ++i) {
            if (term.rows[i] < 0) continue;
            inout_blocks[term.rows[i]] += (term.weights[i] * term.weights[i]) * block;
        }
    }
}

}  // namespace toile
