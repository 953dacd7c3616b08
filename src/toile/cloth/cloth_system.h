// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/cloth/edge_slopes.h"
#include "toile/cloth/environment.h"
#include "toile/cloth/strain_limit.h"
#include "toile/linalg/block_sparse_matrix.h"
#include "toile/linalg/element_schedule.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// The linear system of one implicit step [Baraff98, eq. 16]: A Δv = b with
/// A = M - h ∂f/∂v - h² ∂f/∂x and b = h (f0 + h ∂f/∂x v0), where f holds elastic, damping, gravity
/// and air forces. The pattern is built once; assemble() allocates nothing and gives the same bits
/// on any number of threads.
class ClothSystem {
  public:
    /// `cloth` must outlive this.
    explicit ClothSystem(const Cloth& cloth);

    /// Fills matrix() and rhs() for a step of `h` seconds from `state`.
    void assemble(const ClothState& state, const Environment& environment, double h);

    /// Says which vertices are held (n_vertices, other than 0 for held), as EdgeSlopes::set_held().
    void set_held(std::span<const char> held) { slopes_.set_held(held); }

    /// From the next assembly on; without it there is no limit.
    void set_strain_limit(const StrainLimit& limit) { limit_ = limit; }

    [[nodiscard]] const BlockSparseMatrix& matrix() const { return matrix_; }
    [[nodiscard]] std::span<const Vec3> rhs() const { return rhs_; }
    [[nodiscard]] const Cloth& cloth() const { return cloth_; }

  private:
    void add_masses(const ClothState& state, const Environment& environment, double h);
    void add_shells(const ClothState& state, const Environment& environment, double h);

    const Cloth& cloth_;
    EdgeSlopes slopes_;
    StrainLimit limit_ = {.stretch = 0};
    BlockSparseMatrix matrix_;
    ElementSchedule schedule_;
    std::vector<std::array<int, 36>> slots_;  ///< of all pairs of a shell's vertices; -1 for none
    std::vector<Vec3> rhs_;
};

}  // namespace toile
