// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"
#include "option_checks.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/point_cache.h"
#include "toile/io/sequence_file.h"
#include "toile/io/text_cursor.h"
#include "toile/transfer/deformation_transfer.h"
#include "toile/transfer/pose_guard.h"
#include "toile/transfer/transfer_operator.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, UnmatchedRule> kRules = {{"identity", UnmatchedRule::Identity},
                                                     {"surroundings", UnmatchedRule::Surroundings},
                                                     {"auto", UnmatchedRule::Auto}};
const std::map<std::string, Axes> kAxes = {{"auto", Axes::Auto}, {"world", Axes::World}};

struct TransferArguments {
    std::string source_rest;
    std::vector<std::string> sources;
    std::vector<std::string> targets;
    std::vector<std::string> pairs;
    std::vector<std::string> outputs;
    std::vector<std::string> anchors;
    UnmatchedRule unmatched = UnmatchedRule::Auto;
    Axes axes = Axes::Auto;
    bool allow_bad_pose = false;
};

/// `12` or `12=0,0.5,1`.
Anchor parse_anchor(const std::string& text) {
    const size_t equals = text.find('=');
    const auto fail = [&]() -> InvalidInput {
        return InvalidInput(
            "--anchor '" + text +
            "': expected a vertex, as 12, or a vertex and its place, as 12=0,0.5,1.");
    };
    const auto vertex = parse_integer(std::string_view(text).substr(0, equals));
    if (!vertex || *vertex < 0 || *vertex > std::numeric_limits<int>::max()) throw fail();
    Anchor anchor{.vertex = static_cast<int>(*vertex)};
    if (equals == std::string::npos) return anchor;
    Vec3 place;
    size_t begin = equals + 1;
    for (int c = 0; c < 3; ++c) {
        const size_t end = c < 2 ? text.find(',', begin) : text.size();
        if (end == std::string::npos) throw fail();
        const auto number = parse_number(std::string_view(text).substr(begin, end - begin));
        if (!number) throw fail();
        place[c] = *number;
        begin = end + 1;
    }
    anchor.position = place;
    return anchor;
}

TransferOptions options_of(const TransferArguments& arguments) {
    TransferOptions options{.unmatched = arguments.unmatched, .axes = arguments.axes};
    for (const std::string& text : arguments.anchors) options.anchors.push_back(parse_anchor(text));
    return options;
}

/// The name of a mesh or sequence without folder, number pattern and extension.
std::string short_name(const std::string& spec) {
    std::filesystem::path path = spec;
    if (!path.has_filename()) path = path.parent_path();
    std::string name = path.stem().string();
    const size_t pattern = name.find_first_of("*%");
    if (pattern != std::string::npos) {
        name.resize(pattern);
        while (!name.empty() && (name.back() == '_' || name.back() == '-')) name.pop_back();
        if (name.empty()) name = path.parent_path().filename().string();
    }
    return name;
}

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

/// One output for every target and source, targets outermost.
std::vector<std::string> outputs_of(const TransferArguments& a) {
    const size_t n_jobs = a.targets.size() * a.sources.size();
    if (a.outputs.size() == n_jobs) return a.outputs;
    if (a.outputs.size() != 1) {
        throw InvalidInput(fmt::format(
            "{} targets and {} sources need {} outputs, a -o each (first all sources of the first "
            "target), or one with {{target}} and {{source}} in it; found {}.",
            a.targets.size(), a.sources.size(), n_jobs, a.outputs.size()));
    }
    std::vector<std::string> outputs;
    for (const std::string& target : a.targets) {
        for (const std::string& source : a.sources) {
            outputs.push_back(replace_all(replace_all(a.outputs[0], "{target}", short_name(target)),
                                          "{source}", short_name(source)));
        }
    }
    return outputs;
}

void require_different(const std::vector<std::string>& outputs) {
    std::map<std::string, int> count;
    for (const std::string& output : outputs) {
        if (++count[output] > 1) {
            throw InvalidInput("Two results would go to '" + output +
                               "'; give each a -o of its own, or use {target} and {source}.");
        }
    }
}

