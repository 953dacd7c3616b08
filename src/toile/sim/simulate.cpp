// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/simulate.h"

#include <fmt/format.h>

namespace toile {
namespace {

std::string status_words(const FrameReport& report) {
    return fmt::format("{} steps, {} contacts, {} collisions, {} iterations", report.steps,
                       report.contacts, report.collisions, report.iterations);
}

}  // namespace

SimulateResult simulate(World& world, RunFolder& folder, const SimulateOptions& options) {
    SimulateResult result;
    const int n_frames = world.scene().settings.frames;
    while (world.frame() < n_frames && !result.failure) {
        const FrameReport report = world.step();
        if (report.failure) {
            result.status = RunStatus::Failed;
            result.failure = report.failure;
            break;
        }
        folder.append(world, report);
        if (options.progress) options.progress(world.frame(), n_frames, status_words(report));
        if (options.cancellation && options.cancellation->requested() && world.frame() < n_frames) {
            result.status = RunStatus::Interrupted;
            break;
        }
    }
    result.frames_done = world.frame();
    folder.finish(result.status, result.failure ? result.failure->message() : std::string());
    return result;
}

}  // namespace toile
