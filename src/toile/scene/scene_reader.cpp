// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_keys.h"
#include "toile/scene/scene_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

namespace toile {
namespace {

using Words = std::vector<std::string>;

class SceneReader {
  public:
    explicit SceneReader(const std::filesystem::path& path) : path_(path) {}

    Scene read(const std::string& text);

  private:
    template <class S>
    void read_keys(const toml::table& table, S& out);
    template <class S>
    void read_section(const toml::table& parent, const char* name, S& out);
    template <class T, class Read>
    void read_list(const toml::table& parent, const std::string& name, const Read& read_one,
                   std::vector<T>& out);
    template <class S>
    Words key_names() const;
    void refuse_unknown_keys(const toml::table& table, const std::string& section,
                             const Words& known) const;

    void read_settings(const toml::table& root, SceneSettings& out);
    void refuse_wrong_surface(const toml::table& table, const BodySetup& body,
                              bool has_frames) const;
    void read_body(const toml::table& table, const std::string& default_material, BodySetup& out);
    ClothSetup read_cloth(const toml::table& table);
    ObstacleSetup read_obstacle(const toml::table& table);
    PinSetup read_pin(const toml::table& table);
    FrictionSetup read_friction(const toml::table& table);
    template <class T>
    void read_timed(const toml::table& table, const char* name, std::vector<T>& out);
    void read_frames(const toml::table& table, FramesSetup& out);
    void make_absolute(std::filesystem::path& inout_path) const;
    [[nodiscard]] SourcePlace place_of(const toml::node& node) const;
    void refuse_unknown_material(const toml::table& table, const FrictionSetup& friction,
                                 const Scene& scene) const;

    [[noreturn]] void fail(const toml::node& at, const std::string& message) const {
        const auto place = at.source().begin;
        throw InvalidInput(
            fmt::format("{}:{}:{}: {}", path_.string(), place.line, place.column, message));
    }
    [[noreturn]] void fail_at_key(const toml::table& table, const char* key,
                                  const std::string& message) const {
        const toml::node* node = table.get(key);
        fail(node ? *node : table, message);
    }