void keep_inputs(const std::vector<std::string>& outputs, const TransferArguments& a) {
    std::vector<std::string> read = {a.source_rest};
    for (const auto* names : {&a.sources, &a.targets, &a.pairs}) {
        read.insert(read.end(), names->begin(), names->end());
    }
    for (const std::string& output : outputs) refuse_to_overwrite_inputs(output, read);
}

TrianglePairs pairs_of(const std::string& spec, const TriangleMesh& source,
                       const TriangleMesh& target) {
    if (spec != "identity") {
        return read_triangle_pairs(read_bytes(spec), spec, source, target);
    }
    if (source.n_triangles() != target.n_triangles()) {
        throw InvalidInput(
            fmt::format("--pairs identity: the source has {} triangles, the target "
                        "{}.",
                        source.n_triangles(), target.n_triangles()));
    }
    return identity_pairs(source.n_triangles());
}

/// The frames of a source, checked against its rest mesh.
std::unique_ptr<PoseGuard> open_source(const std::string& spec, const TriangleMesh& rest,
                                       const TransferArguments& arguments) {
    SequenceOpenOptions open;
    if (find_point_cache_format(spec)) open.mesh = arguments.source_rest;
    OpenedSequence sequence = open_sequence(spec, open);
    if (sequence.mesh && sequence.mesh->n_vertices() == rest.n_vertices()) {
        const auto& own = sequence.mesh->triangles;
        const size_t n = std::min(own.size(), rest.triangles.size());
        size_t t = 0;
        while (t < n && own[t] == rest.triangles[t]) ++t;
        if (!own.empty() && (t < n || own.size() != rest.triangles.size())) {
            throw InvalidInput(
                fmt::format("{}: its triangles are not those of {}; the first that "
                            "differs is {}.",
                            spec, arguments.source_rest, t));
        }
    }
    return std::make_unique<PoseGuard>(
        std::move(sequence.frames), rest,
        PoseGuardOptions{.allow_bad_poses = arguments.allow_bad_pose, .sequence_name = spec});
}

/// A point cache has no connectivity, so the target goes beside it.
std::optional<std::filesystem::path> mesh_to_write(const std::string& output) {
    std::filesystem::path path = output;
    if (!find_point_cache_format(path)) return std::nullopt;
    return path.replace_extension(".obj");
}

struct Job {
    std::string source;
    std::string target;
    std::string output;
    int n_frames = 0;
    int n_bad_poses = 0;
    int n_doubtful_poses = 0;
};

void run_job(Job& job, const TriangleMesh& rest, const TriangleMesh& target,
             const DeformationTransfer& transfer, const TransferArguments& arguments,
             Session& session) {
    auto guard = open_source(job.source, rest, arguments);
    const PoseGuard& poses = *guard;
    auto frames = std::make_unique<TransferOperator>(std::move(guard), transfer);
    FrameProgress source(std::move(frames), session);
    const auto mesh_path = mesh_to_write(job.output);
    if (mesh_path) check_output(*mesh_path, {.overwrite = session.force});
    const auto sink =
        create_sequence(job.output, source.n_vertices(), &target, {.overwrite = session.force});
    job.n_frames = copy_frames(source, *sink);
    if (mesh_path) write_mesh(*mesh_path, target, {.overwrite = session.force});
    sink->finish();
    job.n_bad_poses = poses.n_bad();
    job.n_doubtful_poses = poses.n_doubtful();
}

Json to_json(const TransferFacts& facts) {
    return {{"parts", facts.n_parts},
            {"scale", facts.scale},
            {"turn_degrees", facts.turn * 180 / std::numbers::pi},
            {"is_turned", facts.is_turned},
            {"unmatched_triangles", facts.unmatched_triangles},
            {"degenerate_triangles", facts.degenerate_triangles},
            {"loose_vertices", facts.loose_vertices}};
}

