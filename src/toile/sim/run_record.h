// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/frame_report.h"
#include "toile/sim/world.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

enum class RunStatus {
    Running,  ///< or ended without a word: killed
    Done,
    Interrupted,
    Failed
};

/// `running`, `done`, `interrupted` or `failed`.
const char* status_name(RunStatus status);

/// A body as run.json knows it.
struct RunBody {
    std::string name;
    bool obstacle = false;
    int n_vertices = 0;
    int n_triangles = 0;
};

/// The content of run.json: what was run, where and how far. Times and machine are for people; no
/// result depends on them.
struct RunRecord {
    RunStatus status = RunStatus::Running;
    int frames_done = 0;  ///< after frame 0, when last written
    int frames_asked = 0;
    double frame_rate = 0;
    std::uint64_t scene_hash = 0;
    /// Frame from whose state the scene holds: 0, or where a resume has brought a changed one.
    int scene_from = 0;
    std::vector<RunBody> bodies;
    int threads = 0;
    double wall_seconds = 0;
    double cpu_seconds = 0;
    long long peak_memory = 0;  ///< bytes
    std::string failure;        ///< a sentence, or empty
};

std::string run_json(const RunRecord& record);

/// Reads what run_json wrote (of times only what is needed). Throws InvalidInput, beginning with
/// `name`, where it is not the record of a run of Toile.
RunRecord parse_run_json(std::string_view text, const std::string& name);

/// One line of frames.jsonl, with its line end. `seconds` comes last: all before is the same in
/// every run of a scene.
std::string frame_json_line(const FrameReport& report, double seconds_writing);

}  // namespace toile
