// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/bodies.h"
#include "toile/sim/world_state.h"

#include <span>
#include <vector>

namespace toile {

/// A vertex that is held during a step, and how.
struct HeldVertex {
    int vertex = 0;  ///< of all bodies
    int group = -1;  ///< of PinBoard's active groups; -1: by code
    double since = 0;
    Vec3 anchor = {0, 0, 0};
    Vec3 velocity = {0, 0, 0};
};

/// Which vertices of all cloths are held during a step, and where they must be. Built anew at the
/// beginning of each step from the world's state alone, so that a state put back brings its pins
/// back too.
///
/// A pin of the scene holds in every step that begins in [start, end), both rounded to whole ticks:
/// where a time falls within a step, the change waits for the step's end. Its vertices are led from
/// where they are when its first step begins, and keep the velocity of its last when it ends.
class PinBoard {
  public:
    /// `cloths` must outlive this, and be the first of all bodies.
    PinBoard(std::span<const ClothBody> cloths, const StepSchedule& schedule);

    /// Finds what is held in a step that begins in `state`; notes in its holds what begins, and
    /// drops what has ended.
    void begin_step(WorldState& inout_state);

    /// Ascending by vertex.
    [[nodiscard]] std::span<const HeldVertex> held() const { return held_; }
    /// Those of one cloth.
    [[nodiscard]] std::span<const HeldVertex> held_of(size_t cloth) const;
    /// Writes where the held vertices must be at `time` (s) into the positions of all bodies.
    void place(double time, std::span<Vec3> out_positions) const;

    /// Puts a hold in the place of the vertex's last one.
    static void note(const Hold& hold, WorldState& inout_state);
    /// Gives a cloth's vertices back to the scene's pins, which lead them on from where they are.
    void leave_to_scene(size_t cloth, WorldState& inout_state) const;

  private:
    /// A pin of the scene, with its times in ticks and the first vertex of its cloth.
    struct TimedGroup {
        const PinGroup* pins;
        size_t cloth;
        int first_vertex;
        long long start, end;
        [[nodiscard]] bool holds_at(long long tick) const { return tick >= start && tick < end; }
    };
    struct ActiveGroup {
        const PinGroup* pins;
        double since;
        Vec3 pivot;
    };
    /// Whose turn it is, at the beginning of a step.
    struct Moment {
        long long tick;
        double time;
    };

    void hold_group(const TimedGroup& group, const Moment& now, WorldState& inout_state);
    void drop_ended(WorldState& inout_state) const;

    StepSchedule schedule_;
    std::vector<TimedGroup> groups_;
    std::vector<int> first_vertex_;  // of each cloth, and one after the last

    // Of the step that has begun.
    std::vector<HeldVertex> held_;
    std::vector<ActiveGroup> active_;
    std::vector<size_t> first_held_;  // of each cloth, and one after the last
    std::vector<char> is_held_;       // by a pin of the scene, per vertex
    std::vector<Vec3> anchors_;
};

}  // namespace toile
