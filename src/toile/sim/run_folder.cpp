// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_folder.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/run_files.h"
#include "toile/sim/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace toile {
namespace {

namespace fs = std::filesystem;

void remove_run(const RunFiles& files) {
    for (const fs::path& file : files_of_run(files, read_run_record(files.folder))) {
        fs::remove(file);
    }
}

/// Takes back what a run that could not begin has written; what cannot be removed stays.
void take_back(const RunFiles& files, const RunRecord& record, bool is_new) {
    std::error_code ignored;
    for (const fs::path& file : files_of_run(files, record)) fs::remove(file, ignored);
    fs::remove(files.states(), ignored);  // only where empty
    if (is_new) fs::remove(files.folder, ignored);
}

[[noreturn]] void fail(const fs::path& folder, const fs::filesystem_error& e) {
    throw IoError(fmt::format("{}: {}.", folder.string(), e.code().message()));
}

/// Whether the folder had to be made.
bool make_folder(const fs::path& folder) {
    if (folder.empty()) throw IoError("The run folder's name is empty; expected a folder.");
    try {
        if (fs::exists(folder) && !fs::is_directory(folder)) {
            throw IoError(fmt::format("{} is not a folder.", folder.string()));
        }
        const bool is_new = !fs::exists(folder);
        fs::create_directories(folder);
        return is_new;
    } catch (const fs::filesystem_error& e) {
        fail(folder, e);
    }
}

void prepare_folder(const RunFiles& files, bool overwrite) {
    const fs::path& folder = files.folder;
    try {
        if (!fs::is_empty(folder)) {
            if (!overwrite) {
                throw IoError(fmt::format(
                    "{} exists and is not empty; --force replaces a run in it.", folder.string()));
            }
            if (!is_run_folder(folder)) {
                throw IoError(
                    fmt::format("{} has no run.json of Toile: it holds something else than "
                                "a run, and is left alone.",
                                folder.string()));
            }
            remove_run(files);
        }
        fs::create_directories(files.states());
    } catch (const fs::filesystem_error& e) {
        fail(folder, e);
    }
}

}  // namespace

bool is_run_folder(const fs::path& folder) {
    try {
        return fs::is_regular_file(RunFiles{folder}.record()) && (read_run_record(folder), true);
    } catch (const InvalidInput&) {
        return false;
    }
}

RunRecord read_run_record(const fs::path& folder) {
    const fs::path path = RunFiles{folder}.record();
    return parse_run_json(read_bytes(path), path.string());
}

int whole_frames(const fs::path& folder, std::span<const std::string> bodies) {
    const bool is_done = read_run_record(folder).status == RunStatus::Done;
    int least = std::numeric_limits<int>::max();
    int most = 0;
    for (const std::string& body : bodies) {
        const fs::path path = folder / (body + ".pc2");
        const int n_frames = Pc2Source(path).header().n_frames;
        least = std::min(least, n_frames);
        most = std::max(most, n_frames);
        if (most - least <= (is_done ? 0 : 1)) continue;
        throw InvalidInput(fmt::format("{} has {} frames, another body of the run {}.",
                                       path.string(), n_frames, n_frames == least ? most : least));
    }
    return bodies.empty() ? 0 : least;
}

RunFolder::RunFolder(const fs::path& folder, const World& world, const RunFolderOptions& options)
    : files_{folder}, options_(options), is_new_(make_folder(folder)), lock_(folder) {
    prepare_folder(files_, options.overwrite);
    try {
        begin(world);
    } catch (...) {
        take_back(files_, record_, is_new_);
        throw;
    }
}

RunFolder::RunFolder(RunToGoOn run, const World& world, const RunFolderOptions& options)
    : files_(run.files),
      options_(options),
      lock_(std::move(run.lock)),
      record_(std::move(run.record)) {
    remove_halves(files_);
    record_.status = RunStatus::Running;
    record_.failure.clear();
    record_.frames_asked = world.scene().settings.frames;
    record_.frames_done = world.frame();
    record_.threads = thread_count();
    seconds_before_ = record_.wall_seconds;
    cpu_seconds_before_ = record_.cpu_seconds;
    n_frames_ = world.frame() + 1;
    cut_lines(n_frames_);
    for (const RunBody& body : record_.bodies) {
        positions_.push_back(
            Pc2Appender::resume(files_.positions(body.name), body.n_vertices, n_frames_));
    }
    std::error_code ignored;  // without the folder the state cannot be written, and says so
    fs::create_directories(files_.states(), ignored);
    write_checkpoint(files_.state(world.frame()), {record_.scene_hash, world.state()});
    for (const int frame : state_frames(files_)) {
        const bool is_needed = frame == world.frame() || keeps_checkpoint(frame);
        if (frame > world.frame() || !is_needed) fs::remove(files_.state(frame));
    }
    write_file(files_.scene(),
               scene_text(self_contained_scene(world, fs::absolute(files_.folder)), files_.folder),
               {.overwrite = true});
    write_run_json(true);
}

