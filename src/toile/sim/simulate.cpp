// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/simulate.h"

#include "toile/core/error.h"
#include "toile/core/log.h"

#include <fmt/format.h>

#include <algorithm>

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

/// Only where the start is at hand: a run that goes on is told of it at its start.
void warn_of_start(const World& world) {
    if (world.frame() > 0) return;
    const auto bodies = world.checked_bodies(world.state().positions);
    const std::string inside = inside_sentence(bodies, find_inside_vertices(bodies));
    if (!inside.empty()) log_warning(inside);
}

[[noreturn]] void fail_to_write(const IoError& e, RunFolder& folder, int last_frame) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder.path(), ignored)) {
        throw IoError(
            fmt::format("The run folder '{}' was removed or renamed while the run was "
                        "writing into it; the frames are there no more. ({})",
                        folder.path().string(), e.what()));
    }
    try {
        folder.finish(RunStatus::Failed, e.what());
    } catch (const IoError&) {  // run.json goes on saying that the run has not ended
    }
    throw IoError(fmt::format("{} Frames 0 to {} are whole in '{}'.", e.what(), last_frame,
                              folder.path().string()));
}

/// Tells of pins that yield, the first few of a frame, and when the last has caught up.
void tell_of_pins(const FrameReport& report, const PinLag& before) {
    constexpr size_t kMostNamed = 3;
    const std::vector<PinLetGo>& pins = report.let_go;
    if (!pins.empty()) {
        std::string text = fmt::format("Frame {}: ", report.frame);
        for (size_t i = 0; i < std::min(kMostNamed, pins.size()); ++i) {
            text += (i == 0 ? "" : "; ") + pins[i].phrase();
        }
        if (pins.size() > kMostNamed) text += fmt::format("; {} more", pins.size() - kMostNamed);
        if (report.lag.n_vertices > 0) text += ". At its end " + report.lag.phrase();
        log_warning(text + ".");
    } else if (before.n_vertices > 0 && report.lag.n_vertices == 0) {
        log_info(fmt::format("Frame {}: all pins are back at their places.", report.frame));
    }
}

bool wants_trace(const SimulateOptions& options, int frame) {
    return options.trace && (!options.wants_trace || options.wants_trace(frame));
}

FrameReport next_frame(World& world, const SimulateOptions& options) {
    const int frame = world.frame(), n_frames = world.scene().settings.frames;
    StepTrace trace;
    FrameRequest request = {.cancellation = options.cancellation};
    if (wants_trace(options, frame + 1)) request.trace = &trace;
    if (options.progress) {
        request.progress = [&](double part, const FrameReport& so_far) {
            options.progress(frame, n_frames,
                             fmt::format("{:.0f} % of frame {} in {} steps, {} tries in vain",
                                         100 * part, frame + 1, so_far.steps, so_far.rejected));
        };
    }
    const FrameReport report = world.step(request);
    if (request.trace) options.trace(world, report, trace);
    return report;
}

void append(const World& world, const FrameReport& report, RunFolder& folder) {
    try {
        folder.append(world, report);
    } catch (const IoError& e) {
        fail_to_write(e, folder, report.frame - 1);
    }
}

}  // namespace

SimulateResult simulate(World& world, RunFolder& folder, const SimulateOptions& options) {
    SimulateResult result;
    const int n_frames = world.scene().settings.frames;
    warn_of_start(world);
    while (world.frame() < n_frames && result.status == RunStatus::Done) {
        const FrameReport report = next_frame(world, options);
        if (report.failure) {
            result.status = RunStatus::Failed;
            result.failure = report.failure;
        } else if (report.interrupted) {
            result.status = RunStatus::Interrupted;
        } else {
            append(world, report, folder);
            remember_strain(report, result);
            tell_of_pins(report, result.lag);
            result.n_let_go += static_cast<int>(report.let_go.size());
            result.lag = report.lag;
            if (options.progress) options.progress(world.frame(), n_frames, status_words(report));
        }
    }
    result.frames_done = world.frame();
    warn_of_strain(result);
    if (result.lag.n_vertices > 0) {
        log_warning(
            fmt::format("At the end, in frame {}, {}.", result.frames_done, result.lag.phrase()));
    }
    folder.finish(result.status, result.failure ? result.failure->message() : std::string());
    return result;
}

}  // namespace toile
