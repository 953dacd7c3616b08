// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_schema.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_keys.h"
#include "toile/scene/scene_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace toile {
namespace {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {
    using Value = T;
};

/// Types of values that a form can show; the others are places and lists.
template <class T>
constexpr bool kHasForm =
    std::same_as<T, double> || std::same_as<T, int> || std::same_as<T, bool> ||
    std::same_as<T, std::string> || std::same_as<T, Vec3> || std::same_as<T, AxisAngle> ||
    std::same_as<T, std::optional<double>> || std::same_as<T, std::optional<Vec3>>;

/// What names a body or says the same as another key is no setting.
bool is_setting(const KeyDescription& key) {
    return !key.input_only && !(key.required && key.name == "name") && key.name != "between";
}

struct ValueJson {
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(int value) const { return fmt::format("{}", value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string& value) const {
        std::string out = "\"";
        for (const char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            if (static_cast<unsigned char>(c) < 0x20) {
                out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            } else {
                out += c;
            }
        }
        return out + '"';
    }
    std::string operator()(const Vec3& v) const {
        return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    std::string operator()(const AxisAngle& r) const {
        return fmt::format("[{}, {}, {}, {}]", r.axis[0], r.axis[1], r.axis[2], r.degrees);
    }
    template <class T>
    std::string operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : "null";
    }
};

template <class T>
SettingType type_of(const KeyDescription& key) {
    if constexpr (IsOptional<T>::value) return type_of<typename IsOptional<T>::Value>(key);
    if constexpr (std::same_as<T, double>) return SettingType::Number;
    if constexpr (std::same_as<T, int>) return SettingType::Integer;
    if constexpr (std::same_as<T, bool>) return SettingType::Boolean;
    if constexpr (std::same_as<T, std::string>) {
        return key.choices.empty() ? SettingType::Text : SettingType::Choice;
    }
    return SettingType::Vector;
}

/// `stretch_warp` as `Stretch warp`.
std::string label_of(const std::string& name) {
    std::string label = name;
    for (char& c : label) c = c == '_' ? ' ' : c;
    if (label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 'a' + 'A');
    return label;
}

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Calls visit(prefix, group, section, defaults) for every section of a scene.
template <class SceneT, class Visit>
void for_each_section(SceneT& scene, const Visit& visit) {
    visit("scene.", "scene", scene.settings, SceneSettings{});
    visit("air.", "air", scene.air, AirSettings{});
    visit("solver.", "solver", scene.solver, SolverSettings{});
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        auto& cloth = scene.cloths[c];
        const std::string path = fmt::format("cloth.{}.", c);
        visit(path, cloth.name, cloth, ClothSetup{});
        visit(path + "fabric.", cloth.name, cloth.fabric, named_fabric(cloth.fabric.name));
        for (size_t p = 0; p < cloth.pins.size(); ++p) {
            visit(fmt::format("{}pin.{}.", path, p), fmt::format("{}: pin {}", cloth.name, p),
                  cloth.pins[p], PinSetup{});
        }
    }
    for (size_t o = 0; o < scene.obstacles.size(); ++o) {
        auto& obstacle = scene.obstacles[o];
        const std::string path = fmt::format("obstacle.{}.", o);
        visit(path, obstacle.name, obstacle, ObstacleSetup{});
        if (obstacle.frames.path.empty()) continue;
        visit(path + "frames.", obstacle.name, obstacle.frames, FramesSetup{});
    }
    for (size_t f = 0; f < scene.friction.size(); ++f) {
        const auto& between = scene.friction[f].between;
        visit(fmt::format("friction.{}.", f), fmt::format("friction: {}", fmt::join(between, ", ")),
              scene.friction[f], FrictionSetup{});
    }
}

std::vector<std::string> choices_of(const KeyDescription& key, bool of_fabric) {
    if (!of_fabric || key.name != "fabric") return key.choices;
    std::vector<std::string> names;
    for (const Fabric& fabric : named_fabrics()) names.push_back(fabric.name);
    return names;
}

template <class S, class T>
SceneSetting describe(const SceneKey<S>& key, const T& value, const T& default_value) {
    KeyDescription about = key.description;
    about.choices = choices_of(about, std::same_as<S, Fabric>);
    SceneSetting setting;
    setting.label = label_of(about.name);
    setting.help = about.doc;
    setting.unit = about.unit;
    setting.type = type_of<T>(about);
    setting.minimum = finite(about.min);
    setting.maximum = finite(about.max);
    setting.above_minimum = about.above_min;
    setting.choices = about.choices;
    setting.value = ValueJson()(value);
    setting.default_value = ValueJson()(default_value);
    return setting;
}

/// Reads `text` into `out`; throws SceneValueError.
template <class T>
void read_setting(const std::string& text, const KeyDescription& key, T& out) {
    if constexpr (IsOptional<T>::value) {
        if (text == "null") {
            out.reset();
            return;
        }
    }
    const toml::table table =
        toml::parse(std::string_view("value = " + text), std::string_view("value"));
    const toml::node* const node = table.get("value");
    if (!node || table.size() != 1) throw SceneValueError{"must be one value."};
    read_scene_value(*node, key, out);
}

template <class S, class T>
void change(const std::string& path, const std::string& text, const SceneKey<S>& key, T& out) {
    try {
        read_setting(text, key.description, out);
    } catch (const SceneValueError& e) {
        throw InvalidInput(fmt::format("Key '{}' {}", path, e.message));
    } catch (const toml::parse_error&) {
        throw InvalidInput(
            fmt::format("Key '{}' cannot be {}; expected a value as in TOML or "
                        "JSON: a number, true or false, a text in quotes, or a "
                        "list of numbers.",
                        path, text));
    }
}

bool has_friction_of(const Scene& scene, const std::string& material) {
    return std::any_of(scene.friction.begin(), scene.friction.end(), [&](const FrictionSetup& f) {
        return std::find(f.between.begin(), f.between.end(), material) != f.between.end();
    });
}

/// The name was changed: take the fabric's numbers, and its name as material where that was so,
/// unless the friction table speaks of the old one.
void take_named_fabric(const Scene& scene, const std::string& before, ClothSetup& cloth) {
    if (cloth.fabric.name == before) return;
    cloth.fabric = named_fabric(cloth.fabric.name);
    if (cloth.material == before && !has_friction_of(scene, before)) {
        cloth.material = cloth.fabric.name;
    }
}

/// What the reader says of the scene as a whole; its places are those of a text nobody sees, in a
/// folder that need not exist.
void check_whole(const Scene& scene, const std::string& path) {
    const std::filesystem::path folder = "/scene";
    try {
        (void)parse_scene(scene_text(scene, folder), folder / "scene.toml");
    } catch (const InvalidInput& e) {
        const std::string words = e.what();
        const size_t place = words.find(": ");
        throw InvalidInput(fmt::format(
            "Key '{}': {}", path, place == std::string::npos ? words : words.substr(place + 2)));
    }
}

}  // namespace