/// Leaves the first `n_frames` lines, and what `append` needs to go on after them.
void RunFolder::cut_lines(int n_frames) {
    const FrameLines whole = read_frame_lines(files_.lines());
    lines_.emplace_back(files_.lines(), RandomFile::Mode::Modify);
    lines_.front().truncate(whole.ends[static_cast<size_t>(n_frames) - 1]);
    lines_.front().flush();
}

void RunFolder::begin(const World& world) {
    record_.frames_asked = world.scene().settings.frames;
    record_.frame_rate = world.scene().settings.frame_rate;
    record_.scene_hash = scene_hash(world);
    record_.threads = thread_count();
    for (int b = 0; b < world.surface().n_bodies(); ++b) {
        const ContactBody& body = world.surface().bodies[b];
        record_.bodies.push_back({body.name, body.prescribed, body.n_vertices, body.n_triangles});
    }
    write_run_json(false);
    write_file(files_.scene(),
               scene_text(self_contained_scene(world, fs::absolute(files_.folder)), files_.folder));
    write_bodies(world);
    lines_.emplace_back(files_.lines(), RandomFile::Mode::Create);
    flush_folder(files_.folder);
    FrameReport start;
    start.frame = world.frame();
    start.time = world.time();
    append(world, start);
}

void RunFolder::write_run_json(bool overwrite) {
    record_.wall_seconds = seconds_before_ + timer_.seconds();
    record_.cpu_seconds = cpu_seconds_before_ + process_cpu_seconds();
    record_.peak_memory = peak_memory_bytes();
    write_file(files_.record(), run_json(record_), {.overwrite = overwrite});
}

void RunFolder::write_bodies(const World& world) {
    for (int b = 0; b < world.surface().n_bodies(); ++b) {
        const std::string& name = world.surface().bodies[b].name;
        write_mesh(files_.mesh(name), world.mesh(b));
        positions_.push_back(
            Pc2Appender::create(files_.positions(name), {.n_points = world.mesh(b).n_vertices()}));
    }
}

bool RunFolder::keeps_checkpoint(int frame) const {
    return frame % options_.checkpoint_every == 0 || frame == record_.scene_from;
}

/// The frame's line comes last: then it counts.
void RunFolder::write_frame(const World& world, const FrameReport& report, long long lines_end) {
    const Timer timer;
    for (size_t b = 0; b < positions_.size(); ++b) {
        positions_[b].write(world.positions(static_cast<int>(b)));
    }
    write_checkpoint(files_.state(report.frame), {record_.scene_hash, world.state()});
    RandomFile& lines = lines_.front();
    lines.write_at(lines_end, frame_json_line(report, timer.seconds()));
    lines.flush();
}

/// In the opposite order: the line that makes it count first.
void RunFolder::take_back_frame(int frame, long long lines_end) {
    is_torn_ = true;
    lines_.front().truncate(lines_end);
    lines_.front().flush();
    std::error_code ignored;  // a state without a line is not used
    fs::remove(files_.state(frame), ignored);
    for (Pc2Appender& positions : positions_) positions.cut(n_frames_);
    is_torn_ = false;
}

void RunFolder::append(const World& world, const FrameReport& report) {
    if (is_torn_) {
        throw IoError(fmt::format(
            "{}: A frame could not be written and could not be taken back; the run goes on only "
            "with 'toile resume'.",
            path().string()));
    }
    const long long lines_end = lines_.front().size();
    try {
        write_frame(world, report, lines_end);
    } catch (...) {
        take_back_frame(report.frame, lines_end);
        throw;
    }
    ++n_frames_;
    record_.frames_done = report.frame;
    const int before = report.frame - 1;
    std::error_code ignored;  // one state too many harms nothing
    if (before >= 0 && !keeps_checkpoint(before)) fs::remove(files_.state(before), ignored);
}

void RunFolder::finish(RunStatus status, const std::string& failure) {
    record_.status = status;
    record_.failure = failure;
    write_run_json(true);
}

}  // namespace toile
