// SPDX-License-Identifier: Apache-2.0
#include "option_checks.h"
#include "picture_request.h"
#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/correspondence/correspondence.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/geometry.h"
#include "verb.h"

#ifdef TOILE_WITH_EMBREE
#include "picture_job.h"
#endif

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

struct CorrespondArguments {
    std::string source;
    std::string target;
    std::vector<std::string> markers;  ///< one file of pairs, or two lists
    MarkerReadOptions reading;
    std::string output;
    std::string fit = "plate";
    bool no_align = false;
    std::optional<int> n_nearest;
    std::optional<double> max_distance;  ///< percent
    std::optional<double> max_angle;     ///< degrees
    bool both_directions = false;
    std::string colors;
    std::string fitted;
};

/// Everything that the verb reads.
struct Inputs {
    TriangleMesh source;
    TriangleMesh target;
    std::vector<Marker> markers;
};

Inputs read_inputs(const CorrespondArguments& a) {
    Inputs in{read_mesh(a.source), read_mesh(a.target), {}};
    std::vector<std::string> bytes;
    for (const std::string& path : a.markers) bytes.push_back(read_bytes(path));
    if (bytes.size() == 1) {
        in.markers = read_markers({bytes[0], a.markers[0]}, in.source, in.target, a.reading);
    } else {
        const size_t source = a.reading.swapped ? 1 : 0;
        in.markers = read_marker_lists({bytes[source], a.markers[source]},
                                       {bytes[1 - source], a.markers[1 - source]}, in.source,
                                       in.target, a.reading);
    }
    in.markers = require_holdable(std::move(in.markers), in.source, in.target);
    return in;
}

CorrespondenceOptions options_of(const CorrespondArguments& a) {
    CorrespondenceOptions options = correspondence_options(parse_fit_kind(a.fit));
    options.fit.align = !a.no_align;
    if (a.n_nearest) options.pairs.n_nearest = *a.n_nearest;
    if (a.max_distance) options.pairs.max_distance = *a.max_distance / 100;
    if (a.max_angle) options.pairs.max_angle = radians(*a.max_angle);
    options.pairs.both_directions = a.both_directions;
    return options;
}

std::string color_file(const CorrespondArguments& a, const char* which) {
    return a.colors + which;
}

void require_free_outputs(const Session& session, const CorrespondArguments& a) {
    const OutputOptions options{.overwrite = session.force};
    std::vector<std::string> read = {a.source, a.target};
    read.insert(read.end(), a.markers.begin(), a.markers.end());
    for (const std::string& output : {a.output, a.fitted}) {
        if (!output.empty()) refuse_to_overwrite_inputs(output, read);
    }
    check_output(a.output, options);
    if (!a.fitted.empty()) {
        (void)mesh_format_of(a.fitted);
        check_output(a.fitted, options);
    }
    if (a.colors.empty()) return;
    for (const char* which : {"-source.ply", "-target.ply", ".png"}) {
        check_output(color_file(a, which), options);
    }
}

void write_colored(const Session& session, const std::string& path, const TriangleMesh& mesh,
                   std::vector<Vec3> colors) {
    TriangleMesh colored;
    colored.positions = mesh.positions;
    colored.triangles = mesh.triangles;
    colored.triangle_colors = std::move(colors);
    write_mesh(path, colored, {.overwrite = session.force});
}

void write_colors(const Session& session, const CorrespondArguments& a, const Inputs& in,
                  const TrianglePairs& pairs) {
    MatchColors colors = match_colors(in.source, pairs);
    const std::string source = color_file(a, "-source.ply");
    const std::string target = color_file(a, "-target.ply");
    write_colored(session, source, in.source, std::move(colors.source));
    write_colored(session, target, in.target, std::move(colors.target));
#ifdef TOILE_WITH_EMBREE
    Session silent;
    silent.quiet = true;
    silent.force = session.force;
    PictureRequest request;
    request.inputs = {source, target};
    request.output = color_file(a, ".png");
    request.side_by_side = true;
    make_pictures(silent, request);
#endif
}

void write_fitted(const Session& session, const CorrespondArguments& a, const Inputs& in,
                  const FitResult& fit) {
    TriangleMesh laid = in.source;
    laid.positions = fit.positions;
    write_mesh(a.fitted, laid, {.overwrite = session.force});
}

Json markers_json(const Inputs& in, const FitResult& fit, double diagonal) {
    Json list = Json::array();
    for (size_t i = 0; i < in.markers.size(); ++i) {
        const MarkerResidual& residual = fit.markers[i];
        list.push_back({{"source", in.markers[i].source},
                        {"target", in.markers[i].target},
                        {"line", in.markers[i].line},
                        {"residual_percent", 100 * residual.distance / diagonal},
                        {"implausible", residual.implausible}});
    }
    return list;
}

Json report_json(const Inputs& in, const Correspondence& c) {
    const FitQuality& q = c.quality;
    const double diagonal = bounding_box(in.target.positions).diagonal();
    Json json = {{"fit", fit_kind_name(c.fit.kind)},
                 {"distance_percent", {{"mean", q.mean}, {"p95", q.p95}, {"max", q.max}}},
                 {"pulled_vertices_percent", q.pulled_share},
                 {"folded_edges", q.n_folds},
                 {"pairs", q.n_pairs},
                 {"target_triangles", in.target.n_triangles()},
                 {"unmatched_target_triangles", q.n_unmatched},
                 {"covered_target_area_percent", q.covered_area},
                 {"unused_source_triangles", q.n_source_unused},
                 {"markers", markers_json(in, c.fit, diagonal)}};
    json["worst_places"] = Json::array();
    for (const BadPlace& place : q.worst_places) {
        json["worst_places"].push_back(
            {{"source_vertex", place.vertex}, {"distance_percent", place.distance}});
    }
    json["unmatched_patches"] = Json::array();
    for (const UnmatchedPatch& patch : q.unmatched) {
        json["unmatched_patches"].push_back({{"first_triangle", patch.first_triangle},
                                             {"triangles", patch.n_triangles},
                                             {"area_percent", patch.area_share}});
    }
    return json;
}

