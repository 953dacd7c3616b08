// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"
#include "option_checks.h"
#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/atomic_file.h"
#include "toile/io/glb.h"
#include "toile/io/html_page.h"
#include "toile/io/mesh_file.h"
#include "toile/io/point_cache.h"
#include "toile/io/sequence_file.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"
#include "toile/sequence/resample.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/run_paraview.h"
#include "toile/sim/run_tracks.h"
#include "toile/sim/scene_export.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace toile::app {
namespace {

struct ConvertOptions {
    std::string input;
    std::string output;
    std::string mesh;
    bool binary = false;
    bool ascii = false;
    double rate = 0;
    double from_rate = 0;
};

MeshWriteOptions write_options(const ConvertOptions& options, const Session& session) {
    MeshEncoding encoding = MeshEncoding::Default;
    if (options.binary) encoding = MeshEncoding::Binary;
    if (options.ascii) encoding = MeshEncoding::Ascii;
    return {.overwrite = session.force, .encoding = encoding};
}

// Frames per second of what is written: as asked for, else as the input or its run says; 0:
// unknown.
double output_rate(const ConvertOptions& options, const FrameSource& frames) {
    if (options.rate != 0) return options.rate;
    if (options.from_rate != 0) return options.from_rate;
    if (const std::optional<double> rate = frames.frame_rate()) return *rate;
    const std::filesystem::path folder = std::filesystem::path(options.input).parent_path();
    return is_run_folder(folder) ? read_run_record(folder).frame_rate : 0;
}

void report(const ConvertOptions& options, const Session& session, int n_vertices, int n_frames) {
    if (session.json) {
        const nlohmann::json result = {{"input", options.input},
                                       {"output", options.output},
                                       {"vertices", n_vertices},
                                       {"frames", n_frames}};
        fmt::print("{}\n", result.dump());
    } else {
        fmt::print("{}: {} {} of {} vertices\n", options.output, n_frames,
                   n_frames == 1 ? "frame" : "frames", n_vertices);
    }
}

void convert_mesh(const ConvertOptions& options, const Session& session) {
    if (!options.mesh.empty() || options.rate != 0 || options.from_rate != 0) {
        throw InvalidInput("--mesh, --rate and --from-rate are for sequences; '" + options.input +
                           "' is one mesh.");
    }
    const TriangleMesh mesh = read_mesh(options.input);
    write_mesh(options.output, mesh, write_options(options, session));
    report(options, session, mesh.n_vertices(), 1);
}

void convert_scene(const ConvertOptions& options, const Session& session) {
    if (!options.mesh.empty() || options.rate != 0 || options.from_rate != 0 || options.binary ||
        options.ascii) {
        throw InvalidInput(
            "--mesh, --rate, --from-rate, --binary and --ascii are for meshes and "
            "sequences; '" +
            options.input + "' is a scene.");
    }
    const SceneExport done = export_scene(load_scene(options.input), options.output, session.force);
    if (session.json) {
        nlohmann::json result = {{"input", options.input}, {"output", options.output}};
        result["meshes"] = nlohmann::json::array();
        for (const auto& mesh : done.meshes) result["meshes"].push_back(mesh.string());
        fmt::print("{}\n", result.dump());
    } else {
        fmt::print("{}: a scene, with {} meshes beside it\n", options.output, done.meshes.size());
    }
}

// A point cache has no connectivity, so the mesh of its input goes beside it.
std::optional<std::filesystem::path> mesh_to_write(const ConvertOptions& options,
                                                   const OpenedSequence& input) {
    std::filesystem::path output = options.output;
    if (!input.mesh || !find_point_cache_format(output)) return std::nullopt;
    return output.replace_extension(".obj");
}

void convert_sequence(const ConvertOptions& options, Session& session) {
    SequenceOpenOptions open;
    if (!options.mesh.empty()) open.mesh = options.mesh;
    OpenedSequence input = open_sequence(options.input, open);
    const TriangleMesh* const mesh = input.mesh ? &*input.mesh : nullptr;
    const auto mesh_path = mesh_to_write(options, input);
    if (mesh_path) check_output(*mesh_path, {.overwrite = session.force});

    std::unique_ptr<FrameSource> frames = std::move(input.frames);
    if (options.rate != 0) {
        frames = std::make_unique<Resample>(
            std::move(frames),
            ResampleOptions{.input_rate = options.from_rate, .output_rate = options.rate});
    }
    FrameProgress source(std::move(frames), session);
    MeshWriteOptions write = write_options(options, session);
    write.frame_rate = output_rate(options, source);
    const auto sink = create_sequence(options.output, source.n_vertices(), mesh, write);
    const int n_frames = copy_frames(source, *sink);
    if (mesh_path) {
        write_mesh(*mesh_path, *mesh, {.overwrite = session.force});
        log_info(fmt::format("Its mesh is '{}'.", mesh_path->string()));
    }
    sink->finish();
    report(options, session, source.n_vertices(), n_frames);
}

void refuse_options_of_one_body(const ConvertOptions& options) {
    if (options.mesh.empty() && options.rate == 0 && options.from_rate == 0) return;
    throw InvalidInput("--mesh, --rate and --from-rate are for one body; '" + options.input +
                       "' is a run.");
}

void convert_run_for_paraview(const ConvertOptions& options, Session& session) {
    refuse_options_of_one_body(options);
    RunParaviewOptions write{.overwrite = session.force, .cancellation = &session.cancellation};
    if (!session.quiet) write.progress = progress_line("frame");
    const RunParaviewReport done = write_run_for_paraview(options.input, options.output, write);
    if (!session.quiet) end_progress_line();
    report(options, session, done.n_vertices, done.n_frames);
}

// All bodies of a run in one file; `Writer` is that of a GLB or of an HTML page.
template <class Writer>
void write_film(RunTracks& run, Writer& writer, Session& session) {
    const ProgressCallback progress = session.quiet ? ProgressCallback() : progress_line("frame");
    int n_frames = 0;
    while (run.next()) {
        if (session.cancellation.requested()) {
            throw Interrupted("Stopped; nothing was written.");
        }
        writer.write(run.positions());
        if (progress) progress(++n_frames, run.n_frames(), "written");
    }
    writer.finish();
    if (progress) end_progress_line();
}

void convert_run_to_film(const ConvertOptions& options, Session& session) {
    refuse_options_of_one_body(options);
    RunTracks run(options.input);
    if (lower_extension(options.output) == ".glb") {
        GlbWriter writer(options.output, run.tracks(),
                         {.overwrite = session.force, .frame_rate = run.frame_rate()});
        write_film(run, writer, session);
    } else {
        HtmlPageWriter writer(options.output, run.tracks(),
                              {.overwrite = session.force, .frame_rate = run.frame_rate()});
        write_film(run, writer, session);
    }
    report(options, session, run.n_vertices(), run.n_frames());
}

bool is_film(const std::filesystem::path& path) {
    return lower_extension(path) == ".glb" || lower_extension(path) == ".html";
}

bool is_scene(const std::filesystem::path& path) {
    return path.extension() == ".toml" || is_environment_folder(path);
}

void convert(const ConvertOptions& options, Session& session) {
    if (is_scene(options.input) != (std::filesystem::path(options.output).extension() == ".toml")) {
        throw InvalidInput(fmt::format(
            "'{}' cannot become '{}': a scene (.toml, or an environment folder) becomes "
            "a .toml file, and nothing else does.",
            options.input, options.output));
    }
    if (is_scene(options.input)) {
        convert_scene(options, session);
    } else if (names_one_mesh(options.input) && names_one_mesh(options.output)) {
        convert_mesh(options, session);
    } else if (is_run_folder(options.input) && lower_extension(options.output) == ".pvd") {
        convert_run_for_paraview(options, session);
    } else if (is_run_folder(options.input) && is_film(options.output)) {
        convert_run_to_film(options, session);
    } else {
        convert_sequence(options, session);
    }
}

}  // namespace

