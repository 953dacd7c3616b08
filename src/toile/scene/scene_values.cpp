// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_values.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace toile {
namespace {

/// The value as it stands in the file, short enough for a message.
std::string found(const toml::node& node) {
    constexpr size_t kLongest = 60;
    if (node.is_floating_point()) return fmt::format("{}", *node.value<double>());
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    std::string words = text.str();
    std::replace(words.begin(), words.end(), '\n', ' ');
    if (words.size() > kLongest) words = words.substr(0, kLongest) + "...";
    return words;
}

[[noreturn]] void fail_type(const toml::node& node, const std::string& expected) {
    throw SceneValueError{fmt::format("is {}; expected {}.", found(node), expected), &node};
}

std::string range_words(const KeyDescription& key) {
    const char* bound = key.above_min ? "above" : "at least";
    if (std::isinf(key.max)) return fmt::format("{} {}", bound, key.min);
    return fmt::format("{} {} and at most {}", bound, key.min, key.max);
}

void check_range(const toml::node& node, const KeyDescription& key, double value) {
    const bool low = key.above_min ? !(value > key.min) : value < key.min;
    if (low || value > key.max) fail_type(node, range_words(key));
}

/// The elements of a list of `size` values (any number where 0).
const toml::array& list(const toml::node& node, size_t size, const std::string& expected) {
    const toml::array* array = node.as_array();
    if (!array || (size > 0 && array->size() != size)) fail_type(node, expected);
    return *array;
}

double finite_number(const toml::node& node, const std::string& expected) {
    if (!node.is_number()) fail_type(node, expected);
    const double value = *node.value<double>();
    if (!std::isfinite(value)) fail_type(node, "a finite number");
    return value;
}

std::string text(const toml::node& node, const std::string& expected) {
    const auto* value = node.as_string();
    if (!value) fail_type(node, expected);
    return value->get();
}

ShapeValue shape_value(const toml::node& node) {
    if (node.is_string()) return text(node, "a text");
    const toml::array* array = node.as_array();
    if (!array) return finite_number(node, "a number, a text or a list of numbers");
    std::vector<double> numbers;
    for (const toml::node& element : *array) numbers.push_back(finite_number(element, "numbers"));
    return numbers;
}

/// Type and parameters must be in the catalogue; their values are checked when the shape is made.
void check_shape_names(const toml::node& node, const ShapeSpec& shape) {
    try {
        const ShapeDescription& description = find_shape(shape.type);
        for (const auto& [name, value] : shape.parameters) find_parameter(description, name);
    } catch (const InvalidInput& e) {
        throw SceneValueError{fmt::format("is no shape: {}", e.what()), &node};
    }
}

}  // namespace

void read_scene_value(const toml::node& node, const KeyDescription& key, double& out) {
    out = finite_number(node, key.unit.empty() ? "a number" : "a number in " + key.unit);
    check_range(node, key, out);
}

void read_scene_value(const toml::node& node, const KeyDescription& key, int& out) {
    const auto* value = node.as_integer();
    if (!value) fail_type(node, "a whole number");
    if (value->get() > std::numeric_limits<int>::max() ||
        value->get() < std::numeric_limits<int>::min()) {
        fail_type(node, "a whole number below 2^31");
    }
    out = static_cast<int>(value->get());
    check_range(node, key, out);
}

void read_scene_value(const toml::node& node, const KeyDescription&, bool& out) {
    if (!node.is_boolean()) fail_type(node, "true or false");
    out = node.as_boolean()->get();
}

void read_scene_value(const toml::node& node, const KeyDescription& key, std::string& out) {
    out = text(node, "a text in quotes");
    if (key.choices.empty()) return;
    if (std::find(key.choices.begin(), key.choices.end(), out) == key.choices.end()) {
        throw SceneValueError{
            fmt::format("is '{}'; expected {}.{}", out, fmt::join(key.choices, ", "),
                        did_you_mean(out, key.choices)),
            &node};
    }
}

void read_scene_value(const toml::node& node, const KeyDescription&, std::filesystem::path& out) {
    out = text(node, "a path in quotes");
    if (out.empty()) fail_type(node, "a path that is not empty");
}

void read_scene_value(const toml::node& node, const KeyDescription& key, Vec3& out) {
    const std::string expected = "three numbers, as [0, 1, 0]";
    const toml::array& values = list(node, 3, expected);
    for (int i = 0; i < 3; ++i) {
        const toml::node& component = values[static_cast<size_t>(i)];
        out[i] = finite_number(component, expected);
        check_range(component, key, out[i]);
    }
}

void read_scene_value(const toml::node& node, const KeyDescription&, AxisAngle& out) {
    const std::string expected = "an axis and degrees, as [0, 1, 0, 90]";
    const toml::array& values = list(node, 4, expected);
    for (int i = 0; i < 3; ++i) {
        out.axis[i] = finite_number(values[static_cast<size_t>(i)], expected);
    }
    out.degrees = finite_number(values[3], expected);
    if (out.degrees != 0 && out.axis.isZero(0)) {
        fail_type(node, "an axis that is not [0, 0, 0]");
    }
}

void read_scene_value(const toml::node& node, const KeyDescription& key, Box& out) {
    const toml::array& corners = list(node, 2, "two corners, as [[0, 0, 0], [1, 1, 1]]");
    read_scene_value(corners[0], key, out.min);
    read_scene_value(corners[1], key, out.max);
    if ((out.min.array() > out.max.array()).any()) {
        fail_type(node, "the corner with the smaller coordinates first");
    }
}

void read_scene_value(const toml::node& node, const KeyDescription&, ShapeSpec& out) {
    const std::string expected = "a table, as { type = \"rectangle\", width = 1, length = 1 }";
    const toml::table* table = node.as_table();
    if (!table || !table->contains("type")) fail_type(node, expected);
    for (auto&& [name, value] : *table) {
        if (name.str() == "type") {
            out.type = text(value, "the name of a shape in quotes");
        } else {
            out.parameters[std::string(name.str())] = shape_value(value);
        }
    }
    check_shape_names(node, out);
}

void read_scene_value(const toml::node& node, const KeyDescription& key, std::vector<int>& out) {
    out.clear();
    for (const toml::node& element : list(node, 0, "a list of whole numbers, as [0, 70]")) {
        read_scene_value(element, key, out.emplace_back());
    }
}

void read_scene_value(const toml::node& node, const KeyDescription& key, std::vector<Vec3>& out) {
    out.clear();
    for (const toml::node& element : list(node, 0, "a list of points, as [[0, 1, 0], [1, 1, 0]]")) {
        read_scene_value(element, key, out.emplace_back());
    }
}

void read_scene_value(const toml::node& node, const KeyDescription&,
                      std::vector<std::string>& out) {
    out.clear();
    for (const toml::node& element : list(node, 0, "a list of texts, as [\"cotton\", \"wood\"]")) {
        out.push_back(text(element, "a text in quotes"));
    }
}

}  // namespace toile
