// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/sim/step_schedule.h"

#include <vector>

namespace toile {

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
