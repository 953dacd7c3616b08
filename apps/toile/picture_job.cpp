// SPDX-License-Identifier: Apache-2.0
#include "picture_job.h"

#include "picture_input.h"
#include "picture_output.h"
#include "progress_line.h"
#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/render/contact_sheet.h"
#include "toile/render/ray_tracer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <tuple>

namespace toile::app {
namespace {

constexpr double kDefaultFrameRate = 25;
constexpr double kPatternCells = 16;  // over the larger extent of a body's texture

Vec3 vector_of(const std::vector<double>& v) {
    return {v.at(0), v.at(1), v.at(2)};
}

SurfaceLook& look_of(SceneView& view, const std::string& name) {
    std::vector<std::string> names;
    for (RenderBody& body : view.bodies) {
        if (body.name == name) return body.look;
        names.push_back(body.name);
    }
    throw InvalidInput(fmt::format("There is no body '{}'; there are {}.{}", name,
                                   fmt::join(names, ", "), did_you_mean(name, names)));
}

/// `body=#rrggbb` for both sides, or `body=#rrggbb,#rrggbb` for front and back.
void paint(SceneView& view, const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
        throw InvalidInput(
            fmt::format("--color is '{}'; expected BODY=COLOUR, as cloth=#c8553d.", text));
    }
    const std::string colors = text.substr(equals + 1);
    const size_t comma = colors.find(',');
    SurfaceLook& look = look_of(view, text.substr(0, equals));
    look.front = parse_color(colors.substr(0, comma));
    look.back = comma == std::string::npos ? look.front : parse_color(colors.substr(comma + 1));
}

double texture_extent(const std::vector<Vec2>& uvs) {
    Vec2 low = uvs.front();
    Vec2 high = low;
    for (const Vec2& uv : uvs) {
        low = low.cwiseMin(uv);
        high = high.cwiseMax(uv);
    }
    return (high - low).maxCoeff();
}

void dress(SceneView& view, const PictureRequest& request) {
    const Pattern pattern = parse_pattern(request.pattern);
    for (RenderBody& body : view.bodies) {
        body.look.edges = request.edges;
        if (!body.is_subject || pattern == Pattern::None || body.triangles.empty()) continue;
        give_flat_coordinates(body);
        const double extent = texture_extent(body.uvs);
        body.look.pattern = pattern;
        body.look.pattern_size =
            request.pattern_size > 0 ? request.pattern_size : extent / kPatternCells;
    }
    for (const std::string& color : request.colors) paint(view, color);
}

std::vector<int> frames_to_show(const PictureRequest& request, OutputKind kind, int n_frames) {
    if (kind == OutputKind::Picture) {
        if (!request.frames.empty()) {
            throw InvalidInput(fmt::format(
                "{} is one picture; choose its frame by --frame. --frames is for films, "
                "sheets and numbered pictures (as picture_%04d.png).",
                request.output));
        }
        const int frame = request.frame.value_or(n_frames - 1);
        if (frame >= 0 && frame < n_frames) return {frame};
        throw InvalidInput(
            fmt::format("There is no frame {}; there are frames 0 to {}.", frame, n_frames - 1));
    }
    const std::vector<int> range = parse_frame_range(request.frames, n_frames);
    if (kind != OutputKind::Sheet) return range;
    const auto [columns, rows] = parse_pair(request.sheet, "--sheet");
    if (columns < 1 || rows < 1) {
        throw InvalidInput(fmt::format("--sheet {} has no place for a picture.", request.sheet));
    }
    std::vector<int> chosen;
    const long n_cells = static_cast<long>(columns) * rows;
    for (const int i : sheet_frames(static_cast<int>(range.size()),
                                    static_cast<int>(std::clamp(n_cells, 0L, 1000000L)))) {
        chosen.push_back(range[static_cast<size_t>(i)]);
    }
    return chosen;
}

/// Frames all that is to be shown, and lays the floor under it. Reads the frames once.
Camera place_camera(PictureInput& input, const PictureRequest& request,
                    const std::vector<int>& frames, const ImageSize& size) {
    SceneView& view = input.view();
    const double fov = request.field_of_view * std::numbers::pi / 180;
    CameraFraming framing(
        {direction_to_camera(parse_view(request.view), view.up), view.up, fov, size});
    std::optional<double> lowest;
    input.seek(frames.front());
    if (!request.no_floor) replace_floors(view);
    for (const int frame : frames) {
        input.seek(frame);
        framing.add(points_to_frame(view));
        const std::optional<double> height = lowest_height(view);
        if (height) lowest = std::min(lowest.value_or(*height), *height);
    }
    if (!request.no_floor && !view.floor_height) view.floor_height = lowest;
    Camera camera = framing.camera();
    if (!request.camera_from.empty()) camera.from = vector_of(request.camera_from);
    if (!request.camera_to.empty()) camera.to = vector_of(request.camera_to);
    return camera;
}

/// Moves the bodies next to each other, along what is right in the picture.
void part_bodies(PictureInput& input, const PictureRequest& request, int frame) {
    input.seek(frame);
    SceneView& view = input.view();
    const Vec3 direction = direction_to_camera(parse_view(request.view), view.up);
    const std::vector<Transform> places = side_by_side(view, direction);
    for (size_t i = 0; i < places.size(); ++i) {
        view.bodies[i].is_subject = true;
        input.place(i, places[i]);
    }
}

void report(const Session& session, const PictureRequest& request, const std::vector<int>& frames) {
    if (session.json) {
        fmt::print("{}\n",
                   nlohmann::ordered_json{{"output", request.output}, {"frames", frames}}.dump(2));
    } else if (!session.quiet) {
        fmt::print(stderr, "Wrote {} ({} {}).\n", request.output, frames.size(),
                   frames.size() == 1 ? "frame" : "frames");
    }
}

void require_free(const Session& session, const std::string& path, OutputKind kind) {
    const bool taken = kind == OutputKind::Folder
                           ? std::filesystem::exists(path) && !std::filesystem::is_empty(path)
                           : std::filesystem::exists(path);
    if (!taken || session.force) return;
    throw IoError(fmt::format("{} exists already; choose another name or add --force.", path));
}

PictureOutputOptions output_options(const PictureRequest& request, OutputKind kind,
                                    std::optional<double> input_rate) {
    PictureOutputOptions options{.path = request.output, .kind = kind};
    std::tie(options.size.width, options.size.height) = parse_pair(request.size, "--size");
    options.frame_rate =
        request.frame_rate > 0 ? request.frame_rate : input_rate.value_or(kDefaultFrameRate);
    if (kind == OutputKind::Sheet) {
        std::tie(options.sheet_columns, options.sheet_rows) = parse_pair(request.sheet, "--sheet");
    }
    return options;
}

}  // namespace

