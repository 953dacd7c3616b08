// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/simulate_room.h"

#include "studio/rooms/frame_log.h"
#include "studio/server/item_loader.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_schema.h"
#include "toile/sim/run_record.h"
#include "toile/sim/trace_files.h"

#include <fmt/format.h>

#include <utility>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

const char* state_name(SimState state) {
    switch (state) {
        case SimState::None:
            return "none";
        case SimState::Paused:
            return "paused";
        case SimState::Playing:
            return "playing";
        case SimState::Failed:
            return "failed";
    }
    return "";
}

Json failure_json(const std::optional<SimFailure>& failure) {
    if (!failure) return nullptr;
    Json points = Json::array();
    for (const Vec3& point : failure->points) points.push_back({point.x(), point.y(), point.z()});
    return {{"message", failure->message}, {"vertices", failure->vertices}, {"points", points}};
}

Json grab_json(const std::optional<SimGrab>& grab) {
    if (!grab) return nullptr;
    return {{"body", grab->body}, {"vertex", grab->vertex}};
}

/// As the frame's line in frames.jsonl.
Json report_json(const std::optional<FrameReport>& report) {
    if (!report) return nullptr;
    return Json::parse(frame_json_line(*report, 0));
}

std::unique_ptr<FrameFields> fields_of(const std::shared_ptr<const World>& world) {
    std::vector<FieldBody> bodies;
    const auto n_cloths = world->cloths().size();
    for (int b = 0; b < world->surface().n_bodies(); ++b) {
        FieldBody& body = bodies.emplace_back();
        body.mesh = {world, &world->mesh(b)};
        const auto index = static_cast<size_t>(b);
        if (index < n_cloths) body.cloth = {world, &world->cloths()[index].cloth};
        body.obstacle = index >= n_cloths;
    }
    return std::make_unique<FrameFields>(std::move(bodies), true);
}

FieldFrame field_frame(const SimSnapshot& snapshot, const SimSnapshot& start) {
    FieldFrame frame;
    for (int b = 0; b < snapshot.world->surface().n_bodies(); ++b) {
        frame.positions.push_back(snapshot.of_body(b, snapshot.positions));
        frame.start.push_back(snapshot.of_body(b, start.positions));
        frame.velocities.push_back(snapshot.of_body(b, snapshot.velocities));
    }
    return frame;
}

bool moves(const World& world, size_t obstacle) {
    const ObstacleSetup& setup = world.scene().obstacles[obstacle];
    return !setup.keyframes.empty() || !setup.pieces.empty() || !setup.frames.path.empty();
}

Json or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json setting_json(const SceneSetting& setting) {
    return {{"path", setting.path},
            {"group", setting.group},
            {"label", setting.label},
            {"help", setting.help},
            {"unit", setting.unit},
            {"type", setting_type_name(setting.type)},
            {"minimum", or_null(setting.minimum)},
            {"above_minimum", setting.above_minimum},
            {"maximum", or_null(setting.maximum)},
            {"choices", setting.choices},
            {"value", Json::parse(setting.value)},
            {"default", Json::parse(setting.default_value)}};
}

}  // namespace

SimulateRoom::SimulateRoom(Services services)
    : services_(services),
      simulation_(std::make_unique<Simulation>([this] { post([this] { on_changed(); }); })) {
    services_.workspace.on_close([this](int item) { post([this, item] { item_closed(item); }); });
}

std::vector<RequestEntry> SimulateRoom::requests() {
    return {{"sim.open", [this](const Request& request) { return open(request); }},
            {"sim.play", [this](const Request&) { return play(); }},
            {"sim.pause", [this](const Request&) { return pause(); }},
            {"sim.step", [this](const Request&) { return step(); }},
            {"sim.rewind", [this](const Request&) { return rewind(); }},
            {"sim.latest", [this](const Request& request) { return latest(request); }},
            {"sim.trace", [this](const Request& request) { return keep_trace(request); }},
            {"sim.grab", [this](const Request& request) { return grab(request); }},
            {"sim.drag", [this](const Request& request) { return drag(request); }, true},
            {"sim.drop", [this](const Request&) { return drop(); }},
            {"sim.schema", [this](const Request&) { return schema(); }},
            {"sim.change", [this](const Request& request) { return change(request); }},
            {"sim.text", [this](const Request&) { return text(); }},
            {"sim.save", [this](const Request& request) { return save(request); }},
            {"sim.keep", [this](const Request&) { return keep(); }},
            {"log", [this](const Request& request) { return log(request); }},
            {"trace", [this](const Request& request) { return trace(request); }}};
}

// The scene and its world ------------------------------------------------------------------------

