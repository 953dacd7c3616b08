// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/core/progress.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/world.h"

#include <optional>

namespace toile {

struct SimulateOptions {
    const Cancellation* cancellation = nullptr;  ///< looked at after every frame
    ProgressCallback progress;                   ///< called after every frame
};

struct SimulateResult {
    RunStatus status = RunStatus::Done;
    int frames_done = 0;
    std::optional<RunFailure> failure;
    double largest_strain = 0;  ///< of the frames of this part of the run
    int strain_frame = 0;       ///< that has it
};

/// Strain beyond which a run ends with a warning: no woven cloth stretches by half.
inline constexpr double kMostPlausibleStrain = 0.5;

/// A vertex position on its way, in reading order: read by body_mesh (bodies.h) when the World is
/// made; moved by World::step, in it by ImplicitStep (cloth) and ContactResponse (contact); tested
/// by MotionCertifier in every step and find_crossings in every frame; written by
/// RunFolder::append.
///
/// Runs the world's scene to its last frame, writing every frame into `folder` as it is finished,
/// and then how the run ended. Whatever the end, all finished frames and a checkpoint of the last
/// are on the disk. A strain beyond `kMostPlausibleStrain` is told of in the log.
SimulateResult simulate(World& world, RunFolder& folder, const SimulateOptions& options = {});

}  // namespace toile
