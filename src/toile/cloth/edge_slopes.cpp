// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/edge_slopes.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <Eigen/SparseCholesky>

#include <algorithm>

// Notation: φ_i = share_i (θ_i - θ0_i) + sign_i a_e for edge i of a triangle, a_e the unknown of
// edge e. The energy Σ ½ φᵀ K φ is least where Σ sign_i (K φ)_i = 0 over the sides of every edge.

namespace toile {
namespace {

constexpr int kGrain = 512;

using Sparse = Eigen::SparseMatrix<double>;

}  // namespace

struct EdgeSlopes::Factor {
    Eigen::SimplicialLDLT<Sparse> ldlt;
};

EdgeSlopes::EdgeSlopes(const Cloth& cloth)
    : cloth_(cloth),
      clamped_(cloth.n_triangles(), 0),
      signs_(cloth.n_triangles()),
      splits_(cloth.n_triangles()),
      moments_(cloth.n_triangles(), Vec3::Zero()),
      offsets_(VecX::Zero(cloth.n_edges())),
      scratch_(VecX::Zero(cloth.n_edges())),
      factor_(std::make_unique<Factor>()) {
    rebuild();
}

EdgeSlopes::~EdgeSlopes() = default;
EdgeSlopes::EdgeSlopes(EdgeSlopes&&) noexcept = default;

void EdgeSlopes::set_held(std::span<const char> held) {
    bool changed = false;
    for (int t = 0; t < cloth_.n_triangles(); ++t) {
        const Triangle& corners = cloth_.triangles()[t];
        const bool all = held[corners[0]] && held[corners[1]] && held[corners[2]];
        changed = changed || (clamped_[t] != 0) != all;
        clamped_[t] = all ? 1 : 0;
    }
    if (changed) rebuild();
}

void EdgeSlopes::rebuild() {
    set_sides();
    factorise();
}

/// A clamped triangle leaves the whole hinge to its neighbour, and its edges have no slope.
void EdgeSlopes::set_sides() {
    sides_of_edge_.assign(cloth_.n_edges(), {-1, -1});
    for (int t = 0; t < cloth_.n_triangles(); ++t) {
        const ShellTriangle& shell = cloth_.shells()[t];
        for (int i = 0; i < 3; ++i) {
            const int other = shell.neighbours[i];
            const bool clamp = clamped_[t] || (other >= 0 && clamped_[other]);
            double share = shell.shares[i];
            if (clamp) share = clamped_[t] ? 0.0 : 1.0;
            splits_[t].share[i] = share;
            splits_[t].offset[i] = 0;
            signs_[t][i] = clamp ? 0 : shell.sides[i];
            if (signs_[t][i] == 0) continue;
            auto& sides = sides_of_edge_[shell.edges[i]];
            sides[sides[0] < 0 ? 0 : 1] = 3 * t + i;
        }
    }
}

void EdgeSlopes::factorise() {
    std::vector<Eigen::Triplet<double>> entries;
    VecX diagonal = VecX::Zero(cloth_.n_edges());
    for (int t = 0; t < cloth_.n_triangles(); ++t) {
        const ShellTriangle& shell = cloth_.shells()[t];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double value = signs_[t][i] * signs_[t][j] * shell.bending.stiffness(i, j);
                if (value == 0) continue;
                entries.emplace_back(shell.edges[i], shell.edges[j], value);
                if (i == j) diagonal[shell.edges[i]] += value;
            }
        }
    }
    for (int e = 0; e < cloth_.n_edges(); ++e) {
        if (!(diagonal[e] > 0)) entries.emplace_back(e, e, 1.0);
    }
    Sparse matrix(cloth_.n_edges(), cloth_.n_edges());
    matrix.setFromTriplets(entries.begin(), entries.end());
    factor_->ldlt.compute(matrix);
    if (factor_->ldlt.info() != Eigen::Success) {
        throw InvalidInput(
            "The bending stiffness of the cloth is not positive definite on its mesh: a direction "
            "with zero stiffness needs a small positive one.");
    }
}

std::span<const BendingSplit> EdgeSlopes::solve(std::span<const Vec3> positions) {
    const auto shells = cloth_.shells();
    parallel_for(cloth_.n_triangles(), kGrain, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            const BendingShape& shape = shells[t].bending;
            const Vec3 change =
                hinge_angles(shape, gather(shells[t], positions)) - shape.rest_angles;
            moments_[t] = shape.stiffness * splits_[t].share.cwiseProduct(change);
        }
    });
    gather_right_hand_side();
    const auto& ldlt = factor_->ldlt;
    scratch_.noalias() = ldlt.permutationP() * offsets_;
    ldlt.matrixL().solveInPlace(scratch_);
    scratch_.array() /= ldlt.vectorD().array();
    ldlt.matrixU().solveInPlace(scratch_);
    offsets_.noalias() = ldlt.permutationPinv() * scratch_;
    parallel_for(cloth_.n_triangles(), kGrain, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            for (int i = 0; i < 3; ++i) {
                const int sign = signs_[t][i];
                splits_[t].offset[i] = sign == 0 ? 0.0 : sign * offsets_[shells[t].edges[i]];
            }
        }
    });
    return splits_;
}

void EdgeSlopes::gather_right_hand_side() {
    parallel_for(cloth_.n_edges(), kGrain, [&](int begin, int end) {
        for (int e = begin; e < end; ++e) {
            double sum = 0;
            for (const int side : sides_of_edge_[e]) {
                if (side >= 0) sum -= signs_[side / 3][side % 3] * moments_[side / 3][side % 3];
            }
            offsets_[e] = sum;
        }
    });
}

}  // namespace toile