void make_pictures(Session& session, const PictureRequest& request) {
    const OutputKind kind = output_kind(request.output, !request.sheet.empty());
    require_free(session, request.output, kind);
    PictureInputOptions what{.inputs = request.inputs};
    if (!request.mesh.empty()) what.mesh = request.mesh;
    if (!request.up.empty()) what.up = vector_of(request.up);
    PictureInput input(what);
    dress(input.view(), request);
    const std::vector<int> frames = frames_to_show(request, kind, input.n_frames());
    if (request.side_by_side) part_bodies(input, request, frames.front());
    const PictureOutputOptions options = output_options(request, kind, input.frame_rate());
    const Camera camera = place_camera(input, request, frames, options.size);
    const std::unique_ptr<PictureOutput> output = open_output(options);
    ProgressCallback progress;
    if (!session.quiet && frames.size() > 1) progress = progress_line("picture");
    int n_done = 0;
    for (const int frame : frames) {
        if (session.cancellation.requested())
            throw Interrupted("Stopped before all pictures were made.");
        input.seek(frame);
        output->add(frame, render_picture(input.view(), camera, {options.size, request.samples}));
        if (progress) progress(++n_done, static_cast<int>(frames.size()), "");
    }
    if (progress) end_progress_line();
    output->finish();
    report(session, request, frames);
}

}  // namespace toile::app
