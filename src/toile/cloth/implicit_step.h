// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/cloth/cloth_system.h"
#include "toile/cloth/environment.h"
#include "toile/cloth/free_motion.h"
#include "toile/cloth/velocity_constraint.h"
#include "toile/linalg/conjugate_gradient.h"
#include "toile/linalg/linear_operator.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

struct StepOptions {
    double step = 0.01;                ///< s
    double relative_tolerance = 1e-3;  ///< of the filtered residual, in the preconditioner's norm
    int max_iterations = 1500;
    double max_strain_change = 0.1;  ///< a step that changes a warp or weft strain by more has
                                     ///< failed; 0 = no test
};

enum class StepStatus {
    Done,
    SolverDidNotConverge,  ///< too many iterations, or the matrix was not positive definite
    StrainChangedTooMuch,
    NotFinite  ///< a position, velocity or force is not a finite number
};

/// What one implicit step did; the state is changed only when `status` is Done.
struct StepReport {
    StepStatus status = StepStatus::Done;
    int iterations = 0;
    double relative_residual = 0;
    double max_strain_change = 0;
    int worst_triangle = -1;  ///< where the strain changed most
    double seconds_assembly = 0;
    double seconds_solve = 0;
};

/// Something more that pulls on the vertices during a step, linear in Δv: A += matrix, b += rhs.
/// For a force f(x, v): matrix = -h ∂f/∂v - h² ∂f/∂x, symmetric positive semi-definite, and
/// rhs = h (f0 + h ∂f/∂x v0).
struct LinearTerm {
    const LinearOperator* matrix = nullptr;  ///< or none
    std::span<const Vec3> rhs = {};          ///< n_vertices or empty, N·s
};

/// What a step is asked for.
struct StepInput {
    Environment environment = {};
    std::span<const VelocityConstraint> constraints = {};  ///< one per vertex at most
    std::span<const LinearTerm> terms = {};
};

/// The linearly implicit (backward Euler) step [Baraff98, §5]: one linear solve, x += h v_new.
/// What nothing holds, and neither air nor terms act on, keeps its momenta: see FreeMotion.
/// Owns all memory of a step, so that none after the first allocates; keeps the last Δv as start of
/// the next solve. The result depends on it within the solver's tolerance: see last_change().
class ImplicitStep {
  public:
    /// `cloth` must outlive this.
    explicit ImplicitStep(const Cloth& cloth);

    /// Moves `inout_state` on by options.step. Prescribed velocities hold exactly at the step's
    /// end. Throws InvalidInput for a constraint on a missing vertex, two on the same one, a step
    /// that is not above zero, or arrays of a wrong size.
    [[nodiscard]] StepReport advance(const StepInput& input, const StepOptions& options,
                                     ClothState& inout_state);

    /// Velocities after contacts have moved the end of the step just made: `inout_state` still is
    /// what advance() left, and takes `corrected_positions`. The corrections count as impulses
    /// p = M (corrected - before) / h, and the cloth answers them in the same implicit way as all
    /// other forces: v = v_before + A⁻¹ p with the A of that step. Without corrections nothing
    /// changes; total momentum changes by Σ p exactly; prescribed velocities stay. The state is
    /// changed only when the report's status is Done.
    ///
    /// This stands for the final velocity of [Manen10, §2.2.5], v = v* + Δt/2 M⁻¹ f(v): on top of a
    /// backward Euler step, whose velocity already is the mean of the step, that formula counts
    /// every force one and a half times (a free fall would gain 1.5 g).
    [[nodiscard]] StepReport respond_to_contacts(std::span<const Vec3> corrected_positions,
                                                 const StepOptions& options,
                                                 ClothState& inout_state);

    /// Δv of the last step, m/s, n_vertices: with the state, all that the next step depends on.
    [[nodiscard]] std::span<const Vec3> last_change() const { return change_; }
    /// Puts back what last_change() gave, as from a checkpoint.
    void set_last_change(std::span<const Vec3> change);

    [[nodiscard]] const ClothSystem& system() const { return system_; }

  private:
    void check(const StepInput& input, const StepOptions& options, const ClothState& state);
    void set_filters(const StepInput& input, const ClothState& state);
    void set_system(const StepInput& input, const ClothState& state, double h);
    void keep_momentum(const StepInput& input, const ClothState& state, double h);
    void set_candidate(const ClothState& state, double h);
    SolveReport solve(const StepOptions& options, std::span<Vec3> inout_x);

    ClothSystem system_;
    ConjugateGradient solver_;
    FreeMotion free_motion_;
    std::vector<RowFilter> filters_;
    std::vector<const LinearOperator*> extra_;
    std::vector<int> constraint_of_vertex_;
    std::vector<char> held_;
    std::vector<Vec3> rhs_, change_, candidate_change_;
    ClothState candidate_;
    double last_step_ = 0;
};

}  // namespace toile
