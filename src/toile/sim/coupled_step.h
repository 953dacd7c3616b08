// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth_system.h"
#include "toile/cloth/free_motion.h"
#include "toile/cloth/implicit_step.h"
#include "toile/contact/certificate.h"
#include "toile/contact/contact_response.h"
#include "toile/contact/contact_springs.h"
#include "toile/contact/fail_safe.h"
#include "toile/linalg/loose_gradient.h"
#include "toile/sim/bodies.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

struct CoupledStepOptions {
    double relative_tolerance = 1e-2;  ///< of the changes of velocity, in the norm of mass
    int max_iterations = 1500;
    double max_strain_change = 0.1;
    /// Strain at which cloth begins to stiffen, and how much stiffer than stretch it is beyond.
    double strain_limit = 0.05;
    double limit_stiffness = 20;
    double separation = 0.1;  ///< gap that collisions leave, as part of the pair's thickness
    ContactSpringOptions springs = {};
    int passes = 6;        ///< solves at most, while contacts come and go
    int max_feedback = 4;  ///< times that what would still meet is fed back as contacts
};

/// What a coupled step starts from. Arrays are of all bodies' vertices, cloths first.
struct CoupledStart {
    std::span<const Vec3> positions;     ///< m
    std::span<const Vec3> velocities;    ///< m/s
    std::span<const Vec3> last_changes;  ///< m/s, Δv of the step before
    std::span<const char> held;          ///< other than 0: a cloth's vertex whose end is given
    double step = 0;                     ///< s
    ContactTrace* trace = nullptr;
};

struct CoupledReport {
    StepReport dynamics;    ///< of the cloth that failed, or sums over all
    int failed_cloth = -1;  ///< whose step failed: then nothing else is told
    ContactReport contact;
    double seconds_dynamics = 0;
};

/// One step of all cloths together, with contacts inside of the implicit solve: contacts are
/// springs of the linear system, so the answer to them spreads through the cloth, and from layer to
/// layer, in the same solve, and no second one is needed for velocities.
///
/// Solve with the contacts at hand; look what would still meet on the solved way; solve again with
/// that; what then is left goes to the fail-safe; then the certificate is asked. Nothing a result
/// depends on is kept between steps.
class CoupledStep {
  public:
    /// `cloths` and `surface` must outlive this.
    CoupledStep(std::span<const ClothBody> cloths, const ContactSurface& surface,
                const CoupledStepOptions& options);

    /// `inout_end` holds the ends of held vertices and of obstacles, and takes all others.
    CoupledReport advance(const CoupledStart& start, const Environment& environment,
                          std::span<Vec3> inout_end);

    /// m/s at the end of the step just made, of all cloths' vertices.
    [[nodiscard]] std::span<const Vec3> velocities() const { return velocities_; }
    /// Δv of the step just made.
    [[nodiscard]] std::span<const Vec3> changes() const { return changes_; }

  private:
    void assemble(const CoupledStart& start, const Environment& environment,
                  std::span<const Vec3> end);
    void keep_momentum(const CoupledStart& start);
    void set_ends(const CoupledStart& start, std::span<Vec3> inout_end);
    void find_contacts(const CoupledStart& start, std::span<const Vec3> end);
    void expect_contacts(const CoupledStart& start, std::span<Vec3> inout_end);
    [[nodiscard]] double scale_of_changes(const CoupledStart& start, const Vec3& gravity) const;
    bool solve(const CoupledStart& start, std::span<Vec3> inout_end);
    bool solve_once(const CoupledStart& start, std::span<Vec3> inout_end);
    bool solve_and_look(const CoupledStart& start, std::span<Vec3> inout_end);
    void fail_safe(const CoupledStart& start, std::span<const CollisionHit> hits,
                   std::span<Vec3> inout_end);
    void certify(const CoupledStart& start, std::span<const Vec3> end);
    bool check_strain(const CoupledStart& start, std::span<const Vec3> end);
    void trace_start(const CoupledStart& start, std::span<const Vec3> end) const;
    void trace_round(const CoupledStart& start, std::span<const Vec3> end,
                     std::span<const CollisionHit> hits) const;

    std::span<const ClothBody> cloths_;
    const ContactSurface& surface_;
    Environment environment_;  // of the step
    CoupledStepOptions options_;
    std::vector<std::unique_ptr<ClothSystem>> systems_;
    std::vector<FreeMotion> free_motions_;  // one a cloth
    std::unique_ptr<LooseGradient> solver_;
    CollisionDetector detector_;
    ContactSprings springs_;
    StencilOperator operator_;
    FailSafe fail_safe_;
    MotionCertifier certifier_;

    CoupledReport report_;
    double reference_ = 0;  // what residuals of the step are measured against
    bool loaded_ = false;   // whether the solver has the step's matrices
    std::vector<ClothState> states_;
    std::vector<char> fixed_;
    std::vector<Vec3> velocities_, changes_, rhs_, rhs_with_contacts_;
    std::vector<int> proximities_;
    std::vector<StencilTerm> terms_;
};

}  // namespace toile
