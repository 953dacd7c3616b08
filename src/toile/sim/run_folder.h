// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/timer.h"
#include "toile/io/folder_lock.h"
#include "toile/io/pc2.h"
#include "toile/io/random_file.h"
#include "toile/sim/run_files.h"
#include "toile/sim/run_record.h"
#include "toile/sim/world.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace toile {

struct RunFolderOptions {
    bool overwrite = false;  ///< replace the run that is there; never a folder without a run.json
    int checkpoint_every = 10;  ///< frames of which the checkpoint is kept; the last always is
};

/// A run on the disk that is to go on, and the lock on its folder.
struct RunToGoOn {
    RunFiles files;
    FolderLock lock;
    RunRecord record;
};

/// The files of a run, written as it goes: run.json, scene.toml, frames.jsonl, for every body its
/// mesh NAME.obj and its positions NAME.pc2, and state/frame_N.state. A frame is on the disk when
/// `append` returns, its line in frames.jsonl last: a frame with a line is whole; where it throws,
/// nothing of the frame stays. The folder is locked against other writers as long as this lives.
class RunFolder {
  public:
    /// Makes the folder and writes the world as it is, frame 0. Throws IoError where the folder is
    /// not empty (unless it is a run to overwrite), is being written by another, or cannot be
    /// written; then nothing of the new run is left.
    RunFolder(const std::filesystem::path& folder, const World& world,
              const RunFolderOptions& options = {});

    /// Goes on with a run after the frame at which the world is. That frame and those before it
    /// must be whole (resume.h finds out); what there is after it, and halves of files, are
    /// removed.
    RunFolder(RunToGoOn run, const World& world, const RunFolderOptions& options = {});

    /// Writes the frame that the world has just finished. Throws IoError where it cannot be
    /// written; then the files are as before and the frame can be tried again. Where not even that
    /// can be done (the disk is gone), every later call throws: what is on the disk needs
    /// `resume_run`.
    void append(const World& world, const FrameReport& report);
    /// Writes how the run ended.
    void finish(RunStatus status, const std::string& failure = {});

    [[nodiscard]] const std::filesystem::path& path() const { return files_.folder; }

  private:
    void begin(const World& world);
    void write_run_json(bool overwrite);
    void write_bodies(const World& world);
    void cut_lines(int n_frames);
    void write_frame(const World& world, const FrameReport& report, long long lines_end);
    void take_back_frame(int frame, long long lines_end);
    [[nodiscard]] bool keeps_checkpoint(int frame) const;

    RunFiles files_;
    RunFolderOptions options_;
    bool is_new_ = false;  // the folder was made for this run
    FolderLock lock_;
    RunRecord record_;
    std::vector<Pc2Appender> positions_;
    std::vector<RandomFile> lines_;  // one, once it is there
    int n_frames_ = 0;               // whole ones, of every body
    bool is_torn_ = false;           // a frame that failed could not be taken back
    Timer timer_;
    double seconds_before_ = 0, cpu_seconds_before_ = 0;  // of the run's earlier parts
};

/// The record of the run in a folder. Throws IoError where there is no run.json, InvalidInput where
/// it is none of ours.
RunRecord read_run_record(const std::filesystem::path& folder);

/// Frames that every body of a run has, by the bodies' names. A run that goes on, or was killed,
/// can have one more of some bodies: that frame is not whole. Throws InvalidInput where the numbers
/// differ otherwise, and as read_run_record and Pc2Source do.
int whole_frames(const std::filesystem::path& folder, std::span<const std::string> bodies);

/// Whether the folder holds a run.json of Toile.
bool is_run_folder(const std::filesystem::path& folder);

}  // namespace toile
