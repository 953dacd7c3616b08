// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"
#include "option_checks.h"
#include "toile/io/sequence_file.h"
#include "toile/sequence/frame_difference.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, Alignment> kAlignments = {{"none", Alignment::None},
                                                      {"translation", Alignment::Translation},
                                                      {"rigid", Alignment::Rigid},
                                                      {"similarity", Alignment::Similarity}};

struct DiffArguments {
    std::string reference;
    std::string other;
    std::string mesh;  ///< that .pc2 and .mdd files move; may be empty
    Alignment alignment = Alignment::None;
    double tolerance = -1;  ///< metres; negative: none was given
};

struct Comparison {
    FrameDifferences differences;
    bool same_triangles = true;  ///< or one of both has none
};

Json length_json(double distance, double percent) {
    return {{"m", distance}, {"percent", percent}};
}

/// Of VertexDifference and FrameDifferences alike.
template <class Difference>
Json to_json(const Difference& d) {
    return {{"max", length_json(d.max, d.percent(d.max))},
            {"mean", length_json(d.mean, d.percent(d.mean))},
            {"rms", length_json(d.rms, d.percent(d.rms))},
            {"worst_vertex", d.worst_vertex},
            {"diagonal", d.diagonal}};
}

void print_json(const Comparison& comparison) {
    const FrameDifferences& d = comparison.differences;
    Json result = to_json(d);
    result["worst_frame"] = d.worst_frame;
    result["same_triangles"] = comparison.same_triangles;
    if (d.frames.size() > 1) {
        for (const VertexDifference& frame : d.frames) result["frames"].push_back(to_json(frame));
    }
    fmt::print("{}\n", result.dump(2));
}

void print_line(const char* label, double distance, double percent, const std::string& where = "") {
    fmt::print("{:<5} {:<16.9g} m  {:.6g} %{}\n", label, distance, percent, where);
}

void print_frames(const FrameDifferences& d) {
    if (d.frames.size() < 2) return;
    fmt::print("frame  max (m)           mean (m)          rms (m)           worst vertex\n");
    for (size_t k = 0; k < d.frames.size(); ++k) {
        const VertexDifference& frame = d.frames[k];
        fmt::print("{:<5}  {:<16.9g}  {:<16.9g}  {:<16.9g}  {}\n", k, frame.max, frame.mean,
                   frame.rms, frame.worst_vertex);
    }
}

void print_text(const Comparison& comparison) {
    const FrameDifferences& d = comparison.differences;
    print_frames(d);
    const bool one_frame = d.frames.size() == 1;
    const std::string in_frame = one_frame ? "" : fmt::format(" of frame {}", d.worst_frame);
    print_line("max", d.max, d.percent(d.max),
               fmt::format("  at vertex {}{}", d.worst_vertex, in_frame));
    print_line("mean", d.mean, d.percent(d.mean));
    print_line("rms", d.rms, d.percent(d.rms));
    fmt::print("Percentages are of the diagonal of {}, {:.9g} m.\n",
               one_frame ? "A" : "A's first frame", d.diagonal);
    if (!comparison.same_triangles) {
        fmt::print("The triangles differ; only vertices were compared.\n");
    }
}

OpenedSequence open(const std::string& path, const DiffArguments& arguments) {
    SequenceOpenOptions options;
    if (!arguments.mesh.empty() && !names_one_mesh(path)) options.mesh = arguments.mesh;
    return open_sequence(path, options);
}

Comparison compare(const Session& session, const DiffArguments& arguments) {
    OpenedSequence a = open(arguments.reference, arguments);
    OpenedSequence b = open(arguments.other, arguments);
    FrameProgress reference(std::move(a.frames), session);
    Comparison result;
    result.same_triangles = !a.mesh || !b.mesh || a.mesh->triangles == b.mesh->triangles;
    result.differences = compare_frames(reference, *b.frames, arguments.alignment);
    return result;
}

void diff(Session& session, const DiffArguments& arguments) {
    const Comparison comparison = compare(session, arguments);
    if (session.json) {
        print_json(comparison);
    } else {
        print_text(comparison);
    }
    const bool within = comparison.differences.max <= arguments.tolerance;
    if (arguments.tolerance >= 0 && !within) session.exit_code = 1;
}

}  // namespace

void add_verb_diff(CLI::App& app, Session& session) {
    CLI::App* diff_app = app.add_subcommand(
        "diff", "Measure how far the vertices of two meshes or sequences stand apart");
    auto a = std::make_shared<DiffArguments>();
    diff_app->add_option("reference", a->reference, "Mesh or sequence")->required()->type_name("A");
    diff_app->add_option("other", a->other, "Mesh or sequence of as many vertices")
        ->required()
        ->type_name("B");
    diff_app
        ->add_option("--align", a->alignment, "Move B first: none, translation, rigid, similarity")
        ->transform(CLI::CheckedTransformer(kAlignments).description(""))
        ->type_name("KIND");
    diff_app
        ->add_option("--tolerance", a->tolerance, "Exit with 1 where the maximum is above this, m")
        ->check(number_from_zero())
        ->type_name("M");
    diff_app->add_option("--mesh", a->mesh, "The mesh that .pc2 and .mdd files move")
        ->type_name("FILE");
    diff_app->callback([a, &session] { diff(session, *a); });
}

}  // namespace toile::app
