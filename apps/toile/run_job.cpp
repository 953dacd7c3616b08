// SPDX-License-Identifier: Apache-2.0
#include "run_job.h"

#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/sim/run_record.h"
#include "toile/sim/trace_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace toile::app {
namespace {

void print_result(const SimulateResult& result, const std::string& folder) {
    nlohmann::ordered_json json = {
        {"run", folder}, {"status", status_name(result.status)}, {"frames", result.frames_done}};
    json["largest_strain"] = result.largest_strain;
    if (result.n_let_go > 0) {
        json["pins_let_go"] = result.n_let_go;
        json["pins_lagging"] = result.lag.n_vertices;
        json["largest_lag"] = result.lag.largest;
    }
    if (result.failure) json["failure"] = result.failure->message();
    fmt::print("{}\n", json.dump(2));
}

void ask_for_traces(const RunArguments& arguments, const Session& session,
                    SimulateOptions& options) {
    if (arguments.save_iterations.empty() && arguments.trace.empty()) return;
    const std::filesystem::path iterations = arguments.save_iterations;
    if (!iterations.empty()) prepare_iterations_folder(iterations, session.force);
    const auto is_asked = [frames = arguments.trace](int frame) {
        return std::ranges::find(frames, frame) != frames.end();
    };
    if (iterations.empty()) options.wants_trace = is_asked;
    options.trace = [=, folder = std::filesystem::path(arguments.folder)](
                        const World& world, const FrameReport& report, const StepTrace& trace) {
        const int frame = report.failure || report.interrupted ? report.frame + 1 : report.frame;
        if (!iterations.empty()) write_iterations(iterations, world, frame, trace);
        if (is_asked(frame)) write_trace(trace_path(folder, frame), world, frame, trace);
    };
}

}  // namespace

void add_run_options(CLI::App& verb, RunArguments& arguments) {
    verb.add_option("--save-iterations", arguments.save_iterations,
                    "Folder for the cloths' meshes in every iteration of contacts")
        ->type_name("FOLDER");
    verb.add_option("--trace", arguments.trace,
                    "Frames of which boxes, candidates, contacts and collisions are written into "
                    "trace/ of the run")
        ->type_name("FRAME")
        ->check(CLI::Range(1, 1000000000));
}

void run_to_end(Session& session, const RunArguments& arguments, World& world, RunFolder& folder) {
    SimulateOptions options = {.cancellation = &session.cancellation};
    ask_for_traces(arguments, session, options);
    if (!session.quiet) options.progress = progress_line("frame");
    const std::string how_to_go_on = fmt::format("`toile resume {}` goes on.", arguments.folder);
    SimulateResult result;
    try {
        result = simulate(world, folder, options);
    } catch (const IoError& e) {
        if (!session.quiet) end_progress_line();
        if (!std::filesystem::exists(arguments.folder)) throw;
        throw IoError(fmt::format("{} {}", e.what(), how_to_go_on));
    }
    if (!session.quiet) end_progress_line();
    if (session.json) print_result(result, arguments.folder);
    if (result.failure) throw ComputationFailed(result.failure->message());
    if (result.status == RunStatus::Interrupted) {
        throw Interrupted(fmt::format(
            "Stopped after frame {} of {}; it and all before it are in "
            "{}. {}",
            result.frames_done, world.scene().settings.frames, arguments.folder, how_to_go_on));
    }
    if (!session.quiet) {
        fmt::print(stderr, "Wrote {} frames into {}.\n", result.frames_done, arguments.folder);
    }
}

}  // namespace toile::app
