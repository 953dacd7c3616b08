// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <vector>

namespace toile {

/// How far into a frame the world is, in whole ticks, and how long a step it dares. Whole numbers,
/// so that time never drifts.
struct StepControl {
    int frame = 0;      ///< frames finished
    int tick = 0;       ///< ticks of the next frame done
    int halvings = 0;   ///< the next step is the longest one × 2^-halvings
    int successes = 0;  ///< accepted in a row at this length
    int patience = 2;   ///< successes needed before a longer step is tried
    bool just_grown = false;

    bool operator==(const StepControl&) const = default;
};

/// All of a world that changes. Copy it to come back to it: a world set to the copy goes on to the
/// same bits.
struct WorldState {
    StepControl control;
    std::vector<Vec3> positions;     ///< m, of all bodies after one another
    std::vector<Vec3> velocities;    ///< m/s, likewise; zero for obstacles
    std::vector<Vec3> last_changes;  ///< m/s, Δv of the last step: where the next solve begins

    bool operator==(const WorldState&) const = default;
};

}  // namespace toile
