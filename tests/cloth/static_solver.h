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
        : cloth_(cloth), gravity_(gravity), fixed_(fixed) {}

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
        return elastic_energy(cloth_, x).total() + gravity_energy(cloth_, x, gravity_);
    }

  private:
    static constexpr int kMostSteps = 400;
    static constexpr double kRelativeForce = 1e-8;

    VecX forces(std::span<const Vec3> x) const {
        std::vector<Vec3> f(x.size());
        elastic_forces(cloth_, x, f);
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

    void add(const ShellTriangle& shell, const Eigen::MatrixXd& h, int n,
             std::vector<Eigen::Triplet<double>>& out) const {
        for (int a = 0; a < n; ++a) {
            for (int b = 0; b < n; ++b) {
                const int va = shell.vertices[a], vb = shell.vertices[b];
                if (fixed_[va] || fixed_[vb]) continue;
                for (int k = 0; k < 9; ++k) {
                    out.emplace_back(3 * va + k / 3, 3 * vb + k % 3,
                                     h(3 * a + k / 3, 3 * b + k % 3));
                }
            }
        }
    }

    VecX newton_step(std::span<const Vec3> x, double shift) const {
        std::vector<Eigen::Triplet<double>> entries;
        const MembraneStiffness stiffness = cloth_.membrane_stiffness();
        for (const ShellTriangle& shell : cloth_.shells()) {
            const BendingCorners p = gather(shell, x);
            add(shell, membrane_hessian_positive(shell.membrane, stiffness, {p[0], p[1], p[2]}), 3,
                entries);
            add(shell, bending_hessian_positive(shell.bending, p), 6, entries);
        }
        for (int v = 0; v < cloth_.n_vertices(); ++v) {
            const double own = fixed_[v] ? 1.0 : shift * stiffness.warp;
            for (int k = 0; k < 3; ++k) entries.emplace_back(3 * v + k, 3 * v + k, own);
        }
        Eigen::SparseMatrix<double> h(3 * cloth_.n_vertices(), 3 * cloth_.n_vertices());
        h.setFromTriplets(entries.begin(), entries.end());
        solver_.compute(h);
        return solver_.solve(forces(x));
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
    Vec3 gravity_;
    std::vector<bool> fixed_;
    mutable Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
};

}  // namespace toile::test
