// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/implicit_step.h"
#include "toile/contact/contact_response.h"
#include "toile/contact/contact_surface.h"
#include "toile/core/cancellation.h"
#include "toile/scene/scene.h"
#include "toile/sim/bodies.h"
#include "toile/sim/crossing_check.h"
#include "toile/sim/frame_report.h"
#include "toile/sim/pin_board.h"
#include "toile/sim/soft_pins.h"
#include "toile/sim/step_schedule.h"
#include "toile/sim/step_trace.h"
#include "toile/sim/world_state.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace toile {

class CoupledStep;

/// How a rigid body moves.
struct RigidVelocity {
    Vec3 velocity = {0, 0, 0};   ///< m/s, of the pivot
    Vec3 turn_rate = {0, 0, 0};  ///< rad/s about the axis of this direction through the pivot
};

/// What a caller may want of a frame while it is made.
struct FrameRequest {
    const Cancellation* cancellation = nullptr;  ///< looked at before every step
    StepTrace* trace = nullptr;                  ///< replaced by the frame's steps
    /// Called before every step that is tried, with the part of the frame that is done (0 to 1).
    std::function<void(double part, const FrameReport& so_far)> progress = {};
};

/// Cloths and obstacles that move by a scene, frame by frame; never through each other.
///
/// A frame is cut into steps. In a step, in this order: obstacles and pins are put where they must
/// be at its end; the cloths advance alone to where they would be; the contact response changes the
/// cloths' ends until the whole motion is certified free of crossings; the cloths'
/// velocities answer what contacts have changed; and the ends are accepted. Nothing writes a
/// position after the certificate. A step that fails changes nothing, and half of it is tried.
/// Before a frame counts, its positions are rounded to float32 and verified by an exact test.
class World {
  public:
    /// Reads or makes the meshes. Throws IoError or InvalidInput where the scene cannot be built,
    /// or where bodies cross, or are nearer than float32 can tell apart, at the start: with their
    /// names.
    explicit World(const Scene& scene);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Goes one frame on; or, where the report holds a failure or was interrupted, or this throws,
    /// nowhere.
    [[nodiscard]] FrameReport step(const FrameRequest& request = {});

    [[nodiscard]] const Scene& scene() const { return scene_; }
    [[nodiscard]] std::span<const ClothBody> cloths() const { return cloths_; }
    [[nodiscard]] std::span<const ObstacleBody> obstacles() const { return obstacles_; }
    /// Bodies in the order of all arrays: cloths, then obstacles, as the scene lists them.
    [[nodiscard]] const ContactSurface& surface() const { return surface_; }
    [[nodiscard]] const TriangleMesh& mesh(int body) const;

    [[nodiscard]] int frame() const { return state_.control.frame; }
    [[nodiscard]] double time() const;
    [[nodiscard]] std::span<const Vec3> positions(int body) const;
    /// m/s; zero for obstacles, whose motion is in their keyframes.
    [[nodiscard]] std::span<const Vec3> velocities(int body) const;
    /// The bodies with given positions of all vertices, for the exact checks.
    [[nodiscard]] std::vector<CheckedBody> checked_bodies(std::span<const Vec3> positions) const;

    [[nodiscard]] const WorldState& state() const { return state_; }
    /// Throws InvalidInput where the sizes or the step control are not those of a state of this
    /// world, or a number is not finite. A state whose surfaces cross is taken, but finishes no
    /// frame in which they still do.
    /// Allocates nothing where the world has been in a state with as many holds.
    void set_state(const WorldState& state);
    /// Back to the start of the scene; what code has set is gone.
    void rewind();

    // By code, between frames; all of it is part of the state. Vertices are numbered in their
    // cloth, cloths and obstacles as the scene lists them. Throws InvalidInput for a number that is
    // out of range or not finite.

