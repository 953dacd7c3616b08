// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/resume.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/run_scene.h"
#include "toile/sim/set_aside.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace toile {
namespace {

namespace fs = std::filesystem;

/// A run as it lies on the disk.
struct StoppedRun {
    RunToGoOn run;
    Scene scene;
    int last_frame = 0;  // that is whole
};

[[noreturn]] void refuse_run_without_frames(const RunFiles& files, const RunRecord& record) {
    if (record.frames_done > 0) {
        throw InvalidInput(fmt::format(
            "{}: The list of finished frames is missing or damaged, though run.json says that "
            "{} are done. Put it back; without it nothing is known to be whole. 'toile check {}' "
            "tells what the frames are worth.",
            files.lines().string(), record.frames_done, files.folder.string()));
    }
    throw InvalidInput(
        fmt::format("{} was ended before its first frame was whole; begin it anew (simulate "
                    "--force).",
                    files.folder.string()));
}

/// Nothing is added to frames that are not what was written: reading refuses what is not finite.
void read_kept_frames(Pc2Source& source, int n_frames) {
    std::vector<Vec3> positions(source.n_vertices());
    for (int frame = 0; frame < n_frames; ++frame) static_cast<void>(source.next(positions));
}

int last_whole_frame(const RunFiles& files, const RunRecord& record) {
    int n_frames = fs::exists(files.lines()) ? read_frame_lines(files.lines()).count() : 0;
    if (n_frames == 0) refuse_run_without_frames(files, record);
    for (const RunBody& body : record.bodies) {
        const Pc2Header header = Pc2Source(files.positions(body.name)).header();
        if (header.n_points != body.n_vertices) {
            throw InvalidInput(fmt::format("{} has {} points; run.json says {}.",
                                           files.positions(body.name).string(), header.n_points,
                                           body.n_vertices));
        }
        n_frames = std::min(n_frames, header.n_frames);
    }
    for (const RunBody& body : record.bodies) {
        Pc2Source source(files.positions(body.name));
        read_kept_frames(source, n_frames);
    }
    return n_frames - 1;
}

StoppedRun open_run(const fs::path& folder) {
    const RunFiles files{folder};
    if (!fs::is_regular_file(files.record())) {
        throw IoError(
            fmt::format("'{}' is not the folder of a run: it has no run.json.", folder.string()));
    }
    FolderLock lock(folder);
    RunRecord record = read_run_record(folder);
    const int last = last_whole_frame(files, record);
    Scene scene = load_scene(files.scene());
    return {{files, std::move(lock), std::move(record)}, std::move(scene), last};
}

[[noreturn]] void refuse_scene(const std::string& what) {
    throw InvalidInput(fmt::format(
        "The changed scene {}; a run goes on only with the same bodies and meshes.", what));
}

/// A frame's number is its time, in the files as in the world: at another rate all that moves by
/// time would jump. Step lengths may differ: between frames the world stands at no part of one.
void check_same_rate(const Scene& old_scene, const Scene& scene) {
    const double old_rate = old_scene.settings.frame_rate, rate = scene.settings.frame_rate;
    if (rate == old_rate) return;
    throw InvalidInput(
        fmt::format("The changed scene has frame_rate = {}, the run {}; a run has one frame rate.",
                    rate, old_rate));
}

/// The files of a run describe its bodies once, for all frames.
void check_same_bodies(const World& old_world, const World& world) {
    const auto& old_bodies = old_world.surface().bodies;
    const auto& bodies = world.surface().bodies;
    if (old_bodies.size() != bodies.size()) {
        refuse_scene(fmt::format("has {} bodies, the run {}", bodies.size(), old_bodies.size()));
    }
    for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
        const std::string& name = old_bodies[b].name;
        if (bodies[b].name != name || bodies[b].prescribed != old_bodies[b].prescribed) {
            refuse_scene(fmt::format("has {} '{}' where the run has {} '{}'",
                                     bodies[b].prescribed ? "obstacle" : "cloth", bodies[b].name,
                                     old_bodies[b].prescribed ? "obstacle" : "cloth", name));
        }
        if (bodies[b].n_vertices != old_bodies[b].n_vertices) {
            refuse_scene(fmt::format("has {} vertices in '{}', the run {}", bodies[b].n_vertices,
                                     name, old_bodies[b].n_vertices));
        }
        const TriangleMesh& mesh = world.mesh(b);
        const TriangleMesh& old_mesh = old_world.mesh(b);
        if (mesh.triangles != old_mesh.triangles) {
            refuse_scene(fmt::format("has other triangles in '{}'", name));
        }
        if (mesh.positions != old_mesh.positions || mesh.uvs != old_mesh.uvs ||
            mesh.uv_triangles != old_mesh.uv_triangles) {
            refuse_scene(
                fmt::format("has '{}' elsewhere, or of another shape, at its start", name));
        }
    }
}

void say_again_from(int frame, int target) {
    if (frame == target) return;
    log_warning(frame + 1 == target
                    ? fmt::format("Frame {} is done again to come to its state.", target)
                    : fmt::format("Frames {} to {} are done again to come to their state.",
                                  frame + 1, target));
}