/// The marker that the others agree least with.
std::string worst_marker(const Inputs& in, const FitResult& fit, double diagonal) {
    size_t worst = 0;
    for (size_t i = 1; i < in.markers.size(); ++i) {
        if (fit.markers[i].distance > fit.markers[worst].distance) worst = i;
    }
    return fmt::format("{}; the others miss {} -> {} by {:.3g} %", in.markers.size(),
                       in.markers[worst].source, in.markers[worst].target,
                       100 * fit.markers[worst].distance / diagonal);
}

void print_report(const Inputs& in, const Correspondence& c) {
    const FitQuality& q = c.quality;
    const double diagonal = bounding_box(in.target.positions).diagonal();
    fmt::print("fit        {}: mean {:.3g} %, 95 % within {:.3g} %, max {:.3g} % of the diagonal\n",
               fit_kind_name(c.fit.kind), q.mean, q.p95, q.max);
    fmt::print("markers    {}\n", worst_marker(in, c.fit, diagonal));
    fmt::print("pulled     {:.4g} % of the vertices; {} edges folded\n", q.pulled_share, q.n_folds);
    fmt::print("pairs      {}; {} of {} target triangles unmatched, {:.4g} % of the area covered\n",
               q.n_pairs, q.n_unmatched, in.target.n_triangles(), q.covered_area);
    if (!q.worst_places.empty()) {
        fmt::print("worst      source vertices");
        for (const BadPlace& place : q.worst_places) {
            fmt::print(" {} ({:.3g} %)", place.vertex, place.distance);
        }
        fmt::print("\n");
    }
    for (const UnmatchedPatch& patch : q.unmatched) {
        fmt::print("unmatched  {} triangles round target triangle {}, {:.3g} % of the area\n",
                   patch.n_triangles, patch.first_triangle, patch.area_share);
    }
}

void run(Session& session, const CorrespondArguments& a) {
    require_free_outputs(session, a);
    const Inputs in = read_inputs(a);
    JobControl control{.cancellation = &session.cancellation};
    if (!session.quiet) control.progress = progress_line("solve");
    const Correspondence c = correspond(in.source, in.target, in.markers, options_of(a), control);
    if (!session.quiet) end_progress_line();
    write_file(a.output, write_triangle_pairs(c.pairs, in.source, in.target),
               {.overwrite = session.force});
    if (!a.fitted.empty()) write_fitted(session, a, in, c.fit);
    if (!a.colors.empty()) write_colors(session, a, in, c.pairs);
    if (session.json) {
        fmt::print("{}\n", report_json(in, c).dump(2));
    } else {
        print_report(in, c);
    }
}

void add_pair_options(CLI::App& verb, CorrespondArguments& a) {
    verb.add_option("--nearest", a.n_nearest, "Source triangles of a target triangle (10)")
        ->check(CLI::Range(1, 1000));
    verb.add_option("--max-distance", a.max_distance,
                    "Of paired triangles, percent of the target's diagonal (5)")
        ->check(number_from_zero());
    verb.add_option("--max-angle", a.max_angle, "Between their normals, degrees (60)")
        ->check(CLI::Range(0.0, 180.0));
    verb.add_flag("--both-directions", a.both_directions,
                  "Also pair every source triangle with its nearest target triangle");
}

void add_marker_options(CLI::App& verb, CorrespondArguments& a) {
    verb.add_option("--markers", a.markers,
                    "File of vertex pairs, or two files that list source and target vertices")
        ->required()
        ->expected(1, 2)
        ->type_name("FILE [FILE]");
    verb.add_option("--first-index", a.reading.first_index,
                    "Number of the first vertex, 0 or 1 (0)")
        ->check(CLI::Range(0, 1));
    verb.add_flag("--swap-markers", a.reading.swapped, "The markers name the target first");
}

}  // namespace

void add_verb_correspond(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand(
        "correspond", "Find which triangles of two surfaces belong together, from a few markers");
    verb->fallthrough();
    auto a = std::make_shared<CorrespondArguments>();
    verb->add_option("source", a->source, "Mesh whose motion is to be used")
        ->required()
        ->type_name("SOURCE");
    verb->add_option("target", a->target, "Mesh that is to move")->required()->type_name("TARGET");
    add_marker_options(*verb, *a);
    verb->add_option("-o,--output", a->output, "File of triangle pairs")
        ->required()
        ->type_name("PAIRS");
    verb->add_option("--fit", a->fit,
                     "plate, full (slower; tighter folds), or classic, the paper's")
        ->capture_default_str();
    verb->add_flag("--no-align", a->no_align, "The meshes are in one place and unit already");
    add_pair_options(*verb, *a);
    verb->add_option("--colors", a->colors,
                     "Write PREFIX-source.ply, PREFIX-target.ply and PREFIX.png, in which the same "
                     "colour means matched")
        ->type_name("PREFIX");
    verb->add_option("--fitted", a->fitted, "Write the source as laid over the target")
        ->type_name("MESH");
    verb->callback([a, &session] { run(session, *a); });
}

}  // namespace toile::app