    /// Holds vertices of a cloth and leads them with `velocity` (m/s) from where they are now,
    /// until told otherwise; in place of the scene's pins.
    void pin(int cloth, std::span<const int> vertices, const Vec3& velocity = Vec3::Zero());
    /// Lets vertices go, whoever holds them; they keep their velocity.
    void release(int cloth, std::span<const int> vertices);
    /// Takes back `pin` and `release`: the scene's pins lead the cloth on from where it is.
    void leave_to_scene(int cloth);
    /// m/s, one a vertex; those of held vertices have no effect.
    void set_velocities(int cloth, std::span<const Vec3> velocities);
    /// Moves an obstacle from where it is now, until told otherwise; in place of the scene's pieces
    /// and keyframes. Its frames go on.
    void move_obstacle(int obstacle, const RigidVelocity& velocity);

  private:
    /// One step that is tried: from where the state is, to where.
    struct Attempt {
        double end_time;  // s
        double step;      // s
    };

    void build_surface();
    void make_scheme();
    void refuse_bad_start();
    void refuse_unwritable_start() const;
    void refuse_small_gaps();

    void finish_frame(FrameReport& report);
    bool advance_frame(FrameReport& report);
    [[nodiscard]] double part_of_frame() const;
    void begin_trace(const Attempt& attempt);
    void fail(double time, FrameReport& report);
    bool try_step(const Attempt& attempt, FrameReport& report);
    bool advance_cloths(const Attempt& attempt, FrameReport& report);
    void begin_step();
    void place_prescribed(double time, std::span<Vec3> out_positions) const;
    [[nodiscard]] RigidDisplacement displacement(size_t obstacle, double time) const;
    [[nodiscard]] PinStep pin_step(const Attempt& attempt) const;
    void soften_pins(const Attempt& attempt);
    [[nodiscard]] bool let_overstretched_go(const Attempt& attempt);
    void blame_pins_of(size_t cloth, const StepReport& report);
    void blame_pins_in(std::span<const ContactStencil> unresolved);
    void accept_pins(const Attempt& attempt, FrameReport& report);
    void fill_lag(FrameReport& report);
    void set_constraints(size_t cloth, const Attempt& attempt);
    bool resolve_contacts(const Attempt& attempt, FrameReport& report);
    bool answer_contacts(double step, FrameReport& report);
    void check_cloth(int cloth) const;
    void check_vertices(int cloth, std::span<const int> vertices) const;
    void check_holds(const WorldState& state) const;
    bool try_coupled_step(const Attempt& attempt, FrameReport& report);
    void add_contact_seconds(FrameReport& report) const;
    void accept_motion(FrameReport& report);
    void accept_ends(FrameReport& report);
    bool verify(FrameReport& report);
    void fill_frame_end(FrameReport& report);

    Scene scene_;
    Environment environment_;
    StepSchedule schedule_;
    FrameRequest request_;  // of the frame being made
    std::vector<ClothBody> cloths_;
    std::vector<ObstacleBody> obstacles_;
    ContactSurface surface_;
    // One of the two schemes: contacts inside of the implicit solve, or after it.
    std::unique_ptr<CoupledStep> coupled_;
    std::unique_ptr<ContactResponse> response_;
    std::vector<std::unique_ptr<ImplicitStep>> dynamics_;  // one a cloth
    std::vector<double> free_inverse_masses_;              // 1/kg, where nothing is held
    PinBoard pins_;
    SoftPins soft_pins_;

    WorldState state_;
    WorldState start_;

    // Memory of a step and of a frame, kept; nothing a result depends on.
    WorldState frame_start_;
    std::vector<Vec3> end_;
    std::vector<ClothState> candidates_;
    std::vector<VelocityConstraint> constraints_;
    ContactReport contact_;
    std::vector<Vec3> rounded_;
    RunFailure last_trouble_;
    std::vector<int> held_;                        // vertices, in this step
    std::vector<char> held_flags_;                 // the same, one a vertex
    std::vector<Vec3> places_start_, places_end_;  // m, of the held ones, in this attempt
    std::vector<int> blamed_;                      // pins that the attempt failed through
    PinTrouble blame_ = PinTrouble::Solver;
    bool must_retry_ = false;  // the attempt, at the same length: pins were let go
};

}  // namespace toile
