// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/simulate.h"

#include "toile/core/log.h"

#include <fmt/format.h>

namespace toile {
namespace {

std::string status_words(const FrameReport& report) {
    return fmt::format("{} steps, {} contacts, {} collisions, {} iterations", report.steps,
                       report.contacts, report.collisions, report.iterations);
}

void remember_strain(const FrameReport& report, SimulateResult& out_result) {
    if (report.largest_strain <= out_result.largest_strain) return;
    out_result.largest_strain = report.largest_strain;
    out_result.strain_frame = report.frame;
}

void warn_of_strain(const SimulateResult& result) {
    if (!(result.largest_strain > kMostPlausibleStrain)) return;
    log_warning(fmt::format(
        "The largest strain is {:.2g}, in frame {}, far beyond that of cloth; likely causes are "
        "pins "
        "or obstacles faster than it can follow, contacts on a mesh coarser than what it meets, or "
        "too few steps (`steps_per_frame`).",
        result.largest_strain, result.strain_frame));
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
        remember_strain(report, result);
        if (options.progress) options.progress(world.frame(), n_frames, status_words(report));
        if (options.cancellation && options.cancellation->requested() && world.frame() < n_frames) {
            result.status = RunStatus::Interrupted;
            break;
        }
    }
    result.frames_done = world.frame();
    warn_of_strain(result);
    folder.finish(result.status, result.failure ? result.failure->message() : std::string());
    return result;
}

}  // namespace toile
