// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/energy.h"

#include <Eigen/SparseCholesky>

#include <span>
#include <vector>

namespace toile::test {

/// Rest under gravity by Newton's method with the energies' own Hessians, a line search and a
/// shift where the Hessian is not positive: slow, plain, and independent of the implicit step.
class StaticSolver {
  public:
    StaticSolver(const Cloth& cloth, const Vec3& gravity, const std::vector<bool>& fixed)
        : cloth_(cloth), slopes_(cloth), gravity_(gravity), fixed_(fixed) {
        slopes_.set_held(std::vector<char>(fixed.begin(), fixed.end()));
    }

    /// Returns the norm of the free forces left, N, relative to the weight.
    double solve(std::vector<Vec3>& inout_positions) {
        double shift = 0;
        double force = relative_force(inout_positions);
        for (int i = 0; i < kMostSteps && force > kRelativeForce; ++i) {
            const VecX step = newton_step(inout_positions, shift);
            const double taken = line_search(step, inout_positions);
            shift = taken > 0.3 ? shift * 0.1 : std::max(shift * 10, 1e-4);
            if (shift < 1e-6) shift = 0;
            force = relative_force(inout_positions);
        }
        return force;
    }

    double energy(std::span<const Vec3> x) const {
        return elastic_energy(slopes_, x).total() + gravity_energy(cloth_, x, gravity_);
    }

  private:
    static constexpr int kMostSteps = 400;
    static constexpr double kRelativeForce = 1e-8;

    VecX forces(std::span<const Vec3> x) const {
        std::vector<Vec3> f(x.size());
        elastic_forces(slopes_, x, f);
        VecX flat(3 * static_cast<int>(x.size()));
        for (int v = 0; v < cloth_.n_vertices(); ++v) {
            flat.segment<3>(3 * v) =
                fixed_[v] ? Vec3(Vec3::Zero()) : Vec3(f[v] + cloth_.masses()[v] * gravity_);
        }
        return flat;
    }

    double relative_force(std::span<const Vec3> x) const {
        double weight = 0;
        for (const double mass : cloth_.masses()) weight += mass * gravity_.norm();
        return forces(x).norm() / weight;
    }

    using Entries = std::vector<Eigen::Triplet<double>>;

    void add_membrane(const ShellTriangle& shell, const BendingCorners& p, Entries& out) const {
        const MembraneHessian h = membrane_hessian_positive(
            shell.membrane, cloth_.membrane_stiffness(), {p[0], p[1], p[2]});
        for (int a = 0; a < 9; ++a) {
            for (int b = 0; b < 9; ++b) {
                const int va = shell.vertices[a / 3], vb = shell.vertices[b / 3];
                if (fixed_[va] || fixed_[vb]) continue;
                out.emplace_back(3 * va + a % 3, 3 * vb + b % 3, h(a, b));
            }
        }
    }

    /// Bending with the edges' slopes as unknowns of their own, after those of the vertices.
    void add_bending(int t, const BendingSplit& split, const BendingCorners& p,
                     Entries& out) const {
        const ShellTriangle& shell = cloth_.shells()[t];
        Eigen::Matrix<double, 21, 3> jacobian = Eigen::Matrix<double, 21, 3>::Zero();
        jacobian.topRows<18>() = slope_jacobian(shell.bending, split, p);
        std::array<int, 21> at;
        for (int a = 0; a < 18; ++a) {
            const int v = shell.vertices[a / 3];
            at[a] = fixed_[v] ? -1 : 3 * v + a % 3;
        }
        for (int i = 0; i < 3; ++i) {
            at[18 + i] = 3 * cloth_.n_vertices() + shell.edges[i];
            jacobian(18 + i, i) = slopes_.signs()[t][i];
        }
        const Eigen::Matrix<double, 21, 21> h =
            jacobian * shell.bending.stiffness * jacobian.transpose();
        for (int a = 0; a < 21; ++a) {
            for (int b = 0; b < 21; ++b) {
                if (at[a] >= 0 && at[b] >= 0) out.emplace_back(at[a], at[b], h(a, b));
            }
        }
    }

    VecX newton_step(std::span<const Vec3> x, double shift) const {
        const int n = 3 * cloth_.n_vertices();
        Entries entries;
        const auto splits = slopes_.solve(x);
        for (int t = 0; t < cloth_.n_triangles(); ++t) {
            const BendingCorners p = gather(cloth_.shells()[t], x);
            add_membrane(cloth_.shells()[t], p, entries);
            add_bending(t, splits[t], p, entries);
        }
        const double softest = 1e-9 * cloth_.fabric().bend_warp;  // of edges that nothing bends
        for (int i = 0; i < n; ++i) {
            entries.emplace_back(i, i, fixed_[i / 3] ? 1.0 : shift * cloth_.fabric().stretch_warp);
        }
        for (int e = 0; e < cloth_.n_edges(); ++e) entries.emplace_back(n + e, n + e, softest);
        Eigen::SparseMatrix<double> h(n + cloth_.n_edges(), n + cloth_.n_edges());
        h.setFromTriplets(entries.begin(), entries.end());
        if (solver_.rows() == 0) solver_.analyzePattern(h);
        solver_.factorize(h);
        VecX rhs = VecX::Zero(n + cloth_.n_edges());
        rhs.head(n) = forces(x);
        return VecX(solver_.solve(rhs)).head(n);
    }

    double line_search(const VecX& step, std::vector<Vec3>& inout_x) const {
        const double before = energy(inout_x);
        const double slope = -forces(inout_x).dot(step);
        std::vector<Vec3> trial(inout_x.size());
        for (double t = 1; t > 1e-8; t /= 2) {
            for (int v = 0; v < cloth_.n_vertices(); ++v) {
                trial[v] = inout_x[v] + t * step.segment<3>(3 * v);
            }
            if (energy(trial) <= before + 1e-4 * t * slope + 1e-14 * std::abs(before)) {
                inout_x = trial;
                return t;
            }
        }
        return 0;
    }

    const Cloth& cloth_;
    mutable EdgeSlopes slopes_;
    Vec3 gravity_;
    std::vector<bool> fixed_;
    mutable Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace toile::test