Json to_json(const Job& job) {
    return {{"source", job.source},         {"target", job.target},
            {"output", job.output},         {"frames", job.n_frames},
            {"bad_poses", job.n_bad_poses}, {"doubtful_poses", job.n_doubtful_poses}};
}

void print_line(const Job& job, const TriangleMesh& target) {
    fmt::print("{}: {} {} of {} vertices\n", job.output, job.n_frames,
               job.n_frames == 1 ? "frame" : "frames", target.n_vertices());
}

void transfer(const TransferArguments& arguments, Session& session) {
    if (arguments.pairs.size() != arguments.targets.size()) {
        throw InvalidInput(fmt::format("Each --target needs a --pairs; found {} and {}.",
                                       arguments.targets.size(), arguments.pairs.size()));
    }
    const std::vector<std::string> outputs = outputs_of(arguments);
    require_different(outputs);
    keep_inputs(outputs, arguments);
    const TransferOptions options = options_of(arguments);
    const TriangleMesh rest = read_mesh(arguments.source_rest);
    Json report = Json::array();
    size_t n_done = 0;
    for (size_t i = 0; i < arguments.targets.size(); ++i) {
        const TriangleMesh target = read_mesh(arguments.targets[i]);
        const DeformationTransfer method(rest, target, pairs_of(arguments.pairs[i], rest, target),
                                         options);
        warn_of(method.facts(), arguments.targets[i]);
        for (const std::string& source : arguments.sources) {
            Job job{source, arguments.targets[i], outputs[n_done++]};
            run_job(job, rest, target, method, arguments, session);
            if (!session.json) print_line(job, target);
            Json entry = to_json(job);
            entry.update(to_json(method.facts()));
            report.push_back(std::move(entry));
        }
    }
    if (session.json) fmt::print("{}\n", report.dump(2));
}

void add_sequences(CLI::App& verb, TransferArguments& a) {
    verb.add_option("--source-rest", a.source_rest, "The source at rest")
        ->required()
        ->type_name("MESH");
    verb.add_option("--source", a.sources, "Poses of the source: a sequence; may be given again")
        ->required()
        ->type_name("SEQUENCE");
    verb.add_option("--target", a.targets, "The mesh that is to move; may be given again")
        ->required()
        ->type_name("MESH");
    verb.add_option("--pairs", a.pairs,
                    "Triangle pairs of the source and each target, in order (toile correspond), or "
                    "'identity'")
        ->required()
        ->type_name("FILE");
    verb.add_option("-o,--output", a.outputs,
                    "A sequence for each target and source, or one name with {target} and "
                    "{source} in it")
        ->required()
        ->type_name("SEQUENCE");
}

}  // namespace

void add_verb_transfer(CLI::App& app, Session& session) {
    const auto a = std::make_shared<TransferArguments>();
    CLI::App* const verb =
        app.add_subcommand("transfer", "Make targets move as the poses of a source");
    add_sequences(*verb, *a);
    verb->add_option("--anchor", a->anchors,
                     "A target vertex that stays at its place at rest (12), or at another "
                     "(12=0,0.5,1); may be given again")
        ->type_name("VERTEX[=X,Y,Z]");
    verb->add_option("--unmatched", a->unmatched,
                     "What moves target triangles without a pair: auto (default; holes as their "
                     "surroundings, "
                     "larger regions as the whole), surroundings, identity")
        ->transform(CLI::CheckedTransformer(kRules).description(""))
        ->type_name("RULE");
    verb->add_option("--axes", a->axes,
                     "auto (default): a target that stands turned by more than 30 degrees moves in "
                     "its own axes; world: in the source's")
        ->transform(CLI::CheckedTransformer(kAxes).description(""))
        ->type_name("KIND");
    verb->add_flag("--allow-bad-pose", a->allow_bad_pose,
                   "Take poses that do not seem to belong to the source at rest");
    verb->callback([a, &session] { transfer(*a, session); });
}

}  // namespace toile::app
