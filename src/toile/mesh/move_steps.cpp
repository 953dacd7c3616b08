// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/move_steps.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

namespace toile {
namespace {

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
    throw InvalidInput(fmt::format("Expected {}, found '{}'.", expected, found));
}

bool parse_finite(std::string_view text, double& out_value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out_value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(out_value);
}

// The numbers between commas; none where a part is no finite number.
std::vector<double> parse_list(std::string_view text) {
    std::vector<double> values;
    while (true) {
        const size_t comma = text.find(',');
        double value = 0;
        if (!parse_finite(text.substr(0, comma), value)) return {};
        values.push_back(value);
        if (comma == std::string_view::npos) return values;
        text.remove_prefix(comma + 1);
    }
}

Vec3 parse_vector(std::string_view text, std::string_view expected) {
    const std::vector<double> values = parse_list(text);
    if (values.size() != 3) refuse(expected, text);
    return {values[0], values[1], values[2]};
}

Transform about(const Vec3& center, const Transform& transform) {
    return Transform{.translation = center} * transform * Transform{.translation = -center};
}

Transform parse_rotation(std::string_view text) {
    const std::string_view expected =
        "a rotation as AXIS,DEGREES with the axis x, y, z or three numbers";
    const size_t comma = text.rfind(',');
    double degrees = 0;
    if (comma == std::string_view::npos || !parse_finite(text.substr(comma + 1), degrees)) {
        refuse(expected, text);
    }
    const std::string_view axis = text.substr(0, comma);
    if (axis == "x" || axis == "y" || axis == "z") {
        return {.rotation = rotation_about_axis(Vec3::Unit(axis[0] - 'x'), radians(degrees))};
    }
    const std::vector<double> v = parse_list(axis);
    if (v.size() != 3) refuse(expected, text);
    return {.rotation = rotation_about_axis({v[0], v[1], v[2]}, radians(degrees))};
}

Transform parse_scale(std::string_view text) {
    double factor = 0;
    if (!parse_finite(text, factor) || !(factor > 0)) refuse("a scale above 0", text);
    return {.scale = factor};
}

}  // namespace

Transform compose_moves(std::span<const MoveStep> steps) {
    Transform all;
    Vec3 center = Vec3::Zero();
    for (const MoveStep& step : steps) {
        switch (step.kind) {
            case MoveKind::Translate:
                all = Transform{.translation = parse_vector(step.value, "a translation as X,Y,Z")} *
                      all;
                break;
            case MoveKind::Rotate:
                all = about(center, parse_rotation(step.value)) * all;
                break;
            case MoveKind::Scale:
                all = about(center, parse_scale(step.value)) * all;
                break;
            case MoveKind::About:
                center = parse_vector(step.value, "a point as X,Y,Z");
                break;
        }
    }
    return all;
}

}  // namespace toile
