// SPDX-License-Identifier: Apache-2.0
#include "toile/render/camera.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace toile {
namespace {

constexpr double kParallel = 1e-6;  // sine of the angle below which two axes count as one
constexpr double kLeastDistance =
    0.1;  // of a camera, in depths of the scene (metres if it has none)

const std::array<std::pair<std::string_view, View>, 4> kViews = {
    {{"front", View::Front},
     {"side", View::Side},
     {"top", View::Top},
     {"three-quarter", View::ThreeQuarter}}};

bool finite(const Vec3& v) {
    return v.allFinite();
}

/// Unit vector across `axis`: the coordinate axis least along it, made perpendicular.
Vec3 any_across(const Vec3& axis) {
    int least = 0;
    axis.cwiseAbs().minCoeff(&least);
    return (Vec3::Unit(least) - axis[least] * axis).normalized();
}

void require_valid(const Camera& camera) {
    if (!finite(camera.from) || !finite(camera.to) || !finite(camera.up)) {
        throw InvalidInput(
            "The camera's position, target and up direction must be finite numbers.");
    }
    if (camera.from == camera.to) {
        throw InvalidInput("The camera stands on the point it looks at; move one of the two.");
    }
    if (camera.up.isZero(0)) throw InvalidInput("The camera's up direction is zero.");
    if (!(camera.vertical_fov > 0 && camera.vertical_fov < std::numbers::pi)) {
        throw InvalidInput(fmt::format("A field of view of {} degrees is not between 0 and 180.",
                                       camera.vertical_fov * 180 / std::numbers::pi));
    }
}

/// Centre and depth of the tightest wedge |x - centre| <= slope * (z - depth) round all points, x
/// along `across`, z along `forward`.
std::pair<double, double> tightest_wedge(std::span<const Vec3> points, const Vec3& across,
                                         const Vec3& forward, double slope) {
    double right = -std::numeric_limits<double>::infinity();
    double left = right;
    for (const Vec3& p : points) {
        const double x = across.dot(p);
        const double z = forward.dot(p);
        right = std::max(right, x - slope * z);
        left = std::max(left, -x - slope * z);
    }
    return {0.5 * (right - left), -0.5 * (right + left) / slope};
}

std::pair<double, double> depth_range(std::span<const Vec3> points, const Vec3& forward) {
    std::pair<double, double> range(std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity());
    for (const Vec3& p : points) {
        range.first = std::min(range.first, forward.dot(p));
        range.second = std::max(range.second, forward.dot(p));
    }
    return range;
}

}  // namespace

CameraAxes camera_axes(const Camera& camera) {
    require_valid(camera);
    const Vec3 forward = (camera.to - camera.from).normalized();
    const Vec3 across = forward.cross(camera.up.normalized());
    const Vec3 right = across.norm() > kParallel ? across.normalized() : any_across(forward);
    return {right, right.cross(forward), forward};
}

std::optional<Vec2> project(const Camera& camera, const ImageSize& size, const Vec3& point) {
    const CameraAxes axes = camera_axes(camera);
    const Vec3 d = point - camera.from;
    const double depth = axes.forward.dot(d);
    if (!(depth > 0)) return std::nullopt;
    const double pixels = 0.5 * size.height / std::tan(0.5 * camera.vertical_fov);
    return Vec2(0.5 * size.width + pixels * axes.right.dot(d) / depth,
                0.5 * size.height - pixels * axes.up.dot(d) / depth);
}

View parse_view(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& [known, view] : kViews) {
        if (known == name) return view;
        names.emplace_back(known);
    }
    throw InvalidInput(fmt::format("There is no view '{}'; expected {}.{}", name,
                                   fmt::join(names, ", "), did_you_mean(name, names)));
}

Vec3 direction_to_camera(View view, const Vec3& up) {
    if (!finite(up) || up.isZero(0))
        throw InvalidInput("The up direction must be finite and not zero.");
    const Vec3 unit_up = up.normalized();
    int main_axis = 0;
    unit_up.cwiseAbs().maxCoeff(&main_axis);
    const Vec3 front_guess = main_axis == 2 ? Vec3(0, -1, 0) : Vec3(0, 0, 1);
    const Vec3 front = (front_guess - front_guess.dot(unit_up) * unit_up).normalized();
    const Vec3 side = unit_up.cross(front);
    switch (view) {
        case View::Front:
            return front;
        case View::Side:
            return side;
        case View::Top:
            return (unit_up + 1e-4 * front).normalized();  // so that up stays defined
        case View::ThreeQuarter:
            return (front + 0.62 * side + 0.52 * unit_up).normalized();
    }
    return front;
}

Camera frame_points(std::span<const Vec3> points, const Framing& framing) {
    if (!std::ranges::all_of(points, finite)) {
        throw InvalidInput("A scene with positions that are not finite numbers cannot be framed.");
    }
    if (!(framing.filled > 0 && framing.filled <= 1)) {
        throw InvalidInput("The filled part of a picture must lie in (0, 1].");
    }
    const Vec3 origin = Vec3::Zero();
    if (points.empty()) points = std::span(&origin, 1);
    require_valid(framing.size);
    const CameraAxes axes =
        camera_axes({framing.to_camera, Vec3::Zero(), framing.up, framing.vertical_fov});
    const double vertical = framing.filled * std::tan(0.5 * framing.vertical_fov);
    const double horizontal = vertical * framing.size.width / framing.size.height;
    const auto [x, x_depth] = tightest_wedge(points, axes.right, axes.forward, horizontal);
    const auto [y, y_depth] = tightest_wedge(points, axes.up, axes.forward, vertical);
    const auto [nearest, farthest] = depth_range(points, axes.forward);
    const double extent = farthest > nearest ? farthest - nearest : 1;
    const double depth = std::min({x_depth, y_depth, nearest - kLeastDistance * extent});
    const double middle = 0.5 * (nearest + farthest);
    const Vec3 from = x * axes.right + y * axes.up + depth * axes.forward;
    return {from, from + (middle - depth) * axes.forward, framing.up, framing.vertical_fov};
}

}  // namespace toile
