// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/scene/motion.h"
#include "toile/sim/step_schedule.h"

#include <vector>

namespace toile {

/// Who decides where a vertex is.
enum class HoldKind : int {
    Scene,  ///< a pin of the scene that took hold after the start
    Code,   ///< World::pin
    Free    ///< World::release: no pin of the scene holds it
};

/// A vertex of a cloth whose place is not decided as it was at the start of the scene.
struct Hold {
    int vertex = 0;  ///< of all bodies
    HoldKind kind = HoldKind::Scene;
    double since = 0;           ///< s
    Vec3 anchor = {0, 0, 0};    ///< m, where it was then
    Vec3 velocity = {0, 0, 0};  ///< m/s, of HoldKind::Code

    bool operator==(const Hold&) const = default;
};

/// An obstacle that code moves, in place of the scene's pieces and keyframes.
struct ObstacleHold {
    int obstacle = 0;            ///< of the scene's list
    double since = 0;            ///< s
    RigidDisplacement pose;      ///< relative to its place, then
    Vec3 velocity = {0, 0, 0};   ///< m/s, of the pivot
    Vec3 turn_rate = {0, 0, 0};  ///< rad/s about the axis of this direction through the pivot

    bool operator==(const ObstacleHold&) const = default;
};

/// All of a world that changes, what code has set included. Copy it to come back to it: a world set
/// to the copy goes on to the same bits.
struct WorldState {
    StepControl control;
    std::vector<Vec3> positions;     ///< m, of all bodies after one another
    std::vector<Vec3> velocities;    ///< m/s, likewise; zero for obstacles
    std::vector<Vec3> last_changes;  ///< m/s, Δv of the last step: where the next solve begins
    std::vector<Hold> holds;         ///< ascending by vertex, each vertex once
    std::vector<ObstacleHold> obstacle_holds;  ///< ascending by obstacle, each once

    bool operator==(const WorldState&) const = default;
};

}  // namespace toile