Answer SimulateRoom::open(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    if (item.kind != ItemKind::Scene) {
        throw UsageError(
            fmt::format("'{}' is no scene; only a scene can be simulated.", item.name));
    }
    const fs::path path = item.content->facts().source;
    Scene scene = load_scene(path);
    std::swap(scene, scene_);
    try {
        make_world();
    } catch (...) {
        std::swap(scene, scene_);
        tell();  // it rests now
        throw;
    }
    item_ = item.number;
    item_name_ = item.name;
    scene_path_ = path;
    unsaved_changes_ = false;
    show_world();
    return tell();
}

/// Makes the world of the scene as it is now; where that fails, all stays as it was.
void SimulateRoom::make_world() {
    const fs::path run = services_.workspace.scratch_path("simulation", "");
    simulation_->open(scene_, run);
    end_run();
    run_ = run;
    changed_ = false;
    grabbed_by_ = 0;
    start_ = simulation_->latest();
    fields_ = fields_of(start_->world);
}

/// Gives the item the world's bodies, where they are others than it has.
void SimulateRoom::show_world() {
    services_.workspace.update(*item_, [&](Item& item) {
        ItemContent::Facts facts = scene_facts(scene_);
        facts.source = scene_path_;
        item.content = std::make_shared<const ItemContent>(std::move(facts));
        ++item.revision;
    });
}

/// Forgets the run that there was, unless an item shows it.
void SimulateRoom::end_run() {
    std::error_code ignored;
    if (!run_.empty() && !run_is_kept_) fs::remove_all(run_, ignored);
    run_is_kept_ = false;
}

void SimulateRoom::remake_if_changed() {
    require_scene();
    if (!changed_ || simulation_->latest()->frame != 0) return;
    make_world();
    show_world();
}

void SimulateRoom::require_scene() const {
    if (!item_) throw InvalidInput("No scene is being simulated; open one first.");
}

Answer SimulateRoom::play() {
    remake_if_changed();
    simulation_->play();
    return tell();
}

Answer SimulateRoom::pause() {
    simulation_->pause();
    answer_waiting();
    return tell();
}

Answer SimulateRoom::step() {
    remake_if_changed();
    simulation_->step();
    return tell();
}

Answer SimulateRoom::rewind() {
    require_scene();
    if (changed_) {
        make_world();
        show_world();
    } else {
        const fs::path run = services_.workspace.scratch_path("simulation", "");
        simulation_->rewind(run);
        end_run();
        run_ = run;
        grabbed_by_ = 0;
    }
    answer_waiting();
    return tell();
}

// What pages see ---------------------------------------------------------------------------------

void SimulateRoom::on_changed() {
    answer_waiting();
    tell();
}

Json SimulateRoom::tell() {
    Json state = state_json();
    services_.hub.publish("sim", state);
    return state;
}

Json SimulateRoom::state_json() const {
    const SimStatus status = simulation_->status();
    const auto now = simulation_->latest();
    return {{"item", item_ ? Json(*item_) : Json(nullptr)},
            {"state", state_name(status.state)},
            {"frame", now ? now->frame : 0},
            {"time", now ? now->time : 0.0},
            {"frames", scene_.settings.frames},
            {"fps", scene_.settings.frame_rate},
            {"number", now ? now->number : 0},
            {"changed", changed_},
            {"grabbed", grab_json(status.grab)},
            {"report", report_json(now ? now->report : std::nullopt)},
            {"failure", failure_json(status.failure)}};
}

Answer SimulateRoom::latest(const Request& request) {
    const std::vector<std::string> fields = request.texts("fields");
    const int after = request.integer_if("after").value_or(0);
    const auto now = simulation_->latest();
    if (now && now->number > after) return frame_message(*now, fields);
    waiting_.push_back({request.responder, fields, after, request.client});
    answer_waiting();
    return Later{};
}

/// All whose state has come, or cannot come soon.
void SimulateRoom::answer_waiting() {
    const auto now = simulation_->latest();
    const bool rests = simulation_->rests();
    std::vector<Waiting> rest;
    for (Waiting& one : waiting_) {
        try {
            if (now && now->number > one.after) {
                one.responder.binary(frame_message(*now, one.fields));
            } else if (rests) {
                one.responder.ok(Json{{"same", true}});
            } else {
                rest.push_back(std::move(one));
            }
        } catch (const std::exception& e) {
            one.responder.error(e);
        }
    }
    waiting_ = std::move(rest);
}

BinaryMessage SimulateRoom::frame_message(const SimSnapshot& snapshot,
                                          const std::vector<std::string>& fields) {
    BinaryMessage message;
    message.header["state"] = snapshot.number;
    message.header["frame"] = snapshot.frame;
    message.header["time"] = snapshot.time;
    const FieldFrame frame = field_frame(snapshot, *start_);
    const auto n_cloths = snapshot.world->cloths().size();
    Json bodies = Json::array();
    for (size_t b = 0; b < frame.positions.size(); ++b) {
        Json body = {{"body", b}};
        if (b < n_cloths || moves(*snapshot.world, b - n_cloths)) {
            body["positions"] = message.add_points(frame.positions[b]);
        }
        Json values = fields_->add(fields, b, frame, message);
        if (!values.empty()) body["fields"] = std::move(values);
        if (body.size() > 1) bodies.push_back(std::move(body));
    }
    message.header["bodies"] = std::move(bodies);
    return message;
}

