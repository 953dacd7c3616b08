// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"
#include "mesh_report.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sequence/frame_summary.h"
#include "toile/sim/run_folder.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

/// What one path names: a mesh, frames, or both.
struct Contents {
    std::optional<TriangleMesh> mesh;
    std::optional<MeshDiagnosis> diagnosis;
    std::optional<FrameSummary> frames;
};

Contents contents_of(const std::string& path, const std::string& mesh, const Session& session) {
    Contents contents;
    if (names_one_mesh(path)) {
        contents.mesh = read_mesh(path);
    } else {
        SequenceOpenOptions options;
        if (!mesh.empty()) options.mesh = mesh;
        OpenedSequence sequence = open_sequence(path, options);
        contents.mesh = std::move(sequence.mesh);
        FrameProgress frames(std::move(sequence.frames), session);
        contents.frames = summarize_frames(frames);
    }
    if (contents.mesh) {
        contents.diagnosis = diagnose(contents.mesh->positions, contents.mesh->triangles);
    }
    return contents;
}

std::string frames_report(const FrameSummary& s) {
    std::string text = fmt::format("  frames        {} of {}\n", s.n_frames,
                                   counted(s.n_vertices, "vertex", "vertices"));
    text += s.frame_rate ? fmt::format("  frame rate    {:.9g} per s, {:.9g} s in all\n",
                                       *s.frame_rate, s.duration().value_or(0))
                         : "  frame rate    not said\n";
    if (!s.box.empty()) {
        text += fmt::format("  all frames    {} to {} m\n", vector_text(s.box.min),
                            vector_text(s.box.max));
    }
    if (s.largest_step_frame >= 0) {
        text += fmt::format("  largest step  {:.9g} m, into frame {}\n", s.largest_step,
                            s.largest_step_frame);
    }
    for (const int frame : s.non_finite_frames) {
        text += fmt::format("  problem       frame {} has vertices that are not finite\n", frame);
    }
    return text;
}

Json frames_json(const FrameSummary& s) {
    Json result = {{"count", s.n_frames}, {"vertices", s.n_vertices}};
    result["rate"] = s.frame_rate ? Json(*s.frame_rate) : Json();
    result["duration"] = s.duration() ? Json(*s.duration()) : Json();
    if (!s.box.empty()) {
        const Vec3& min = s.box.min;
        const Vec3& max = s.box.max;
        result["box"] = {{"min", {min.x(), min.y(), min.z()}},
                         {"max", {max.x(), max.y(), max.z()}}};
    }
    result["largest_step"] = s.largest_step;
    result["largest_step_frame"] = s.largest_step_frame;
    result["non_finite_frames"] = s.non_finite_frames;
    return result;
}

void print_text(const std::string& path, const Contents& contents) {
    fmt::print("{}\n", path);
    if (contents.frames) fmt::print("{}", frames_report(*contents.frames));
    if (contents.mesh) fmt::print("{}", mesh_report(*contents.mesh, *contents.diagnosis));
    if (!contents.mesh) fmt::print("  mesh          none beside it; name it with --mesh\n");
}

Json to_json(const std::string& path, const Contents& contents) {
    Json result = {{"file", path}};
    if (contents.frames) result["frames"] = frames_json(*contents.frames);
    if (contents.mesh) result.update(mesh_report_json(*contents.mesh, *contents.diagnosis));
    return result;
}

/// A run stands for each of its bodies.
std::vector<std::string> with_bodies_of_runs(const std::vector<std::string>& paths) {
    std::vector<std::string> all;
    for (const std::string& path : paths) {
        if (!is_run_folder(path)) {
            all.push_back(path);
            continue;
        }
        const Scene scene = load_scene(std::filesystem::path(path) / "scene.toml");
        const auto add = [&](const BodySetup& body) {
            all.push_back((std::filesystem::path(path) / body.name).string());
        };
        for (const ClothSetup& cloth : scene.cloths) add(cloth);
        for (const ObstacleSetup& obstacle : scene.obstacles) add(obstacle);
    }
    return all;
}

void info(const Session& session, const std::vector<std::string>& paths, const std::string& mesh) {
    Json all = Json::array();
    for (const std::string& path : with_bodies_of_runs(paths)) {
        const Contents contents = contents_of(path, mesh, session);
        if (session.json) {
            all.push_back(to_json(path, contents));
        } else {
            print_text(path, contents);
        }
    }
    if (session.json) fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_verb_info(CLI::App& app, Session& session) {
    CLI::App* info_app = app.add_subcommand("info", "Say what meshes and sequences hold");
    auto paths = std::make_shared<std::vector<std::string>>();
    auto mesh = std::make_shared<std::string>();
    info_app
        ->add_option(
            "path", *paths,
            "Meshes, .pc2 and .mdd files, quoted patterns or folders of numbered meshes, or runs")
        ->required()
        ->type_name("PATH");
    info_app->add_option("--mesh", *mesh, "The mesh that .pc2 and .mdd files move")
        ->type_name("FILE");
    info_app->callback([paths, mesh, &session] { info(session, *paths, *mesh); });
}

}  // namespace toile::app
