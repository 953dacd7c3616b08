// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/simulate.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace toile::app {
namespace {

constexpr int kMostFrames = 1000000000;

struct SimulateArguments {
    std::string scene;
    std::string output;
    int frames = 0;
    double duration = 0;  // s
};

const char* status_word(RunStatus status) {
    switch (status) {
        case RunStatus::Done:
            return "done";
        case RunStatus::Interrupted:
            return "interrupted";
        case RunStatus::Failed:
            return "failed";
        case RunStatus::Running:
            break;
    }
    return "running";
}

void print_result(const SimulateResult& result, const std::string& output) {
    nlohmann::ordered_json json = {
        {"run", output}, {"status", status_word(result.status)}, {"frames", result.frames_done}};
    json["largest_strain"] = result.largest_strain;
    if (result.failure) json["failure"] = result.failure->message();
    fmt::print("{}\n", json.dump(2));
}

int frames_in(double duration, const Scene& scene) {
    const double frames = std::round(duration * scene.settings.frame_rate);
    if (frames >= 1 && frames <= kMostFrames) return static_cast<int>(frames);
    throw InvalidInput(fmt::format("--duration {} is {} frames at {} a second; expected 1 to {}.",
                                   duration, frames, scene.settings.frame_rate, kMostFrames));
}

void run(Session& session, const SimulateArguments& arguments) {
    require_existing(arguments.scene);
    Scene scene = load_scene(arguments.scene);
    if (arguments.frames > 0) scene.settings.frames = arguments.frames;
    if (arguments.duration > 0) scene.settings.frames = frames_in(arguments.duration, scene);
    World world(scene);
    RunFolder folder(arguments.output, world, {.overwrite = session.force});
    SimulateOptions options = {.cancellation = &session.cancellation, .progress = {}};
    if (!session.quiet) options.progress = progress_line("frame");
    const SimulateResult result = simulate(world, folder, options);
    if (!session.quiet) end_progress_line();
    if (session.json) print_result(result, arguments.output);
    if (result.failure) throw ComputationFailed(result.failure->message());
    if (result.status == RunStatus::Interrupted) {
        throw Interrupted(
            fmt::format("Stopped after frame {} of {}; all frames so far and a "
                        "checkpoint are in {}.",
                        result.frames_done, scene.settings.frames, arguments.output));
    }
    if (!session.quiet) {
        fmt::print(stderr, "Wrote {} frames into {}.\n", result.frames_done, arguments.output);
    }
}

}  // namespace

void add_verb_simulate(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand("simulate", "Simulate a scene into a run folder");
    verb->fallthrough();
    auto arguments = std::make_shared<SimulateArguments>();
    verb->add_option("scene", arguments->scene, "Scene file (docs/scene.md) or environment folder")
        ->required()
        ->type_name("SCENE");
    verb->add_option("-o,--output", arguments->output, "Folder to write; --force replaces a run")
        ->required()
        ->type_name("FOLDER");
    CLI::Option* const frames =
        verb->add_option("--frames", arguments->frames, "Number of frames, in place of the scene's")
            ->check(CLI::Range(1, kMostFrames));
    verb->add_option("--duration", arguments->duration, "Seconds, in place of the scene's frames")
        ->check(CLI::PositiveNumber)
        ->excludes(frames);
    verb->callback([arguments, &session] { run(session, *arguments); });
}

}  // namespace toile::app
