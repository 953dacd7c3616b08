// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"
#include "toile/sim/run_check.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// Where a body is.
struct BodyExtent {
    std::string name;
    Box box;  ///< m, round its vertices
};

/// Each key of the scene's [expect] against what its run's files show, in the order of the keys.
/// The scene must have one; `last_frame` holds every cloth, or none where the run has no frame.
/// What no frame shows does not hold, nor what is not a number.
std::vector<ExpectationCheck> check_expectations(const Scene& scene, const RunCheck& run,
                                                 std::span<const BodyExtent> last_frame);

}  // namespace toile
