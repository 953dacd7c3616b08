// SPDX-License-Identifier: Apache-2.0
#include "option_checks.h"
#include "picture_request.h"
#include "toile/core/error.h"
#include "verb.h"

#ifdef TOILE_WITH_EMBREE
#include "picture_job.h"
#endif

#include <memory>

namespace toile::app {
namespace {

void add_what(CLI::App& verb, PictureRequest& request) {
    verb.add_option("input", request.inputs, "Meshes and sequences, or a run folder")
        ->required()
        ->type_name("INPUT");
    verb.add_option("-o,--output", request.output, "NAME.png, NAME.mp4, or a folder of pictures")
        ->required()
        ->type_name("OUTPUT");
    verb.add_option("--mesh", request.mesh, "Mesh whose vertices a PC2 file moves")
        ->type_name("FILE");
    auto* frame =
        verb.add_option("--frame", request.frame, "Frame of a single picture (default: the last)");
    verb.add_option("--frames", request.frames,
                    "FIRST:LAST:STEP of films, folders and sheets (default: all)")
        ->type_name("A:B:STEP")
        ->excludes(frame);
    verb.add_option("--sheet", request.sheet, "Frames side by side in one picture")
        ->type_name("COLUMNSxROWS")
        ->excludes(frame);
}

void add_how(CLI::App& verb, PictureRequest& request) {
    verb.add_option("--size", request.size, "Pixels of a picture")
        ->capture_default_str()
        ->type_name("WxH");
    verb.add_option("--samples", request.samples, "Rays through each pixel")
        ->capture_default_str()
        ->check(CLI::Range(1, 4096));
    verb.add_option("--fps", request.frame_rate,
                    "Frames per second of a film (default: the input's, or 25)")
        ->check(CLI::Range(0.001, 1000.0));
    verb.add_flag("--side-by-side", request.side_by_side,
                  "Bodies next to each other, scaled to one size, standing on one floor");
    verb.add_flag("--edges", request.edges, "Draw the mesh");
    verb.add_option("--color", request.colors, "Colour of a body: BODY=#rrggbb, or BODY=FRONT,BACK")
        ->type_name("BODY=COLOUR");
    verb.add_option("--pattern", request.pattern, "Cloth with a pattern: none, checker, weave")
        ->capture_default_str();
    verb.add_option("--pattern-size", request.pattern_size,
                    "Of a square or thread, in texture units")
        ->check(positive_number());
    verb.add_flag("--no-floor", request.no_floor, "Without the floor that takes the shadow");
}

void add_camera(CLI::App& verb, PictureRequest& request) {
    auto* view = verb.add_option("--view", request.view,
                                 "front, side, top, three-quarter, three-quarter-left")
                     ->capture_default_str();
    const auto add_vector = [&](const char* name, std::vector<double>& v, const char* text) {
        return verb.add_option(name, v, text)->delimiter(',')->expected(3)->type_name("X,Y,Z");
    };
    add_vector("--camera-from", request.camera_from, "Where the camera stands")->excludes(view);
    add_vector("--camera-to", request.camera_to, "What it looks at (default: the middle)");
    add_vector("--up", request.up, "Direction that is up (default: the scene's, or 0,1,0)");
    verb.add_option("--fov", request.field_of_view, "Vertical field of view in degrees")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 170.0));
}

void run([[maybe_unused]] Session& session, [[maybe_unused]] const PictureRequest& request) {
#ifdef TOILE_WITH_EMBREE
    make_pictures(session, request);
#else
    throw MissingFeature(
        "This build of Toile makes no pictures; build it with TOILE_WITH_EMBREE=ON.");
#endif
}

}  // namespace

void add_verb_render(CLI::App& app, Session& session) {
    CLI::App* verb =
        app.add_subcommand("render", "Make pictures and films of meshes, sequences and runs");
    verb->fallthrough();
    auto request = std::make_shared<PictureRequest>();
    add_what(*verb, *request);
    add_how(*verb, *request);
    add_camera(*verb, *request);
    verb->callback([request, &session] { run(session, *request); });
}

}  // namespace toile::app
