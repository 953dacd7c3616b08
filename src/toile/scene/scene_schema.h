// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace toile {

enum class SettingType { Number, Integer, Boolean, Text, Choice, Vector };

/// One value of a scene as a form shows it, made from the table that the reader uses
/// (scene_keys.h).
struct SceneSetting {
    std::string path;   ///< `cloth.0.fabric.density`: section, number from 0, key
    std::string group;  ///< of the form: `scene`, or the name of a body
    std::string label;  ///< `Stretch warp`
    std::string help;   ///< a sentence
    std::string unit;   ///< empty for none
    SettingType type = SettingType::Number;
    std::optional<double> minimum, maximum;  ///< of every number of the value
    bool above_minimum = false;              ///< the minimum itself is not allowed
    std::vector<std::string> choices;        ///< of a Choice
    /// As JSON, which is TOML too: `0.2`, `true`, `"cotton"`, `[0, -9.81, 0]`; `null` where nothing
    /// is said and nothing is needed.
    std::string value;
    std::string default_value;
};

/// `number`, `integer`, `boolean`, `text`, `choice` or `vector`.
std::string setting_type_name(SettingType type);

/// All values that can be changed one by one, in the order of the file. Left out are what says
/// which body is meant (name, mesh, shape, frames' path) and lists of places: those are edited as
/// text.
std::vector<SceneSetting> scene_settings(const Scene& scene);

/// The scene with one value changed (JSON as above; `null` takes an optional value back), checked
/// as the reader checks it, also against all other values. Another fabric brings its own numbers.
/// Throws InvalidInput that names the path, the value found and the one expected, or the nearest
/// path where there is none of this name.
Scene with_setting(const Scene& scene, const std::string& path, const std::string& value);

}  // namespace toile
