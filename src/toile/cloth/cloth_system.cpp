// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/cloth_system.h"

#include "toile/cloth/air_drag.h"
#include "toile/cloth/shell_terms.h"
#include "toile/core/parallel.h"

namespace toile {
namespace {

constexpr int kGrain = 1024;

StencilList stencils_of(const Cloth& cloth) {
    StencilList stencils;
    for (const ShellTriangle& shell : cloth.shells()) stencils.add(shell.vertices);
    return stencils;
}

std::vector<Vec3> centres_of(const Cloth& cloth) {
    const ClothState rest = cloth.initial_state();
    std::vector<Vec3> centres;
    for (const Triangle& t : cloth.triangles()) {
        centres.push_back((rest.positions[t[0]] + rest.positions[t[1]] + rest.positions[t[2]]) / 3);
    }
    return centres;
}

bool is_used(const ShellTriangle& shell, int k) {
    return k < 3 || shell.bending.has_hinge[k - 3];
}

std::vector<std::array<int, 36>> slots_of_shells(const Cloth& cloth,
                                                 const BlockSparseMatrix& matrix) {
    std::vector<std::array<int, 36>> slots;
    for (const ShellTriangle& shell : cloth.shells()) {
        std::array<int, 36> of_shell;
        for (int a = 0; a < 6; ++a) {
            for (int b = 0; b < 6; ++b) {
                const bool used = is_used(shell, a) && is_used(shell, b);
                of_shell[6 * a + b] = used ? matrix.slot(shell.vertices[a], shell.vertices[b]) : -1;
            }
        }
        slots.push_back(of_shell);
    }
    return slots;
}

void add_blocks(const std::array<int, 36>& slots, const ShellTerms& terms,
                BlockSparseMatrix& inout_matrix) {
    for (int a = 0; a < 6; ++a) {
        for (int b = a; b < 6; ++b) {
            if (slots[6 * a + b] < 0) continue;
            const Mat3& block = terms.block[block_index(a, b)];
            inout_matrix.add(slots[6 * a + b], block);
            if (a != b) inout_matrix.add_transposed(slots[6 * b + a], block);
        }
    }
}

}  // namespace

ClothSystem::ClothSystem(const Cloth& cloth)
    : cloth_(cloth),
      slopes_(cloth),
      matrix_(cloth.n_vertices(), stencils_of(cloth)),
      schedule_(stencils_of(cloth), centres_of(cloth), cloth.n_vertices()),
      slots_(slots_of_shells(cloth, matrix_)),
      rhs_(cloth.n_vertices(), Vec3::Zero()) {}

void ClothSystem::assemble(const ClothState& state, const Environment& environment, double h) {
    matrix_.set_zero();
    add_masses(state, environment, h);
    add_shells(state, environment, h);
}

void ClothSystem::add_masses(const ClothState& state, const Environment& environment, double h) {
    const double drag = environment.linear_drag;
    parallel_for(cloth_.n_vertices(), kGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) {
            const double mass = cloth_.masses()[v];
            matrix_.add_diagonal(v, mass * (1 + h * drag));
            rhs_[v] =
                h * mass * (environment.gravity - drag * (state.velocities[v] - environment.wind));
        }
    });
}

void ClothSystem::add_shells(const ClothState& state, const Environment& environment, double h) {
    const Fabric& fabric = cloth_.fabric();
    const ShellKernel kernel(cloth_.membrane_stiffness(),
                             {.stretch = fabric.stretch_damping,
                              .shear = fabric.shear_damping,
                              .bend = fabric.bend_damping},
                             h, limit_);
    const auto splits = slopes_.solve(state.positions);
    schedule_.for_each([&](int t) {
        const ShellTriangle& shell = cloth_.shells()[t];
        const BendingCorners positions = gather(shell, state.positions);
        const BendingCorners velocities = gather(shell, state.velocities);
        ShellTerms terms;
        kernel(shell, splits[t], positions, velocities, terms);
        if (environment.air_drag > 0) {
            add_air_drag(environment, positions, velocities, h, terms);
        }
        add_blocks(slots_[t], terms, matrix_);
        for (int k = 0; k < 6; ++k) {
            if (is_used(shell, k)) rhs_[shell.vertices[k]] += h * terms.force[k];
        }
    });
}

}  // namespace toile
