// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/core/progress.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/world.h"

#include <functional>
#include <optional>

namespace toile {

struct SimulateOptions {
    const Cancellation* cancellation = nullptr;  ///< looked at before every step
    ProgressCallback progress = {};  ///< called after every frame, and before every step
    /// Called with what contacts saw in each frame that `wants_trace` is true for, finished or not.
    std::function<void(const World&, const FrameReport&, const StepTrace&)> trace = {};
    std::function<bool(int frame)> wants_trace =
        {};  ///< empty: every frame, where `trace` is given
};

struct SimulateResult {
    RunStatus status = RunStatus::Done;
    int frames_done = 0;
    std::optional<RunFailure> failure;
    double largest_strain = 0;  ///< of the frames of this part of the run
    int strain_frame = 0;       ///< that has it
    int n_let_go = 0;  ///< times that a pin could not be met any more, in this part of the run
    PinLag lag;        ///< at its end
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
/// are on the disk. Cloths that start inside a closed obstacle, pins that cannot follow, and a
/// strain beyond `kMostPlausibleStrain` are told of in the log. Throws IoError where a frame cannot
/// be written, naming the last that is.
SimulateResult simulate(World& world, RunFolder& folder, const SimulateOptions& options = {});

}  // namespace toile
