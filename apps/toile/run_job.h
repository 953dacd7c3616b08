// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/simulate.h"
#include "verb.h"

#include <string>
#include <vector>

namespace toile::app {

/// What simulate and resume share.
struct RunArguments {
    std::string folder;           ///< of the run, as the user wrote it
    std::string save_iterations;  ///< folder for the meshes of collision iterations, or empty
    std::vector<int> trace;       ///< frames whose trace is written as JSON
};

void add_run_options(CLI::App& verb, RunArguments& arguments);

/// Runs to the last frame, showing progress; prints the result and throws as the program ends:
/// ComputationFailed, Interrupted with how to go on, IoError likewise.
void run_to_end(Session& session, const RunArguments& arguments, World& world, RunFolder& folder);

}  // namespace toile::app
