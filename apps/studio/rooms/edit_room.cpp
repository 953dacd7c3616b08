// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/edit_room.h"

#include "studio/rooms/made_sequence.h"
#include "toile/core/log.h"
#include "toile/core/timer.h"
#include "toile/edit/edit_check.h"
#include "toile/io/atomic_file.h"
#include "toile/io/coordinate_step.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

constexpr double kNoFalloff = std::numeric_limits<double>::infinity();

HandleMode handle_mode(const std::string& name) {
    if (name == "arap") return HandleMode::Arap;
    if (name == "smooth") return HandleMode::Smooth;
    throw UsageError(fmt::format("'mode' is '{}'; expected arap or smooth.", name));
}

HandleMove move_of(const Request& request) {
    HandleMove move;
    if (request.has("translate")) move.translation = request.vector("translate");
    if (request.has("rotate")) move.rotation = radians(1) * request.vector("rotate");
    if (request.has("pivot")) move.pivot = request.vector("pivot");
    move.scale = request.number_if("scale").value_or(1);
    return move;
}

/// Up to here, two files of the same frame differ by rounding alone.
double rounding_of(const ItemBody& body, int frame, const fs::path& edited) {
    const std::string before = body.motion ? body.motion->frames : std::string();
    if (before.empty()) return 0;
    return rounding_between(frame_coordinate_step(before, frame),
                            frame_coordinate_step(edited.string(), 0));
}

/// Nothing for null: all of them.
std::optional<int> frames_beside(const Request& request, const Json& given) {
    Request one = request;
    one.body = {{"window", given}};
    const std::optional<int> frames = one.integer_if("window");
    if (frames && *frames < 0) {
        throw UsageError(fmt::format("'window' holds {}; expected 0 frames or more.", *frames));
    }
    return frames;
}

fs::path description_path(const fs::path& mesh) {
    fs::path path = mesh;
    return path.replace_extension(".edit.json");
}

}  // namespace

EditRoom::EditRoom(Services services) : services_(services) {
    tell();
}

std::vector<RequestEntry> EditRoom::requests() {
    return {{"edit.open", [this](const Request& request) { return open(request); }},
            {"edit.handle", [this](const Request& request) { return take_handle(request); }},
            {"edit.drag", [this](const Request& request) { return drag(request); }, true},
            {"edit.release", [this](const Request&) { return release(); }},
            {"edit.load", [this](const Request& request) { return load(request); }},
            {"edit.undo", [this](const Request&) { return undo(); }},
            {"edit.redo", [this](const Request&) { return redo(); }},
            {"edit.positions", [this](const Request& request) { return positions(request); }},
            {"edit.carry", [this](const Request& request) { return carry(request); }},
            {"edit.save", [this](const Request& request) { return save(request); }}};
}

const Item& EditRoom::require_open() const {
    if (item_) return *item_;
    throw InvalidInput("No sequence is opened to be edited.");
}

const TriangleMesh& EditRoom::mesh() const {
    return *require_open().content->body(body_).mesh;
}

void EditRoom::show(int frame) {
    frame_ = frame;
    dragged_.reset();
    handle_.reset();
}

/// Another item, or body, begins anew; another frame of the same one is edited besides.
Answer EditRoom::open(const Request& request) {
    Item item = services_.workspace.item(request.integer("item"));
    const int body = request.integer_if("body").value_or(0);
    const int frame = request.integer("frame");
    const Points original = item.content->positions(body, frame);
    const bool is_same =
        item_ && item_->number == item.number && body_ == body && item_->content == item.content;
    if (!is_same) {
        frames_ = {};
        selection_.reset();
        carry_ = {};
        result_.reset();
    }
    item_ = std::move(item);
    body_ = body;
    frames_.add(frame, original);
    show(frame);
    return tell();
}

SurfaceHandle& EditRoom::handle() {
    if (!selection_) throw InvalidInput("Nothing is selected; take a handle before dragging it.");
    if (!handle_) {
        handle_ = std::make_unique<SurfaceHandle>(mesh().triangles, *frames_.now(frame_),
                                                  selection_->vertices, selection_->options);
    }
    return *handle_;
}

