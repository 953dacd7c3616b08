// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/free_motion.h"

#include "toile/mesh/topology.h"

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace toile {
namespace {

/// Moments of inertia below this part of the largest are none: a straight line does not turn about
/// itself.
constexpr double kNoInertia = 1e-9;

/// The turn rate that gives the angular momentum, about axes with inertia.
Vec3 turn_rate(const Mat3& inertia, const Vec3& angular) {
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
    Vec3 turn = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
        const double moment = axes.eigenvalues()[i];
        const Vec3 axis = axes.eigenvectors().col(i);
        if (moment > kNoInertia * axes.eigenvalues()[2]) turn += axis.dot(angular) / moment * axis;
    }
    return turn;
}

}  // namespace

FreeMotion::FreeMotion(const Cloth& cloth)
    : masses_(cloth.masses()), piece_(vertex_components(cloth.triangles(), cloth.n_vertices())) {
    int n_pieces = 0;
    for (const int piece : piece_) n_pieces = std::max(n_pieces, piece + 1);
    for (const int v : cloth.loose_vertices()) piece_[v] = -1;
    free_.assign(n_pieces, 1);
    sums_.resize(n_pieces);
}

void FreeMotion::touch(int vertex) {
    if (piece_[vertex] >= 0) free_[piece_[vertex]] = 0;
}

void FreeMotion::add_up(const Step& step, std::span<const Vec3> changes) {
    std::fill(sums_.begin(), sums_.end(), Sums{});
    const auto n = static_cast<int>(piece_.size());
    for (int v = 0; v < n; ++v) {
        if (piece_[v] < 0 || !free_[piece_[v]]) continue;
        Sums& sum = sums_[piece_[v]];
        sum.mass += masses_[v];
        sum.center += masses_[v] * step.positions[v];
        sum.momentum += masses_[v] * (step.gain - changes[v]);
    }
    for (Sums& sum : sums_) {
        if (sum.mass > 0) sum.center /= sum.mass;
    }
    for (int v = 0; v < n; ++v) {
        if (piece_[v] < 0 || !free_[piece_[v]]) continue;
        Sums& sum = sums_[piece_[v]];
        const Vec3 arm = step.positions[v] - sum.center;
        sum.angular -= masses_[v] * arm.cross(changes[v]);
        sum.inertia += masses_[v] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    }
}

// Σ m x' × v' after x' = x + step v' is Σ m x × v': linear in the velocities, so one correction is
// exact.
void FreeMotion::keep(const Step& step, std::span<Vec3> inout_changes) {
    add_up(step, inout_changes);
    for (size_t p = 0; p < sums_.size(); ++p) {
        if (free_[p]) sums_[p].turn = turn_rate(sums_[p].inertia, sums_[p].angular);
    }
    for (size_t v = 0; v < piece_.size(); ++v) {
        if (piece_[v] < 0 || !free_[piece_[v]]) continue;
        const Sums& sum = sums_[piece_[v]];
        inout_changes[v] +=
            sum.momentum / sum.mass + sum.turn.cross(step.positions[v] - sum.center);
    }
}

}  // namespace toile
