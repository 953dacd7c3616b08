// SPDX-License-Identifier: Apache-2.0
#include "option_checks.h"
#include "run_job.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/scene/scene_file.h"
#include "verb.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace toile::app {
namespace {

constexpr int kMostFrames = 1000000000;

struct SimulateArguments : RunArguments {
    std::string scene;
    int frames = 0;
    double duration = 0;  // s
};

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
    RunFolder folder(arguments.folder, world, {.overwrite = session.force});
    run_to_end(session, arguments, world, folder);
}

}  // namespace

void add_verb_simulate(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand("simulate", "Simulate a scene into a run folder");
    verb->fallthrough();
    auto arguments = std::make_shared<SimulateArguments>();
    verb->add_option("scene", arguments->scene, "Scene file (docs/scene.md) or environment folder")
        ->required()
        ->type_name("SCENE");
    verb->add_option("-o,--output", arguments->folder, "Folder to write; --force replaces a run")
        ->required()
        ->type_name("FOLDER");
    CLI::Option* const frames =
        verb->add_option("--frames", arguments->frames, "Number of frames, in place of the scene's")
            ->check(CLI::Range(1, kMostFrames));
    verb->add_option("--duration", arguments->duration, "Seconds, in place of the scene's frames")
        ->check(positive_number())
        ->excludes(frames);
    add_run_options(*verb, *arguments);
    verb->callback([arguments, &session] { run(session, *arguments); });
}

}  // namespace toile::app