Answer EditRoom::take_handle(const Request& request) {
    (void)require_open();
    Selection selection;
    selection.vertices = request.integers("vertices");
    selection.options.mode = handle_mode(request.text_if("mode").value_or("arap"));
    selection.options.falloff = request.number_if("falloff").value_or(kNoFalloff);
    auto made = std::make_unique<SurfaceHandle>(mesh().triangles, *frames_.now(frame_),
                                                selection.vertices, selection.options);
    selection_ = std::move(selection);
    handle_ = std::move(made);
    dragged_.reset();
    tell();
    BinaryMessage message;
    const std::vector<std::uint32_t> vertices(handle_->vertices().begin(),
                                              handle_->vertices().end());
    message.header["vertices"] = message.add(std::span<const std::uint32_t>(vertices));
    message.header["weights"] = message.add_numbers(handle_->weights());
    return message;
}

Answer EditRoom::drag(const Request& request) {
    (void)require_open();
    SurfaceHandle& handle = this->handle();
    const Timer timer;
    auto moved = std::make_shared<std::vector<Vec3>>(handle.rest().size());
    (void)handle.drag(move_of(request), *moved);
    if (!std::all_of(moved->begin(), moved->end(), [](const Vec3& p) { return p.allFinite(); })) {
        handle_.reset();  // it may go on from where it was brought
        throw InvalidInput(
            "The selection was moved so far that no place is left; drag it less far.");
    }
    BinaryMessage message;
    message.header["milliseconds"] = 1000 * timer.seconds();
    message.header["positions"] = message.add_points(*moved);
    dragged_ = std::move(moved);
    return message;
}

Answer EditRoom::release() {
    (void)require_open();
    if (dragged_ && *dragged_ != *frames_.now(frame_)) {
        frames_.change(frame_, dragged_);
    }
    show(frame_);
    return tell();
}

Answer EditRoom::load(const Request& request) {
    const Item& item = require_open();
    const RootedPath place{request.integer("root"), request.text("path")};
    const fs::path path = services_.workspace.roots().existing(place);
    const TriangleMesh edited = read_mesh(path);
    require_same_connectivity(mesh().triangles, mesh().n_vertices(), edited.triangles,
                              edited.n_vertices(), place.path);
    const double tolerance = rounding_of(item.content->body(body_), frame_, path);
    frames_.change(frame_, std::make_shared<const std::vector<Vec3>>(edited.positions), tolerance);
    show(frame_);
    return tell();
}

Answer EditRoom::undo() {
    (void)require_open();
    show(frames_.undo());
    return tell();
}

Answer EditRoom::redo() {
    (void)require_open();
    show(frames_.redo());
    return tell();
}

Answer EditRoom::positions(const Request& request) {
    const Item& item = require_open();
    const int frame = request.integer("frame");
    const Points points =
        frames_.has(frame) ? frames_.now(frame) : item.content->positions(body_, frame);
    BinaryMessage message;
    message.header["frame"] = frame;
    message.header["positions"] = message.add_points(*points);
    return message;
}

EditRoom::Carry EditRoom::read_carry(const Request& request) const {
    Carry carry;
    if (request.has("window")) {
        const Json& window = request.body.at("window");
        if (!window.is_array() || window.size() != 2) {
            throw UsageError(
                "'window' must be [frames before, frames after], each a number or null for all.");
        }
        carry.before = frames_beside(request, window[0]);
        carry.after = frames_beside(request, window[1]);
    }
    carry.ease = request.number_if("ease").value_or(0);
    carry.strength = request.number_if("strength").value_or(1);
    if (carry.ease < 0) {
        throw UsageError(fmt::format("'ease' is {}; expected 0 frames or more.", carry.ease));
    }
    return carry;
}

/// The frames round the edited ones that change; one farther on either side the change is nothing.
EditWindow EditRoom::window_of(const Carry& carry, const std::vector<int>& edited) const {
    EditWindow window{.ease_in = carry.ease, .ease_out = carry.ease};
    if (carry.before) window.first = double{1} * edited.front() - *carry.before;
    if (carry.after) window.last = double{1} * edited.back() + *carry.after;
    if (carry.ease > 0) {
        window.first = std::max(window.first, 0.0);
        window.last = std::min<double>(window.last, require_open().content->facts().n_frames - 1);
    }
    return window;
}

