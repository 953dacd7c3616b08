// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/step_trace.h"
#include "toile/sim/world.h"

#include <filesystem>
#include <string>

namespace toile {

/// Makes the folder for write_iterations. Throws IoError where it holds something already, unless
/// `overwrite`.
void prepare_iterations_folder(const std::filesystem::path& folder, bool overwrite);

/// The meshes of every iteration of contacts, as the `iterationMeshes` of [Manen10]: of each step
/// that was tried and had collisions, all cloths after each round, numbered,
/// `fFRAME_sSTEP_iROUND_NAME.obj`. Round 00 is the estimate before contacts, 01 the ends after the
/// repulsions, the last what the certificate was asked about; obstacles are written once a step.
void write_iterations(const std::filesystem::path& folder, const World& world, int frame,
                      const StepTrace& trace);

/// `run/trace/frame_000012.json`.
std::filesystem::path trace_path(const std::filesystem::path& run, int frame);

/// All of a frame's trace as one JSON document, with the trees of boxes at each step's start.
std::string trace_json(const World& world, int frame, const StepTrace& trace);

/// Writes it, over one that is there; makes its folder.
void write_trace(const std::filesystem::path& path, const World& world, int frame,
                 const StepTrace& trace);

}  // namespace toile
