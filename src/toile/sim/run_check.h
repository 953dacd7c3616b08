// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/core/progress.h"
#include "toile/sim/crossing_check.h"
#include "toile/sim/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace toile {

/// One frame of a run as its files show it.
struct FrameCheck {
    int frame = 0;
    int n_crossings = 0;           ///< pairs of triangles, exact
    int n_inside = 0;              ///< cloth vertices in closed obstacles that they started outside
    int n_inside_since_start = 0;  ///< in those that they were in at frame 0: meant, or a bad start
    double smallest_gap = 0;       ///< m, among pairs nearer than they should be; infinity for none
    double largest_strain = 0;     ///< of all cloths
    double largest_rms_speed = 0;  ///< m/s, of the fastest cloth, by its way since the last frame
    std::vector<std::string> crossing_sentences;  ///< the first few

    [[nodiscard]] bool is_clean() const { return n_crossings == 0 && n_inside == 0; }
};

/// One thing that the scene's [expect] asks for, and whether the files show it.
struct ExpectationCheck {
    std::string sentence;  ///< what was expected, and what was found
    bool held = false;
};

struct RunCheck {
    std::vector<FrameCheck> frames;
    std::vector<ExpectationCheck> expectations;
    int n_bad_frames = 0;
    RunStatus status = RunStatus::Running;  ///< that run.json tells
    int frames_asked = 0;                   ///< after frame 0
    std::string failure;                    ///< why the run stopped, or empty

    [[nodiscard]] bool is_clean() const { return n_bad_frames == 0; }
    [[nodiscard]] bool holds() const;  ///< every expectation
    [[nodiscard]] bool is_complete() const { return status == RunStatus::Done; }
};

struct RunCheckOptions {
    const Cancellation* cancellation = nullptr;
    ProgressCallback progress;
};

/// Reads a run folder's files again, knowing nothing of the world that wrote them, and tests every
/// frame that is whole: meshes NAME.obj, positions NAME.pc2, thickness and rest shapes from
/// scene.toml. Throws IoError or InvalidInput where files are missing or do not fit each other,
/// Interrupted on request.
RunCheck check_run(const std::filesystem::path& folder, const RunCheckOptions& options = {});

}  // namespace toile
