// SPDX-License-Identifier: Apache-2.0
#include "edit_report.h"
#include "frame_progress.h"
#include "frame_time.h"
#include "option_checks.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/core/near_miss.h"
#include "toile/edit/edit_operator.h"
#include "toile/io/atomic_file.h"
#include "toile/io/coordinate_step.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/io/vertex_list.h"
#include "verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toile::app {
namespace {

const std::map<std::string, EditRule> kRules = {{"offsets", EditRule::Offsets},
                                                {"stretch", EditRule::Stretch},
                                                {"printed", EditRule::Printed},
                                                {"conjugated", EditRule::Conjugated}};

struct EditArguments {
    std::string sequence, mesh, output;
    std::vector<int> frames;
    std::vector<std::string> edited;
    EditRule rule = EditRule::Offsets;
    std::string rest;
    double strength = 1;
    std::string from, to, ease_in, ease_out;
    double rate = 0;  // frames per second; 0: as the sequence says
    std::string mask, mask_group;
    double tolerance = -1;  // metres; negative: found from the files
    int feather = 0, smoothing = 0;
    double pull_length = 1;
    bool no_glue = false, allow_placement = false, allow_bad_pose = false;
};

OpenedSequence open_input(const EditArguments& arguments) {
    SequenceOpenOptions options;
    if (!arguments.mesh.empty()) options.mesh = arguments.mesh;
    OpenedSequence input = open_sequence(arguments.sequence, options);
    if (!input.mesh) {
        throw InvalidInput(fmt::format("'{}' comes without triangles; say whose they are (--mesh).",
                                       arguments.sequence));
    }
    return input;
}

TriangleMesh read_matching(const std::string& path, const TriangleMesh& mesh) {
    TriangleMesh other = read_mesh(path);
    require_same_connectivity(mesh.triangles, mesh.n_vertices(), other.triangles,
                              other.n_vertices(), path);
    return other;
}

double tolerance_of(const EditArguments& arguments, int frame, const std::string& edited) {
    if (arguments.tolerance >= 0) return arguments.tolerance;
    const CoordinateStep before = frame_coordinate_step(arguments.sequence, frame);
    const CoordinateStep after = frame_coordinate_step(edited, 0);
    const double step = rounding_between(before, after);
    if (step > 0) {
        log_info(
            fmt::format("Frame {} is written in {}, '{}' in {}: what moves by less than "
                        "{:.3g} m counts as not edited (--tolerance).",
                        frame, before.words, edited, after.words, step));
    }
    return step;
}

std::vector<EditKey> read_keys(const EditArguments& arguments, FrameSource& frames,
                               const TriangleMesh& mesh) {
    if (arguments.frames.size() != arguments.edited.size()) {
        throw InvalidInput(fmt::format("Each --frame needs its --edited; found {} and {}.",
                                       arguments.frames.size(), arguments.edited.size()));
    }
    std::vector<EditKey> keys;
    for (size_t k = 0; k < arguments.frames.size(); ++k) {
        keys.push_back(
            {.frame = arguments.frames[k],
             .original = {},
             .edited = read_matching(arguments.edited[k], mesh).positions,
             .tolerance = tolerance_of(arguments, arguments.frames[k], arguments.edited[k])});
    }
    std::sort(keys.begin(), keys.end(),
              [](const EditKey& a, const EditKey& b) { return a.frame < b.frame; });
    std::vector<int> wanted;
    for (const EditKey& key : keys) wanted.push_back(key.frame);
    std::vector<std::vector<Vec3>> originals = read_frames(frames, wanted);
    for (size_t k = 0; k < keys.size(); ++k) keys[k].original = std::move(originals[k]);
    return keys;
}

void add_group(const TriangleMesh& mesh, const TriangleNames& names, const std::string& name,
               std::vector<char>& out_mask) {
    for (size_t t = 0; t < names.of_triangle.size(); ++t) {
        const int index = names.of_triangle[t];
        if (index < 0 || names.names[static_cast<size_t>(index)] != name) continue;
        for (const int v : mesh.triangles[t]) out_mask[static_cast<size_t>(v)] = 1;
    }
}

std::vector<char> group_mask(const TriangleMesh& mesh, const std::string& name) {
    std::vector<char> mask(mesh.positions.size(), 0);
    std::vector<std::string> known;
    for (const TriangleNames* names : {&mesh.groups, &mesh.objects, &mesh.materials}) {
        add_group(mesh, *names, name, mask);
        known.insert(known.end(), names->names.begin(), names->names.end());
    }
    if (std::find(mask.begin(), mask.end(), 1) != mask.end()) return mask;
    throw InvalidInput(fmt::format("The sequence's mesh has no group, object or material '{}'.{}",
                                   name, did_you_mean(name, known)));
}

std::vector<char> read_mask(const EditArguments& arguments, const TriangleMesh& mesh) {
    if (!arguments.mask.empty()) {
        return parse_vertex_list(read_bytes(arguments.mask), arguments.mask, mesh.n_vertices());
    }
    if (!arguments.mask_group.empty()) return group_mask(mesh, arguments.mask_group);
    return {};
}

EditWindow window_of(const EditArguments& arguments, const FrameSource& frames) {
    std::optional<double> rate = frames.frame_rate();
    if (arguments.rate > 0) rate = arguments.rate;
    EditWindow window;
    const auto read = [&](const std::string& text, const char* option, double& out_value) {
        if (!text.empty()) out_value = parse_frame_time(text, rate, option);
    };
    read(arguments.from, "--from", window.first);
    read(arguments.to, "--to", window.last);
    read(arguments.ease_in, "--ease-in", window.ease_in);
    read(arguments.ease_out, "--ease-out", window.ease_out);
    if (window.first > window.last) {
        throw InvalidInput(
            fmt::format("--from {} is after --to {}.", arguments.from, arguments.to));
    }
    if (window.ease_in > 0 && arguments.from.empty()) window.first = 0;
    if (window.ease_out > 0 && arguments.to.empty()) {
        const std::optional<int> n = frames.n_frames();
        if (!n) throw InvalidInput("--ease-out needs --to: the sequence does not say its length.");
        window.last = *n - 1;
    }
    return window;
}

EditOptions options_of(const EditArguments& arguments, const FrameSource& frames,
                       const TriangleMesh& mesh) {
    EditOptions options{.carry = {.rule = arguments.rule,
                                  .mask = read_mask(arguments, mesh),
                                  .feather_rings = arguments.feather,
                                  .pull_length = arguments.pull_length,
                                  .smoothing_passes = arguments.smoothing,
                                  .glue = !arguments.no_glue},
                        .strength = arguments.strength,
                        .window = window_of(arguments, frames),
                        .allow_placement = arguments.allow_placement,
                        .allow_bad_pose = arguments.allow_bad_pose};
    if (!arguments.rest.empty()) {
        options.carry.rest = read_matching(arguments.rest, mesh).positions;
    }
    return options;
}

// A PC2 file has no connectivity, so the mesh of its input goes beside it.
std::optional<std::filesystem::path> mesh_to_write(const std::string& output) {
    std::filesystem::path path = output;
    if (path.extension() != ".pc2") return std::nullopt;
    return path.replace_extension(".obj");
}

void edit(const EditArguments& arguments, Session& session) {
    OpenedSequence first = open_input(arguments);
    std::vector<EditKey> keys = read_keys(arguments, *first.frames, *first.mesh);
    EditOptions options = options_of(arguments, *first.frames, *first.mesh);
    std::vector<std::string> read = {arguments.sequence, arguments.mesh, arguments.rest,
                                     arguments.mask};
    read.insert(read.end(), arguments.edited.begin(), arguments.edited.end());
    refuse_to_overwrite_inputs(arguments.output, read);
    const auto mesh_path = mesh_to_write(arguments.output);
    if (mesh_path) check_output(*mesh_path, {.overwrite = session.force});

    OpenedSequence input = open_input(arguments);
    EditOperator edited(std::make_unique<FrameProgress>(std::move(input.frames), session),
                        first.mesh->triangles, std::move(keys), std::move(options));
    for (const std::string& warning : edited.key_warnings()) log_warning(warning);
    const auto sink = create_sequence(arguments.output, edited.n_vertices(), &*first.mesh,
                                      {.overwrite = session.force});
    copy_frames(edited, *sink);
    if (mesh_path) write_mesh(*mesh_path, *first.mesh, {.overwrite = session.force});
    sink->finish();
    for (const std::string& warning : sequence_warnings(edited.report())) log_warning(warning);
    print_edit_report(edited.report(), edited.key_warnings(), arguments.output, session.json);
}

void add_window_options(CLI::App& verb, EditArguments& arguments) {
    verb.add_option("--strength", arguments.strength,
                    "How much of the edit: 0 nothing, 1 all, above 1 exaggerated; turns grow with "
                    "their angle (default: 1)")
        ->check(finite_number());
    verb.add_option("--from", arguments.from,
                    "First frame that may change, in frames counted from 0, or seconds as '0.5s'");
    verb.add_option("--to", arguments.to, "Last frame that may change, likewise");
    verb.add_option("--ease-in", arguments.ease_in,
                    "Frames (or seconds, '0.5s') from --from, itself unchanged, to full strength");
    verb.add_option("--ease-out", arguments.ease_out,
                    "Frames (or seconds) from full strength to --to, itself unchanged");
    verb.add_option("--rate", arguments.rate,
                    "Frames per second, where times are in seconds and the sequence does not say")
        ->check(positive_number());
}

void add_rule_options(CLI::App& verb, EditArguments& arguments) {
    verb.add_option("--rule", arguments.rule,
                    "offsets: turns with the surface (default); stretch: also stretches with it; "
                    "printed, conjugated: the thesis's, through --rest")
        ->transform(CLI::CheckedTransformer(kRules).description(""))
        ->type_name("RULE");
    verb.add_option("--rest", arguments.rest, "Mesh at rest, for the rules with a rest pose");
    verb.add_option("--feather", arguments.feather,
                    "Rings of unedited vertices that give way for a softer border (default: 0)")
        ->check(CLI::Range(0, 1000));
    verb.add_option("--pull", arguments.pull_length,
                    "Distance over which the edit keeps its own shape, in radii of the edited "
                    "region (default: 1)")
        ->check(positive_number());
    verb.add_option("--smooth", arguments.smoothing,
                    "Passes that smooth the turns of the surface; 3 helps on crumpled cloth "
                    "(default: 0)")
        ->check(CLI::Range(0, 1000));
    verb.add_flag("--no-glue", arguments.no_glue,
                  "Loose parts, as eyes, go their own way, not with what they sit in");
}

void add_region_options(CLI::App& verb, EditArguments& arguments) {
    CLI::Option* const mask =
        verb.add_option("--mask", arguments.mask,
                        "File of the vertices that may be edited, counted from 0; other changes "
                        "are left out");
    verb.add_option("--mask-group", arguments.mask_group,
                    "Only vertices of this group, object or material may be edited")
        ->excludes(mask);
    verb.add_option("--tolerance", arguments.tolerance,
                    "Metres up to which a vertex counts as not edited (default: one step of the "
                    "coarser file where both round differently, else 0)")
        ->check(number_from_zero());
    verb.add_flag("--allow-placement", arguments.allow_placement,
                  "Take an edit that only turns and shifts the whole frame");
    verb.add_flag("--allow-bad-pose", arguments.allow_bad_pose,
                  "Take frames that seem to have another vertex order");
}

}  // namespace

void add_verb_edit(CLI::App& app, Session& session) {
    const auto arguments = std::make_shared<EditArguments>();
    CLI::App* const verb =
        app.add_subcommand("edit", "Carry a change of one frame through a sequence");
    verb->add_option("--sequence", arguments->sequence,
                     "A .pc2 file, a quoted pattern or folder of numbered meshes, or a run's body")
        ->required();
    verb->add_option("--mesh", arguments->mesh, "The mesh that a .pc2 sequence moves");
    verb->add_option("--frame", arguments->frames,
                     "Which frame was edited, counted from 0; may be given several times")
        ->required()
        ->check(frame_number());
    verb->add_option("--edited", arguments->edited,
                     "The mesh of that frame after the edit; one for each --frame, in their order")
        ->required();
    verb->add_option("-o,--output", arguments->output,
                     "A .pc2 file, a pattern such as 'out/frame_%04d.obj', or a folder")
        ->required();
    add_window_options(*verb, *arguments);
    add_rule_options(*verb, *arguments);
    add_region_options(*verb, *arguments);
    verb->callback([arguments, &session] { edit(*arguments, session); });
}

}  // namespace toile::app