void add_verb_convert(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ConvertOptions>();
    CLI::App* const verb = app.add_subcommand("convert",
                                              "Convert a mesh, a sequence (.pc2, .mdd, numbered "
                                              "meshes, a run's body), a run (to .pvd, .glb or "
                                              ".html) or a scene");
    verb->add_option(
            "INPUT", options->input,
            "A mesh, a .pc2 or .mdd file, a quoted pattern or folder of numbered meshes, a "
            "run's body (run/NAME), a run folder, or a scene: a .toml file or an environment "
            "folder")
        ->required();
    verb->add_option(
            "-o,--output", options->output,
            "A mesh, a .pc2, .mdd, .pvd, .glb or .html file (a page that plays offline), a "
            "pattern such as 'out/frame_%04d.obj', a folder, or a scene.toml")
        ->required();
    verb->add_option("--mesh", options->mesh, "The mesh that a .pc2 or .mdd input moves");
    CLI::Option* const binary = verb->add_flag("--binary", options->binary, "Binary meshes");
    verb->add_flag("--ascii", options->ascii, "Text meshes")->excludes(binary);
    verb->add_option("--rate", options->rate, "Resample to this many frames per second")
        ->check(positive_number());
    verb->add_option("--from-rate", options->from_rate,
                     "Frames per second of the input, where it does not say")
        ->check(positive_number());
    verb->callback([options, &session] { convert(*options, session); });
}

}  // namespace toile::app
