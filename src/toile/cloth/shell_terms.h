// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/cloth/strain_limit.h"

#include <array>

namespace toile {

/// s: damping stiffness of a condition = its time × elastic stiffness.
struct DampingTimes {
    double stretch = 0;
    double shear = 0;
    double bend = 0;
};

/// What one triangle adds to the linearly implicit step. Block (a, b), a ≤ b, of the six vertices
/// stands at kBlock[a][b].
struct ShellTerms {
    std::array<Vec3, 6> force;   ///< N: elastic + damping forces - h K v
    std::array<Mat3, 21> block;  ///< kg: h² K + h D
};

/// Where the block of two of the six vertices stands, row by row of the upper triangle.
constexpr int block_index(int a, int b) {
    return a * 6 - a * (a - 1) / 2 + (b - a);
}

/// Fills the terms of one triangle at `positions`, moving at `velocities`, for a step of `h`
/// seconds. K is the positive semi-definite Hessian of membrane_hessian_positive() and
/// bending_hessian_positive(). Damping follows each condition C by -k_d ∂C/∂x Ċ [Baraff98, §4.5]:
/// it does not feel rigid motion; D = k_d ∂C/∂x ∂C/∂xᵀ, and its change with position is left out.
/// Offsets of the split are those at `positions` and stay during the step, which can only make K
/// stiffer than the cloth is: the step stays stable.
class ShellKernel {
  public:
    ShellKernel(const MembraneStiffness& stiffness, const DampingTimes& damping, double h,
                const StrainLimit& limit = {.stretch = 0})
        : stiffness_(stiffness), damping_(damping), h_(h), limit_(limit) {}

    void operator()(const ShellTriangle& shell, const BendingSplit& split,
                    const BendingCorners& positions, const BendingCorners& velocities,
                    ShellTerms& out_terms) const;

  private:
    void add_membrane(const ShellTriangle& shell, const BendingCorners& positions,
                      const BendingCorners& velocities, ShellTerms& inout_terms) const;
    void add_strain_limit(const MembraneShape& shape, const Stretch& w, const Stretch& rate,
                          ShellTerms& inout_terms) const;
    void set_bending(const ShellTriangle& shell, const BendingSplit& split,
                     const BendingCorners& positions, const BendingCorners& velocities,
                     ShellTerms& out_terms) const;

    MembraneStiffness stiffness_;
    DampingTimes damping_;
    double h_;
    StrainLimit limit_;
};

}  // namespace toile