std::string setting_type_name(SettingType type) {
    switch (type) {
        case SettingType::Number:
            return "number";
        case SettingType::Integer:
            return "integer";
        case SettingType::Boolean:
            return "boolean";
        case SettingType::Text:
            return "text";
        case SettingType::Choice:
            return "choice";
        case SettingType::Vector:
            return "vector";
    }
    return "text";
}

std::vector<SceneSetting> scene_settings(const Scene& scene) {
    std::vector<SceneSetting> settings;
    const auto add = [&]<class S>(const std::string& prefix, const std::string& group,
                                  const S& section, const S& defaults) {
        for (const SceneKey<S>& key : scene_keys<S>()) {
            if (!is_setting(key.description)) continue;
            const auto add_one = [&]<class T>(T S::*member) {
                if constexpr (kHasForm<T>) {
                    SceneSetting setting = describe(key, section.*member, defaults.*member);
                    setting.path = prefix + key.description.name;
                    setting.group = group;
                    settings.push_back(std::move(setting));
                }
            };
            std::visit(add_one, key.member);
        }
    };
    for_each_section(scene, add);
    return settings;
}

Scene with_setting(const Scene& scene, const std::string& path, const std::string& value) {
    Scene changed = scene;
    std::vector<std::string> known;
    bool found = false;
    const auto try_section = [&]<class S>(const std::string& prefix, const std::string&, S& section,
                                          const S&) {
        for (const SceneKey<S>& key : scene_keys<S>()) {
            if (!is_setting(key.description)) continue;
            const auto try_one = [&]<class T>(T S::*member) {
                if constexpr (kHasForm<T>) {
                    known.push_back(prefix + key.description.name);
                    if (known.back() != path) return;
                    found = true;
                    change(path, value, key, section.*member);
                }
            };
            std::visit(try_one, key.member);
        }
    };
    for_each_section(changed, try_section);
    if (!found) {
        throw InvalidInput(
            fmt::format("'{}' is no setting of this scene.{}", path, did_you_mean(path, known)));
    }
    for (size_t c = 0; c < changed.cloths.size(); ++c) {
        take_named_fabric(scene, scene.cloths[c].fabric.name, changed.cloths[c]);
    }
    check_whole(changed, path);
    return changed;
}

}  // namespace toile
