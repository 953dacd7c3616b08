// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mesh_file.h"
#include "toile/mesh/difference.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace toile::app {
namespace {

const std::map<std::string, Alignment> kAlignments = {{"none", Alignment::None},
                                                      {"translation", Alignment::Translation},
                                                      {"rigid", Alignment::Rigid},
                                                      {"similarity", Alignment::Similarity}};

struct DiffArguments {
    std::string reference;
    std::string other;
    Alignment alignment = Alignment::None;
    double tolerance = -1;  ///< metres; negative: none was given
};

nlohmann::ordered_json to_json(const VertexDifference& d, double distance) {
    return {{"m", distance}, {"percent", d.percent(distance)}};
}

void print_json(const VertexDifference& d, bool same_triangles) {
    const nlohmann::ordered_json result = {
        {"max", to_json(d, d.max)}, {"mean", to_json(d, d.mean)},
        {"rms", to_json(d, d.rms)}, {"worst_vertex", d.worst_vertex},
        {"diagonal", d.diagonal},   {"same_triangles", same_triangles}};
    fmt::print("{}\n", result.dump(2));
}

void print_line(const char* label, const VertexDifference& d, double distance,
                const std::string& where = "") {
    fmt::print("{:<5} {:<16.9g} m  {:.6g} %{}\n", label, distance, d.percent(distance), where);
}

void print_text(const VertexDifference& d, bool same_triangles) {
    print_line("max", d, d.max, fmt::format("  at vertex {}", d.worst_vertex));
    print_line("mean", d, d.mean);
    print_line("rms", d, d.rms);
    fmt::print("(percent of the first's diagonal, {:.9g} m)\n", d.diagonal);
    if (!same_triangles) fmt::print("The triangles differ; only vertices were compared.\n");
}

void diff(Session& session, const DiffArguments& arguments) {
    const TriangleMesh a = read_mesh(arguments.reference);
    const TriangleMesh b = read_mesh(arguments.other);
    const VertexDifference d = vertex_difference(a.positions, b.positions, arguments.alignment);
    const bool same_triangles = a.triangles == b.triangles;
    if (session.json) {
        print_json(d, same_triangles);
    } else {
        print_text(d, same_triangles);
    }
    if (arguments.tolerance >= 0 && !(d.max <= arguments.tolerance)) session.exit_code = 1;
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
        ->check(CLI::NonNegativeNumber)
        ->type_name("M");
    diff_app->callback([a, &session] { diff(session, *a); });
}

}  // namespace toile::app
