// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace toile {

/// Where the files of a run lie.
struct RunFiles {
    std::filesystem::path folder;

    [[nodiscard]] std::filesystem::path record() const { return folder / "run.json"; }
    [[nodiscard]] std::filesystem::path scene() const { return folder / "scene.toml"; }
    [[nodiscard]] std::filesystem::path lines() const { return folder / "frames.jsonl"; }
    [[nodiscard]] std::filesystem::path states() const { return folder / "state"; }
    [[nodiscard]] std::filesystem::path mesh(const std::string& body) const {
        return folder / (body + ".obj");
    }
    [[nodiscard]] std::filesystem::path positions(const std::string& body) const {
        return folder / (body + ".pc2");
    }
    [[nodiscard]] std::filesystem::path state(int frame) const;
};

/// Frames of which there is a file in the state folder, ascending, whatever is in it.
std::vector<int> state_frames(const RunFiles& files);

/// The files that a run has written, and no others; run.json last, so that what is left by an
/// accident is still known as a run. Halves that an end in the middle of writing has left, too.
std::vector<std::filesystem::path> files_of_run(const RunFiles& files, const RunRecord& record);

/// Removes the halves alone. Only for who holds the folder's lock.
void remove_halves(const RunFiles& files);

/// The lines of frames.jsonl that are whole: each ends, and they tell of frames 0, 1, 2 and so on.
struct FrameLines {
    std::vector<long long> ends;  ///< bytes up to the end of each line
    [[nodiscard]] int count() const { return static_cast<int>(ends.size()); }
};
FrameLines read_frame_lines(const std::filesystem::path& path);

}  // namespace toile