    std::filesystem::path path_;
    std::set<std::string> names_;
    double frame_rate_ = 0;  // the scene's, once read
};

void SceneReader::make_absolute(std::filesystem::path& inout_path) const {
    if (inout_path.empty() || !inout_path.is_relative()) return;
    inout_path = (std::filesystem::absolute(path_).parent_path() / inout_path).lexically_normal();
}

SourcePlace SceneReader::place_of(const toml::node& node) const {
    return {fmt::format("{}:{}", path_.string(), node.source().begin.line)};
}

template <class S>
Words SceneReader::key_names() const {
    Words names;
    for (const SceneKey<S>& key : scene_keys<S>()) names.push_back(key.description.name);
    return names;
}

template <class S>
void SceneReader::read_keys(const toml::table& table, S& out) {
    for (const SceneKey<S>& key : scene_keys<S>()) {
        const KeyDescription& description = key.description;
        const toml::node* node = table.get(description.name);
        if (!node) {
            if (description.required) {
                fail(table,
                     fmt::format("Key '{}' is missing: {}", description.name, description.doc));
            }
            continue;
        }
        const auto read = [&](auto member) { read_scene_value(*node, description, out.*member); };
        try {
            std::visit(read, key.member);
        } catch (const SceneValueError& e) {
            fail(e.node ? *e.node : *node, fmt::format("Key '{}' {}", description.name, e.message));
        }
    }
}

void SceneReader::refuse_unknown_keys(const toml::table& table, const std::string& section,
                                      const Words& known) const {
    for (auto&& [key, node] : table) {
        const std::string word(key.str());
        if (std::find(known.begin(), known.end(), word) != known.end()) continue;
        throw InvalidInput(fmt::format("{}:{}:{}: '{}' is not a key of {}.{} Known keys: {}.",
                                       path_.string(), key.source().begin.line,
                                       key.source().begin.column, word, section,
                                       did_you_mean(word, known), fmt::join(known, ", ")));
    }
}

template <class S>
void SceneReader::read_section(const toml::table& parent, const char* name, S& out) {
    const toml::node* node = parent.get(name);
    if (!node) return;
    const toml::table* table = node->as_table();
    if (!table)
        fail(*node, fmt::format("'{}' must be a table: write [{}] above its keys.", name, name));
    refuse_unknown_keys(*table, fmt::format("[{}]", name), key_names<S>());
    read_keys(*table, out);
}

template <class T, class Read>
void SceneReader::read_list(const toml::table& parent, const std::string& name,
                            const Read& read_one, std::vector<T>& out) {
    const toml::node* node = parent.get(name);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array) {
        fail(*node, fmt::format("'{}' must be a list of tables: write [[{}]], with two brackets, "
                                "above each.",
                                name, name));
    }
    for (const toml::node& element : *array) {
        const toml::table* table = element.as_table();
        if (!table) fail(element, fmt::format("'{}' holds something that is not a table.", name));
        out.push_back(read_one(*table));
    }
}

void SceneReader::read_settings(const toml::table& root, SceneSettings& out) {
    read_section(root, "scene", out);
    if (!out.duration) return;
    const toml::table& table = *root.get_as<toml::table>("scene");
    if (table.contains("frames")) {
        fail_at_key(table, "duration", "Only one of 'frames' and 'duration' may be given.");
    }
    const double frames = std::round(*out.duration * out.frame_rate);
    if (frames < 1 || frames > std::numeric_limits<int>::max()) {
        fail_at_key(table, "duration",
                    fmt::format("'duration' of {} s is {} frames at {} a second; expected at least "
                                "one and fewer than 2^31.",
                                *out.duration, frames, out.frame_rate));
    }
    out.frames = static_cast<int>(frames);
    out.duration.reset();
}

void SceneReader::read_body(const toml::table& table, const std::string& default_material,
                            BodySetup& out) {
    if (!is_body_name(out.name)) {
        fail_at_key(table, "name",
                    fmt::format("'{}' cannot name files; {}.", out.name, kBodyNameRule));
    }
    if (!names_.insert(out.name).second) {
        fail_at_key(table, "name", fmt::format("A second body is called '{}'.", out.name));
    }
    make_absolute(out.mesh);
    if (out.material.empty()) out.material = default_material;
}

/// A body has one surface, from one place; that of a body with frames may be in these.
void SceneReader::refuse_wrong_surface(const toml::table& table, const BodySetup& body,
                                       bool has_frames) const {
    if (body.shape && !body.mesh.empty()) {
        fail_at_key(table, "shape",
                    fmt::format("'{}' needs either 'mesh' or 'shape', not both.", body.name));
    }
    if (body.shape && has_frames) {
        fail_at_key(table, "shape",
                    fmt::format("'{}' takes its surface from its frames, or a 'mesh' that goes "
                                "with them; 'shape' does not go with them.",
                                body.name));
    }
    if (!body.shape && body.mesh.empty() && !has_frames) {
        fail_at_key(table, "name", fmt::format("'{}' needs either 'mesh' or 'shape'.", body.name));
    }
}

ClothSetup SceneReader::read_cloth(const toml::table& table) {
    Words known = key_names<ClothSetup>();
    for (const std::string& word : key_names<Fabric>()) known.push_back(word);
    known.push_back("pin");
    refuse_unknown_keys(table, "[[cloth]]", known);
    ClothSetup cloth;
    read_keys(table, cloth);
    Fabric named;
    if (const toml::node* fabric = table.get("fabric")) {
        try {
            named = named_fabric(fabric->value_or(std::string()));
        } catch (const InvalidInput& e) {
            fail(*fabric, e.what());
        }
    } else {
        named = named_fabric(named.name);
    }
    cloth.fabric = named;
    read_keys(table, cloth.fabric);
    read_body(table, cloth.fabric.name, cloth);
    refuse_wrong_surface(table, cloth, false);
    read_list(
        table, "pin", [&](const toml::table& pin) { return read_pin(pin); }, cloth.pins);
    return cloth;
}

ObstacleSetup SceneReader::read_obstacle(const toml::table& table) {
    Words known = key_names<ObstacleSetup>();
    known.insert(known.end(), {"keyframe", "piece", "frames"});
    refuse_unknown_keys(table, "[[obstacle]]", known);
    ObstacleSetup obstacle;
    obstacle.source = place_of(table);
    read_keys(table, obstacle);
    read_body(table, "rigid", obstacle);
    read_frames(table, obstacle.frames);
    refuse_wrong_surface(table, obstacle, !obstacle.frames.path.empty());
    if (!obstacle.pivot) obstacle.pivot = obstacle.translation;
    read_timed(table, "piece", obstacle.pieces);
    read_timed(table, "keyframe", obstacle.keyframes);
    return obstacle;
}

PinSetup SceneReader::read_pin(const toml::table& table) {
    Words known = key_names<PinSetup>();
    known.insert(known.end(), {"keyframe", "piece"});
    refuse_unknown_keys(table, "[[cloth.pin]]", known);
    PinSetup pin;
    pin.source = place_of(table);
    read_keys(table, pin);
    if (pin.vertices.empty() && pin.positions.empty() && !pin.box) {
        fail(table, "A pin needs 'vertices', 'positions' or 'box' to say which vertices it holds.");
    }
    if (pin.end && !(*pin.end > pin.start)) {
        fail_at_key(table, "end",
                    fmt::format("The pin ends at {} s and starts at {} s; expected an end after "
                                "the start.",
                                *pin.end, pin.start));
    }
    read_timed(table, "piece", pin.pieces);
    read_timed(table, "keyframe", pin.keyframes);
    return pin;
}

/// Keyframes or pieces, whose times must rise.
template <class T>
void SceneReader::read_timed(const toml::table& table, const char* name, std::vector<T>& out) {
    const auto read_one = [&](const toml::table& element) {
        refuse_unknown_keys(element, fmt::format("a {}", name), key_names<T>());
        T key;
        read_keys(element, key);
        if (!out.empty() && !(key.time > out.back().time)) {
            fail_at_key(element, "time",
                        fmt::format("The {} at {} s follows one at {} s; times must rise.", name,
                                    key.time, out.back().time));
        }
        return key;
    };
    read_list(table, name, read_one, out);
}

void SceneReader::read_frames(const toml::table& table, FramesSetup& out) {
    if (table.contains("frames")) out.rate = frame_rate_;
    read_section(table, "frames", out);
    make_absolute(out.path);
}

FrictionSetup SceneReader::read_friction(const toml::table& table) {
    refuse_unknown_keys(table, "[[friction]]", key_names<FrictionSetup>());
    FrictionSetup friction;
    read_keys(table, friction);
    if (friction.between.empty() || friction.between.size() > 2) {
        fail_at_key(table, "between",
                    fmt::format("'between' names {} materials; expected one or two.",
                                friction.between.size()));
    }
    return friction;
}

void SceneReader::refuse_unknown_material(const toml::table& table, const FrictionSetup& friction,
                                          const Scene& scene) const {
    Words known;
    for (const ClothSetup& cloth : scene.cloths) known.push_back(cloth.material);
    for (const ObstacleSetup& obstacle : scene.obstacles) known.push_back(obstacle.material);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const std::string& material : friction.between) {
        if (std::binary_search(known.begin(), known.end(), material)) continue;
        fail_at_key(table, "between",
                    fmt::format("No body is of material '{}'.{} Materials of the scene: {}.",
                                material, did_you_mean(material, known), fmt::join(known, ", ")));
    }
}