/// Sets the world to the newest state, not after `target`, that is whole and its own.
void find_state(const StoppedRun& stopped, std::uint64_t hash, int target, World& world) {
    const RunFiles& files = stopped.run.files;
    std::vector<int> frames = state_frames(files);
    for (const int frame : frames | std::views::reverse) {
        if (frame > target) continue;
        try {
            const Checkpoint checkpoint = read_checkpoint(files.state(frame));
            if (checkpoint.scene_hash != hash && frame != target) continue;
            if (checkpoint.state.control.frame != frame) {
                throw InvalidInput(fmt::format("{}: It is of frame {}.",
                                               files.state(frame).string(),
                                               checkpoint.state.control.frame));
            }
            world.set_state(checkpoint.state);
            say_again_from(frame, target);
            return;
        } catch (const Error& e) {
            log_warning(fmt::format("{} An older state is looked for.", e.what()));
        }
    }
    if (stopped.run.record.scene_from > 0) {
        throw InvalidInput(fmt::format(
            "{}: No state is left from which frame {} can be reached; its scene holds "
            "from frame {} on only. Begin anew, or with --from at a frame after one "
            "that is in {}.",
            files.folder.string(), target, stopped.run.record.scene_from, files.states().string()));
    }
    say_again_from(0, target);
}

void redo_frames(int target, const ResumeOptions& options, World& world) {
    while (world.frame() < target) {
        const FrameReport report = world.step({.cancellation = options.cancellation});
        if (report.interrupted) throw Interrupted("Stopped; the run is as it was.");
        if (report.failure) throw ComputationFailed(report.failure->message());
        if (options.progress) options.progress(world.frame(), target, "done again");
    }
}

/// What the state holds is what the files hold.
void check_positions(const StoppedRun& stopped, const World& world) {
    std::vector<Vec3> rounded;
    for (int b = 0; b < world.surface().n_bodies(); ++b) {
        const fs::path path = stopped.run.files.positions(stopped.run.record.bodies[b].name);
        Pc2Source source(path);
        std::vector<Vec3> written(static_cast<size_t>(source.n_vertices()));
        source.seek(world.frame());
        round_to_float(world.positions(b), rounded);
        if (source.next(written) && written == rounded) continue;
        throw ComputationFailed(fmt::format(
            "Frame {} of '{}' comes out differently from what is written: another machine, "
            "library or version of Toile wrote it, or {} was changed. Nothing was touched.",
            world.frame(), stopped.run.record.bodies[b].name, path.string()));
    }
}

void check_hash(const StoppedRun& stopped, std::uint64_t hash) {
    const RunFiles& files = stopped.run.files;
    if (hash == stopped.run.record.scene_hash) return;
    // A change of scene that was cut short after its scene.toml has left a state of that scene.
    if (fs::exists(files.state(stopped.last_frame))) {
        try {
            if (read_checkpoint(files.state(stopped.last_frame)).scene_hash == hash) return;
        } catch (const InvalidInput&) {  // damaged: it says nothing
        }
    }
    throw InvalidInput(fmt::format(
        "{} is not the scene that the run was made with: it or a mesh was changed, or another "
        "version of Toile wrote it. To go on with it as a changed scene, copy it and say "
        "--scene and --from.",
        files.scene().string()));
}

int first_changed_frame(const StoppedRun& stopped, const ResumeOptions& options) {
    const int from = options.from.value_or(stopped.last_frame + 1);
    if (from >= 1 && from <= stopped.last_frame + 1) return from;
    throw InvalidInput(fmt::format(
        "A changed scene cannot begin with frame {}; the run has frames 0 to {}, so it can "
        "with 1 to {}.",
        from, stopped.last_frame, stopped.last_frame + 1));
}

void set_last_frame(const StoppedRun& stopped, const ResumeOptions& options, Scene& scene) {
    if (options.frames) scene.settings.frames = *options.frames;
    if (options.scene || scene.settings.frames >= stopped.last_frame) return;
    throw InvalidInput(fmt::format("The run has {} frames already; it cannot end at frame {}.",
                                   stopped.last_frame, scene.settings.frames));
}

ResumedRun go_on(StoppedRun stopped, const ResumeOptions& options) {
    set_last_frame(stopped, options, stopped.scene);
    auto world = std::make_unique<World>(stopped.scene);
    const std::uint64_t hash = scene_hash(*world);
    check_hash(stopped, hash);
    stopped.run.record.scene_hash = hash;
    find_state(stopped, hash, stopped.last_frame, *world);
    redo_frames(stopped.last_frame, options, *world);
    check_positions(stopped, *world);
    auto folder = std::make_unique<RunFolder>(std::move(stopped.run), *world);
    return {std::move(world), std::move(folder), {}};
}

ResumedRun go_on_changed(StoppedRun stopped, const ResumeOptions& options) {
    const int target = first_changed_frame(stopped, options) - 1;
    Scene scene = *options.scene;
    set_last_frame(stopped, options, scene);
    if (scene.settings.frames <= target) {
        throw InvalidInput(fmt::format("The changed scene ends at frame {}, before frame {}.",
                                       scene.settings.frames, target + 1));
    }
    check_same_rate(stopped.scene, scene);
    auto world = std::make_unique<World>(scene);
    World old_world(stopped.scene);
    check_same_bodies(old_world, *world);
    find_state(stopped, scene_hash(old_world), target, old_world);
    redo_frames(target, options, old_world);
    check_positions(stopped, old_world);
    world->set_state(old_world.state());
    fs::path aside = set_aside_frames(stopped.run.files, stopped.run.record, target + 1);
    stopped.run.record.scene_hash = scene_hash(*world);
    stopped.run.record.scene_from = target;
    auto folder = std::make_unique<RunFolder>(std::move(stopped.run), *world);
    return {std::move(world), std::move(folder), std::move(aside)};
}

}  // namespace

ResumedRun resume_run(const fs::path& folder, const ResumeOptions& options) {
    if (options.from && !options.scene) {
        throw InvalidInput("A frame to begin from needs a changed scene.");
    }
    StoppedRun stopped = open_run(folder);
    if (options.scene) return go_on_changed(std::move(stopped), options);
    return go_on(std::move(stopped), options);
}

}  // namespace toile