Answer EditRoom::carry(const Request& request) {
    const Item item = require_open();
    const Carry carry = read_carry(request);
    const std::vector<int> edited = frames_.edited();
    if (edited.empty()) throw InvalidInput("No frame is edited yet; there is nothing to carry.");
    const EditOptions options{.strength = carry.strength, .window = window_of(carry, edited)};
    services_.jobs.start("edit.carry", [this, item, body = body_, options,
                                        keys = frames_.keys()](const JobContext& context) {
        const TriangleMesh& mesh = *item.content->body(body).mesh;
        context.progress(0, 0, "factoring");
        EditOperator frames(item.content->play(body), mesh.triangles, keys, options);
        Json warnings = Json::array();
        for (const std::string& warning : frames.key_warnings()) warnings.push_back(warning);
        const Item made = make_sequence(frames, mesh,
                                        {.stem = item.name + "-edited",
                                         .made_by = "edit",
                                         .frame_rate = item.content->facts().frame_rate},
                                        context, services_.workspace);
        for (const std::string& warning : sequence_warnings(frames.report())) {
            warnings.push_back(warning);
        }
        post([this, of = item.number, number = made.number] {
            if (!item_ || item_->number != of) return;
            result_ = number;
            tell();
        });
        return Json{{"item", made.number}, {"warnings", std::move(warnings)}};
    });
    carry_ = carry;
    return Json::object();
}

Json EditRoom::description(int frame, const std::string& mesh_name) const {
    const auto frames = [](const std::optional<int>& n) { return n ? Json(*n) : Json(); };
    return {{"sequence", item_->name},
            {"body", item_->content->body(body_).name},
            {"frame", frame},
            {"edited", mesh_name},
            {"window", {{"before", frames(carry_.before)}, {"after", frames(carry_.after)}}},
            {"ease", carry_.ease},
            {"strength", carry_.strength}};
}

/// The frame as a mesh, and what was asked of carrying it beside it.
void EditRoom::write_edit(const fs::path& path, int frame, bool overwrite) const {
    (void)mesh_format_of(path);
    const fs::path beside = description_path(path);
    check_output(beside, {.overwrite = overwrite});
    TriangleMesh edited = mesh();
    edited.positions = *frames_.now(frame);
    write_mesh(path, edited, {.overwrite = overwrite});
    write_file(beside, description(frame, path.filename().string()).dump(2) + "\n",
               {.overwrite = overwrite});
}

Answer EditRoom::save(const Request& request) {
    (void)require_open();
    const RootedPath place{request.integer("root"), request.text("path")};
    Roots& roots = services_.workspace.roots();
    const fs::path path = roots.writable(place);
    (void)roots.writable({place.root, description_path(place.path).string()});
    write_edit(path, frame_, request.flag("overwrite"));
    frames_.mark_saved(frame_);
    Json answer = tell();
    answer["files"] = {place.path, beside(place, description_path(path)).path};
    return answer;
}

std::vector<std::string> EditRoom::keep_unsaved(const fs::path& folder) {
    std::vector<std::string> names;
    for (const int frame : frames_.unsaved()) {
        names.push_back(fmt::format("edited-{:04}.obj", frame));
        write_edit(folder / names.back(), frame, true);
    }
    return names;
}

Json EditRoom::tell() {
    const Json state = state_json();
    services_.hub.publish("edit", state);
    return state;
}

Json EditRoom::state_json() const {
    if (!item_) {
        return {{"item", nullptr},   {"frame", nullptr},  {"edited", Json::array()},
                {"handle", nullptr}, {"can_undo", false}, {"can_redo", false},
                {"result", nullptr}};
    }
    Json handle = nullptr;
    if (selection_) {
        const double falloff = selection_->options.falloff;
        handle = {{"vertices", selection_->vertices},
                  {"falloff", std::isfinite(falloff) ? Json(falloff) : Json()},
                  {"mode", selection_->options.mode == HandleMode::Arap ? "arap" : "smooth"}};
    }
    return {{"item", item_->number},
            {"body", body_},
            {"frame", frame_},
            {"edited", frames_.edited()},
            {"handle", std::move(handle)},
            {"can_undo", frames_.can_undo()},
            {"can_redo", frames_.can_redo()},
            {"result", result_ ? Json(*result_) : Json()}};
}

}  // namespace toile::studio
