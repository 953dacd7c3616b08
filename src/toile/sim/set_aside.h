// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/run_files.h"

#include <filesystem>

namespace toile {

/// Copies what a run holds of the frames from `first` on, and what they were made from, into
/// `before-resume-N` in the run's folder, N the first number that is free: NAME.pc2 (whose header
/// says with which frame it starts), frames.jsonl, run.json and scene.toml. The folder appears
/// whole or not at all. Returns it, or nothing where there is no such frame.
std::filesystem::path set_aside_frames(const RunFiles& files, const RunRecord& record, int first);

}  // namespace toile
