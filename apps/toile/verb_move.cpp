// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"
#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/io/mesh_file.h"
#include "toile/io/point_cache.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/move_steps.h"
#include "toile/sequence/moved.h"
#include "toile/sim/run_folder.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toile::app {
namespace {

namespace fs = std::filesystem;

struct MoveArguments {
    std::string input;
    std::string output;
    std::string mesh;
    std::map<const CLI::Option*, MoveKind> kinds;
};

constexpr const char* kDoc =
    "Translate, rotate and scale a mesh or every frame of a sequence, in the order of the options; "
    "as\ntoile move shirt.obj -o moved.obj --scale 0.01 --rotate x,-90 --translate 0,1,0";

/// The steps in the order in which they were given.
std::vector<MoveStep> steps_of(const CLI::App& verb, const MoveArguments& arguments) {
    std::vector<MoveStep> steps;
    std::map<const CLI::Option*, size_t> n_taken;
    for (const CLI::Option* const option : verb.parse_order()) {
        const auto kind = arguments.kinds.find(option);
        if (kind == arguments.kinds.end()) continue;
        steps.push_back({kind->second, option->results()[n_taken[option]++]});
    }
    return steps;
}

void report(const Session& session, const MoveArguments& arguments, int n_vertices, int n_frames) {
    if (session.json) {
        const nlohmann::json result = {{"input", arguments.input},
                                       {"output", arguments.output},
                                       {"vertices", n_vertices},
                                       {"frames", n_frames}};
        fmt::print("{}\n", result.dump());
    } else {
        fmt::print("{}: {} {} of {} vertices\n", arguments.output, n_frames,
                   n_frames == 1 ? "frame" : "frames", n_vertices);
    }
}

void move_mesh(const Session& session, const MoveArguments& arguments, const Transform& transform) {
    if (!arguments.mesh.empty()) {
        throw InvalidInput("--mesh is for sequences; '" + arguments.input + "' is one mesh.");
    }
    TriangleMesh mesh = read_mesh(arguments.input);
    transform_points(transform, mesh.positions);
    write_mesh(arguments.output, mesh, {.overwrite = session.force});
    report(session, arguments, mesh.n_vertices(), 1);
}

double frame_rate(const MoveArguments& arguments, const FrameSource& frames) {
    if (const std::optional<double> rate = frames.frame_rate()) return *rate;
    const fs::path folder = fs::path(arguments.input).parent_path();
    return is_run_folder(folder) ? read_run_record(folder).frame_rate : 0;
}

// The mesh at rest moves too: it goes beside a point cache, which has no connectivity.
void move_sequence(Session& session, const MoveArguments& arguments, const Transform& transform) {
    SequenceOpenOptions open;
    if (!arguments.mesh.empty()) open.mesh = arguments.mesh;
    OpenedSequence input = open_sequence(arguments.input, open);
    if (input.mesh) transform_points(transform, input.mesh->positions);
    fs::path mesh_path;
    if (input.mesh && find_point_cache_format(arguments.output)) {
        mesh_path = fs::path(arguments.output).replace_extension(".obj");
        check_output(mesh_path, {.overwrite = session.force});
    }
    const double rate = frame_rate(arguments, *input.frames);
    FrameProgress frames(std::make_unique<Moved>(std::move(input.frames), transform), session);
    const TriangleMesh* const mesh = input.mesh ? &*input.mesh : nullptr;
    const auto sink = create_sequence(arguments.output, frames.n_vertices(), mesh,
                                      {.overwrite = session.force, .frame_rate = rate});
    const int n_frames = copy_frames(frames, *sink);
    if (!mesh_path.empty()) write_mesh(mesh_path, *mesh, {.overwrite = session.force});
    sink->finish();
    report(session, arguments, frames.n_vertices(), n_frames);
}

void add_step(CLI::App& verb, MoveArguments& arguments, const char* name, MoveKind kind,
              const char* form, const char* text) {
    CLI::Option* const option = verb.add_option(name, CLI::callback_t(), text)
                                    ->type_size(1)
                                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                                    ->type_name(form);
    arguments.kinds[option] = kind;
}

void add_steps(CLI::App& verb, MoveArguments& a) {
    add_step(verb, a, "--translate", MoveKind::Translate, "X,Y,Z", "By these metres");
    add_step(verb, a, "--rotate", MoveKind::Rotate, "AXIS,DEGREES",
             "About x, y, z or X,Y,Z by the right-hand rule: y,90 or 1,1,0,90");
    add_step(verb, a, "--scale", MoveKind::Scale, "FACTOR", "By this factor");
    add_step(verb, a, "--about", MoveKind::About, "X,Y,Z",
             "Where rotations and scalings after this have their centre (default: 0,0,0)");
}

}  // namespace

void add_verb_move(CLI::App& app, Session& session) {
    const auto a = std::make_shared<MoveArguments>();
    CLI::App* const verb = app.add_subcommand("move", kDoc);
    verb->add_option("INPUT", a->input, "A mesh or a sequence, as for convert")->required();
    verb->add_option("-o,--output", a->output, "A mesh or where frames can go, as for convert")
        ->required();
    verb->add_option("--mesh", a->mesh, "The mesh that a .pc2 or .mdd input moves");
    add_steps(*verb, *a);
    verb->callback([verb, a, &session] {
        const std::vector<MoveStep> steps = steps_of(*verb, *a);
        if (steps.empty()) {
            throw CLI::RequiredError("One of --translate, --rotate and --scale");
        }
        const Transform transform = compose_moves(steps);
        if (names_one_mesh(a->input) && names_one_mesh(a->output)) {
            move_mesh(session, *a, transform);
        } else {
            move_sequence(session, *a, transform);
        }
    });
}

}  // namespace toile::app