Scene SceneReader::read(const std::string& text) {
    toml::table root;
    try {
        root = toml::parse(std::string_view(text), std::string_view("scene"));
    } catch (const toml::parse_error& e) {
        throw InvalidInput(fmt::format("{}:{}:{}: {}.", path_.string(), e.source().begin.line,
                                       e.source().begin.column, e.description()));
    }
    refuse_unknown_keys(root, "a scene",
                        {"scene", "air", "solver", "cloth", "obstacle", "friction", "expect"});
    Scene scene;
    read_settings(root, scene.settings);
    frame_rate_ = scene.settings.frame_rate;
    read_section(root, "air", scene.air);
    read_section(root, "solver", scene.solver);
    if (root.contains("expect")) read_section(root, "expect", scene.expect.emplace());
    const auto read_one_cloth = [&](const toml::table& table) { return read_cloth(table); };
    const auto read_one_obstacle = [&](const toml::table& table) { return read_obstacle(table); };
    const auto read_one_friction = [&](const toml::table& table) {
        FrictionSetup friction = read_friction(table);
        refuse_unknown_material(table, friction, scene);
        return friction;
    };
    read_list(root, "cloth", read_one_cloth, scene.cloths);
    read_list(root, "obstacle", read_one_obstacle, scene.obstacles);
    read_list(root, "friction", read_one_friction, scene.friction);
    if (scene.cloths.empty()) {
        throw InvalidInput(
            fmt::format("{}:1: The scene has no [[cloth]]; nothing would move.", path_.string()));
    }
    return scene;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::filesystem::path& path) {
    return SceneReader(path).read(text);
}

Scene load_scene(const std::filesystem::path& path) {
    if (is_environment_folder(path)) return load_environment(path);
    if (std::filesystem::is_directory(path)) {
        throw IoError(
            fmt::format("{} is a folder without bodies/body_list; expected a scene file "
                        "or the folder of an environment.",
                        path.string()));
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) throw IoError(fmt::format("{}: The scene cannot be opened.", path.string()));
    std::ostringstream text;
    text << in.rdbuf();
    return parse_scene(text.str(), path);
}

}  // namespace toile
