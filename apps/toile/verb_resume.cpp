// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"
#include "run_job.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/resume.h"
#include "verb.h"

#include <fmt/format.h>

#include <memory>

namespace toile::app {
namespace {

struct ResumeArguments : RunArguments {
    std::string scene;
    int from = 0;
    int frames = 0;
};

void run(Session& session, const ResumeArguments& arguments) {
    ResumeOptions options = {.cancellation = &session.cancellation};
    if (!arguments.scene.empty()) options.scene = load_scene(arguments.scene);
    if (arguments.from > 0) options.from = arguments.from;
    if (arguments.frames > 0) options.frames = arguments.frames;
    if (!session.quiet) options.progress = progress_line("frame");
    const ResumedRun run = resume_run(arguments.folder, options);
    const int n_frames = run.world->scene().settings.frames;
    if (!session.quiet) {
        if (!run.set_aside.empty()) {
            fmt::print(stderr, "Frames {} and after are kept in {}.\n", run.world->frame() + 1,
                       run.set_aside.string());
        }
        if (run.world->frame() < n_frames) {
            fmt::print(stderr, "Going on after frame {} of {}.\n", run.world->frame(), n_frames);
        } else {
            fmt::print(stderr, "All {} frames are there; --frames N makes the run longer.\n",
                       n_frames);
        }
    }
    run_to_end(session, arguments, *run.world, *run.folder);
}

}  // namespace

void add_verb_resume(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand(
        "resume", "Go on with a run that was stopped, killed or failed, or make it longer");
    verb->fallthrough();
    auto arguments = std::make_shared<ResumeArguments>();
    verb->add_option("run", arguments->folder, "Folder of the run")->required()->type_name("RUN");
    CLI::Option* scene =
        verb->add_option("--scene", arguments->scene,
                         "Changed scene with the same bodies, for the frames from --from on");
    scene->type_name("SCENE");
    verb->add_option("--from", arguments->from,
                     "First frame of the changed scene (default: the first that is missing)")
        ->needs(scene)
        ->type_name("FRAME")
        ->check(CLI::Range(1, 1000000000));
    verb->add_option("--frames", arguments->frames, "Last frame, in place of the scene's")
        ->check(CLI::Range(1, 1000000000));
    add_run_options(*verb, *arguments);
    verb->callback([arguments, &session] { run(session, *arguments); });
}

}  // namespace toile::app