Answer SimulateRoom::keep_trace(const Request& request) {
    simulation_->keep_traces(request.flag("on"));
    return Json::object();
}

Answer SimulateRoom::log(const Request& request) {
    if (!request.has("item")) return frame_log(run_.empty() ? fs::path() : run_ / "frames.jsonl");
    const Item item = services_.workspace.item(request.integer("item"));
    const fs::path& run = item.content->facts().run;
    if (run.empty()) throw InvalidInput(fmt::format("'{}' is no run; it has no log.", item.name));
    return frame_log(run / "frames.jsonl");
}

Answer SimulateRoom::trace(const Request& request) {
    if (request.has("item")) {
        const Item item = services_.workspace.item(request.integer("item"));
        const int frame = request.integer("frame");
        const fs::path& run = item.content->facts().run;
        const fs::path path = trace_path(run, frame);
        if (run.empty() || !fs::exists(path)) {
            throw InvalidInput(fmt::format("'{}' has no trace of frame {}.", item.name, frame));
        }
        if (item.root >= 0) services_.workspace.roots().refuse_foreign(path);
        return JsonText{read_bytes(path)};
    }
    const auto now = simulation_->latest();
    const int frame = request.integer_if("frame").value_or(now ? now->frame : 0);
    if (!now || !now->trace || now->frame != frame) {
        throw InvalidInput(
            fmt::format("No trace of frame {} was kept: it was made before one was asked for. "
                        "Step on, or rewind and play.",
                        frame));
    }
    return JsonText{trace_json(*now->world, now->frame, *now->trace)};
}

// Hands on the cloth -----------------------------------------------------------------------------

Answer SimulateRoom::grab(const Request& request) {
    simulation_->grab(request.integer("body"), request.integer("vertex"));
    grabbed_by_ = request.client;
    return tell();
}

Answer SimulateRoom::drag(const Request& request) {
    simulation_->drag(request.vector("point"));
    return Json::object();
}

Answer SimulateRoom::drop() {
    simulation_->drop();
    grabbed_by_ = 0;
    return tell();
}

/// Its scene is no longer there to be seen: nothing plays on unseen.
void SimulateRoom::item_closed(int item) {
    if (item_ != item) return;
    simulation_->pause();
    item_.reset();
    answer_waiting();
    tell();
}

void SimulateRoom::client_left(int client) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.client == client; });
    if (grabbed_by_ != client) return;
    drop();
}

// Changes of the scene ---------------------------------------------------------------------------

Answer SimulateRoom::schema() {
    require_scene();
    Json settings = Json::array();
    for (const SceneSetting& setting : scene_settings(scene_)) {
        settings.push_back(setting_json(setting));
    }
    return Json{{"keys", settings}};
}

Answer SimulateRoom::change(const Request& request) {
    require_scene();
    const std::string path = request.text("path");
    if (!request.body.contains("value")) throw UsageError("'sim.change' needs 'value'.");
    scene_ = with_setting(scene_, path, json_text(request.body.at("value")));
    changed_ = true;
    unsaved_changes_ = true;
    return tell();
}

Answer SimulateRoom::text() {
    require_scene();
    return Json{{"text", scene_text(scene_, scene_path_.parent_path())}};
}

Answer SimulateRoom::save(const Request& request) {
    require_scene();
    const RootedPath place{request.integer("root"), request.text("path")};
    const fs::path target = services_.workspace.roots().writable(place);
    if (target.extension() != ".toml") {
        throw UsageError(fmt::format("A scene is saved as .toml, not '{}'.", place.path));
    }
    write_file(target, scene_text(scene_, target.parent_path()),
               {.overwrite = request.flag("overwrite")});
    unsaved_changes_ = false;
    return tell();
}

Answer SimulateRoom::keep() {
    require_scene();
    Item run = load_item(run_);
    run.name = fmt::format("{} simulated", item_name_);
    run.made_by = "simulate";
    run.unsaved = true;
    run_is_kept_ = true;
    return item_json(services_.workspace.add(std::move(run)));
}

std::vector<std::string> SimulateRoom::keep_unsaved(const fs::path& folder) {
    simulation_->close();
    std::vector<std::string> kept;
    const auto now = simulation_->latest();
    if (now && now->frame > 0) kept.push_back(run_.filename().string());
    if (unsaved_changes_) {
        kept.emplace_back("scene.toml");
        write_file(folder / kept.back(), scene_text(scene_, folder), {.overwrite = true});
    }
    return kept;
}

}  // namespace toile::studio
