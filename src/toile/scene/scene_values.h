// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene_keys.h"

#include <string>
#include <vector>

namespace toml {
inline namespace v3 {
class node;
}
}  // namespace toml

namespace toile {

/// What is wrong with a value: `message` goes on from the key's name; `node` is the part of the
/// value at fault, or null for all of it.
struct SceneValueError {
    std::string message;
    const toml::node* node = nullptr;
};

/// Reads one value of TOML into `out` and checks type and range; throws SceneValueError.
void read_scene_value(const toml::node& node, const KeyDescription& key, double& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, int& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, bool& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, std::string& out);
void read_scene_value(const toml::node& node, const KeyDescription& key,
                      std::filesystem::path& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, Vec3& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, AxisAngle& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, Box& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, ShapeSpec& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, std::vector<int>& out);
void read_scene_value(const toml::node& node, const KeyDescription& key, std::vector<Vec3>& out);
void read_scene_value(const toml::node& node, const KeyDescription& key,
                      std::vector<std::string>& out);

template <class T>
void read_scene_value(const toml::node& node, const KeyDescription& key, std::optional<T>& out) {
    read_scene_value(node, key, out.emplace());
}

}  // namespace toile
