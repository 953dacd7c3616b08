// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_check.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/scene_check.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

template <class N>
std::string count_of(N n, const std::string& thing, const std::string& things = {}) {
    if (n == 1) return "1 " + thing;
    return fmt::format("{} {}", n, things.empty() ? thing + "s" : things);
}

const char* severity_word(Severity severity) {
    return severity == Severity::Error ? "error" : "warning";
}

Json scene_json(const SceneCheck& check) {
    Json findings = Json::array();
    for (const Finding& f : check.findings) {
        findings.push_back(
            {{"severity", severity_word(f.severity)}, {"body", f.body}, {"text", f.text}});
    }
    return {{"findings", findings},
            {"crossings", check.crossing_sentences},
            {"inside", check.n_inside},
            {"ok", !check.has_errors()}};
}

void print_scene_check(const Session& session, const SceneCheck& check) {
    if (session.json) {
        fmt::print("{}\n", scene_json(check).dump(2));
        return;
    }
    for (const Finding& f : check.findings) {
        fmt::print("{}: {}{}\n", severity_word(f.severity), f.body.empty() ? "" : f.body + ": ",
                   f.text);
    }
    fmt::print("{}, {} inside obstacles, {}.\n", count_of(check.crossings.size(), "crossing pair"),
               count_of(check.n_inside, "vertex", "vertices"),
               count_of(check.findings.size(), "finding"));
}

Json gap_json(double gap) {
    return std::isfinite(gap) ? Json(gap) : Json(nullptr);
}

Json run_json(const RunCheck& check) {
    Json frames = Json::array();
    for (const FrameCheck& f : check.frames) {
        frames.push_back({{"frame", f.frame},
                          {"crossings", f.n_crossings},
                          {"inside", f.n_inside},
                          {"inside_since_start", f.n_inside_since_start},
                          {"smallest_gap", gap_json(f.smallest_gap)},
                          {"largest_strain", f.largest_strain}});
        if (!f.crossing_sentences.empty()) frames.back()["pairs"] = f.crossing_sentences;
    }
    Json json = {{"status", status_name(check.status)}, {"frames_asked", check.frames_asked},
                 {"complete", check.is_complete()},     {"frames", frames},
                 {"bad_frames", check.n_bad_frames},    {"ok", check.is_clean()}};
    if (!check.failure.empty()) json["failure"] = check.failure;
    if (!check.expectations.empty()) {
        json["ok"] = check.is_clean() && check.holds();
        for (const ExpectationCheck& e : check.expectations) {
            json["expectations"].push_back({{"text", e.sentence}, {"held", e.held}});
        }
    }
    return json;
}

/// What ended the run before its last frame; empty where it came to its end.
std::string incomplete_words(const RunCheck& check) {
    const auto reached = static_cast<int>(check.frames.size()) - 1;
    const std::string words = fmt::format("frame {} of {}", reached, check.frames_asked);
    switch (check.status) {
        case RunStatus::Done:
            break;
        case RunStatus::Interrupted:
            return fmt::format("The run was interrupted after {}.", words);
        case RunStatus::Failed:
            return fmt::format("The run failed after {}: {}", words, check.failure);
        case RunStatus::Running:
            return fmt::format("The run has reached {}: it goes on, or was killed.", words);
    }
    return {};
}

void print_bad_frame(const FrameCheck& f) {
    fmt::print("frame {}: {}, {} inside", f.frame, count_of(f.n_crossings, "crossing pair"),
               count_of(f.n_inside, "vertex", "vertices"));
    for (const std::string& sentence : f.crossing_sentences) fmt::print("; {}", sentence);
    fmt::print(".\n");
}

void print_run_check(const Session& session, const RunCheck& check) {
    if (session.json) {
        fmt::print("{}\n", run_json(check).dump(2));
        return;
    }
    double gap = INFINITY;
    double strain = 0;
    int n_crossing = 0, n_entered = 0;
    for (const FrameCheck& f : check.frames) {
        gap = std::min(gap, f.smallest_gap);
        strain = std::max(strain, f.largest_strain);
        n_crossing += f.n_crossings > 0;
        n_entered += f.n_inside > 0;
        if (!f.is_clean()) print_bad_frame(f);
    }
    const int n_inside = check.frames.empty() ? 0 : check.frames.front().n_inside_since_start;
    if (n_inside > 0) {
        fmt::print("warning: {} inside closed obstacles from the start.\n",
                   count_of(n_inside, "cloth vertex", "cloth vertices"));
    }
    if (!check.is_complete()) fmt::print("{}\n", incomplete_words(check));
    for (const ExpectationCheck& e : check.expectations) {
        fmt::print("{}: {}\n", e.held ? "as expected" : "NOT AS EXPECTED", e.sentence);
    }
    const std::string gap_words =
        std::isfinite(gap) ? fmt::format("Smallest gap {:.3g} m", gap) : "Nothing is in contact";
    fmt::print("{}, {} with crossings, {} with vertices inside. {}, largest strain {:.3g}.\n",
               count_of(check.frames.size(), "frame"), n_crossing, n_entered, gap_words, strain);
}

void check_finished_run(Session& session, const std::string& input) {
    RunCheckOptions options = {.cancellation = &session.cancellation, .progress = {}};
    if (!session.quiet) options.progress = progress_line("frame");
    const RunCheck check = check_run(input, options);
    if (!session.quiet) end_progress_line();
    print_run_check(session, check);
    if (!check.is_clean() || !check.holds()) session.exit_code = 1;
}

/// Warnings of the readers are part of the findings already.
SceneCheck check_scene_quietly(const Scene& scene) {
    const LogSink sink = set_log_sink({});
    SceneCheck check = check_scene(scene);
    set_log_sink(sink);
    return check;
}

void run(Session& session, const std::string& input) {
    const std::filesystem::path path(input);
    require_existing(path);
    const bool is_scene = path.extension() == ".toml" || is_environment_folder(path);
    if (!is_scene && std::filesystem::is_directory(path)) {
        return check_finished_run(session, input);
    }
    const SceneCheck check = is_scene ? check_scene_quietly(load_scene(path))
                                      : check_mesh_alone(path.filename().string(), read_mesh(path));
    print_scene_check(session, check);
    if (check.has_errors()) session.exit_code = 1;
}

}  // namespace

void add_verb_check(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand(
        "check", "Look for trouble in a scene or a mesh, or prove a run free of crossings");
    verb->fallthrough();
    auto input = std::make_shared<std::string>();
    verb->add_option("input", *input, "Scene file, environment folder, run folder or mesh file")
        ->required()
        ->type_name("INPUT");
    verb->callback([input, &session] { run(session, *input); });
}

}  // namespace toile::app
