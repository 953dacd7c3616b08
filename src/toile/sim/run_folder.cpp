// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_folder.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRecord = "run.json";
constexpr const char* kScene = "scene.toml";
constexpr const char* kLines = "frames.jsonl";
constexpr const char* kStates = "state";

/// The states of a run, and what an end in the middle of writing one has left.
bool is_state(const fs::path& path) {
    const std::string name = path.filename().string();
    return path.extension() == ".state" ||
           (name.starts_with(".frame_") && path.extension() == ".tmp");
}

/// The files that a run has written, and no others; run.json last, so that what is left by an
/// accident is still known as a run.
std::vector<fs::path> files_of_run(const fs::path& folder, const RunRecord& record) {
    std::vector<fs::path> files;
    for (const RunBody& body : record.bodies) {
        files.push_back(folder / (body.name + ".obj"));
        files.push_back(folder / (body.name + ".pc2"));
    }
    files.push_back(folder / kScene);
    files.push_back(folder / kLines);
    if (fs::is_directory(folder / kStates)) {
        for (const auto& entry : fs::directory_iterator(folder / kStates)) {
            if (is_state(entry.path())) files.push_back(entry.path());
        }
    }
    files.push_back(folder / kRecord);
    return files;
}

void remove_run(const fs::path& folder) {
    for (const fs::path& file : files_of_run(folder, read_run_record(folder))) fs::remove(file);
}

/// Takes back what a run that could not begin has written; what cannot be removed stays.
void take_back(const fs::path& folder, const RunRecord& record, bool is_new) {
    std::error_code ignored;
    for (const fs::path& file : files_of_run(folder, record)) fs::remove(file, ignored);
    fs::remove(folder / kStates, ignored);  // only where empty
    if (is_new) fs::remove(folder, ignored);
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

void prepare_folder(const fs::path& folder, bool overwrite) {
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
            remove_run(folder);
        }
        fs::create_directories(folder / kStates);
    } catch (const fs::filesystem_error& e) {
        fail(folder, e);
    }
}

}  // namespace

bool is_run_folder(const fs::path& folder) {
    try {
        return fs::is_regular_file(folder / kRecord) && (read_run_record(folder), true);
    } catch (const InvalidInput&) {
        return false;
    }
}

RunRecord read_run_record(const fs::path& folder) {
    const fs::path path = folder / kRecord;
    return parse_run_json(read_bytes(path), path.string());
}

int whole_frames(const fs::path& folder, std::span<const std::string> bodies) {
    const bool is_ended = read_run_record(folder).status != RunStatus::Running;
    int least = std::numeric_limits<int>::max();
    int most = 0;
    for (const std::string& body : bodies) {
        const fs::path path = folder / (body + ".pc2");
        const int n_frames = Pc2Source(path).header().n_frames;
        least = std::min(least, n_frames);
        most = std::max(most, n_frames);
        if (most - least <= (is_ended ? 0 : 1)) continue;
        throw InvalidInput(fmt::format("{} has {} frames, another body of the run {}.",
                                       path.string(), n_frames, n_frames == least ? most : least));
    }
    return bodies.empty() ? 0 : least;
}

RunFolder::RunFolder(const fs::path& folder, const World& world, const RunFolderOptions& options)
    : folder_(folder), options_(options), is_new_(make_folder(folder)), lock_(folder) {
    prepare_folder(folder_, options.overwrite);
    try {
        begin(world);
    } catch (...) {
        take_back(folder_, record_, is_new_);
        throw;
    }
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
    write_file(folder_ / kScene,
               scene_text(self_contained_scene(world, fs::absolute(folder_)), folder_));
    write_bodies(world);
    lines_.emplace_back(folder_ / kLines, RandomFile::Mode::Create);
    flush_folder(folder_);
    FrameReport start;
    start.frame = world.frame();
    start.time = world.time();
    append(world, start);
}

void RunFolder::write_run_json(bool overwrite) {
    record_.wall_seconds = timer_.seconds();
    record_.cpu_seconds = process_cpu_seconds();
    record_.peak_memory = peak_memory_bytes();
    write_file(folder_ / kRecord, run_json(record_), {.overwrite = overwrite});
}

void RunFolder::write_bodies(const World& world) {
    for (int b = 0; b < world.surface().n_bodies(); ++b) {
        const std::string& name = world.surface().bodies[b].name;
        write_mesh(folder_ / (name + ".obj"), world.mesh(b));
        positions_.push_back(Pc2Appender::create(folder_ / (name + ".pc2"),
                                                 {.n_points = world.mesh(b).n_vertices()}));
    }
}

fs::path RunFolder::checkpoint_path(int frame) const {
    return folder_ / kStates / fmt::format("frame_{:06d}.state", frame);
}

/// The new one is whole on the disk before the one before it goes.
void RunFolder::save_checkpoint(const World& world) {
    const int frame = world.frame();
    write_checkpoint(checkpoint_path(frame), {record_.scene_hash, world.state()});
    const int before = frame - 1;
    if (before > 0 && before % options_.checkpoint_every != 0) fs::remove(checkpoint_path(before));
}

void RunFolder::append(const World& world, const FrameReport& report) {
    const Timer timer;
    for (size_t b = 0; b < positions_.size(); ++b) {
        positions_[b].write(world.positions(static_cast<int>(b)));
    }
    save_checkpoint(world);
    RandomFile& lines = lines_.front();
    lines.write_at(lines.size(), frame_json_line(report, timer.seconds()));
    lines.flush();
    record_.frames_done = report.frame;
}

void RunFolder::finish(RunStatus status, const std::string& failure) {
    record_.status = status;
    record_.failure = failure;
    write_run_json(true);
}

}  // namespace toile
