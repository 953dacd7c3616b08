// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/core/progress.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/world.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace toile {

struct ResumeOptions {
    /// A changed scene for the frames from `from` on: the same bodies with the same meshes at the
    /// start, and the same frame rate, by which a frame's number is its time; all else may differ.
    std::optional<Scene> scene = {};
    /// First frame of the changed scene, 1 or more; after the last whole frame where not given.
    std::optional<int> from = {};
    std::optional<int> frames = {};  ///< the run's last frame, in place of its scene's
    const Cancellation* cancellation = nullptr;
    ProgressCallback progress =
        {};  ///< of frames that must be done again to come to the last state
};

/// A run that stands where it goes on: give both to simulate().
struct ResumedRun {
    std::unique_ptr<World> world;  ///< at the last whole frame, or the one before `from`
    std::unique_ptr<RunFolder> folder;
    std::filesystem::path
        set_aside;  ///< where replaced frames are kept; empty where there are none
};

/// Opens a run that was interrupted, killed or has failed, or one that is to be longer, so that it
/// goes on to the same bits as one that was never broken.
///
/// It goes on after the last frame that is whole: every body's positions, and its line. It starts
/// from that frame's checkpoint, or, where that is missing or damaged, from the newest one before
/// it, doing the frames between again without writing them; the log says so. What it comes to must
/// be what the files hold.
///
/// A changed scene takes the run's frames from `from` on out into `before-resume-N` in the folder
/// (positions, lines, run.json, scene.toml) before anything is changed.
///
/// Throws IoError and InvalidInput where the folder is no run, is being written, cannot be read, or
/// does not fit its scene or the changed one; ComputationFailed where a frame that is done again
/// comes out differently; Interrupted on request. Then nothing has been changed.
ResumedRun resume_run(const std::filesystem::path& folder, const ResumeOptions& options = {});

}  // namespace toile
