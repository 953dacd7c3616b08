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

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTurn = 0.62;   // of a three-quarter view to the side, per unit towards the front
constexpr double kRaise = 0.52;  // and up
constexpr double kParallel = 1e-6;  // sine of the angle below which two axes count as one
constexpr double kLeastDistance =
    0.1;  // of a camera, in depths of the scene (metres if it has none)

const std::array<std::pair<std::string_view, View>, 5> kViews = {
    {{"front", View::Front},
     {"side", View::Side},
     {"top", View::Top},
     {"three-quarter", View::ThreeQuarter},
     {"three-quarter-left", View::ThreeQuarterLeft}}};

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
            return (front + kTurn * side + kRaise * unit_up).normalized();
        case View::ThreeQuarterLeft:
            return (front - kTurn * side + kRaise * unit_up).normalized();
    }
    return front;
}

void CameraFraming::Wedge::add(double x, double z) {
    right = std::max(right, x - slope * z);
    left = std::max(left, -x - slope * z);
}

CameraFraming::CameraFraming(const Framing& framing)
    : framing_(framing),
      axes_(camera_axes({framing.to_camera, Vec3::Zero(), framing.up, framing.vertical_fov})),
      nearest_(kInfinity),
      farthest_(-kInfinity) {
    require_valid(framing.size);
    if (!(framing.filled > 0 && framing.filled <= 1)) {
        throw InvalidInput("The filled part of a picture must lie in (0, 1].");
    }
    const double slope = framing.filled * std::tan(0.5 * framing.vertical_fov);
    horizontal_ = {slope * framing.size.width / framing.size.height, -kInfinity, -kInfinity};
    vertical_ = {slope, -kInfinity, -kInfinity};
}

void CameraFraming::add(const Vec3& point) {
    const double z = axes_.forward.dot(point);
    horizontal_.add(axes_.right.dot(point), z);
    vertical_.add(axes_.up.dot(point), z);
    nearest_ = std::min(nearest_, z);
    farthest_ = std::max(farthest_, z);
}

void CameraFraming::add(std::span<const Vec3> points) {
    for (const Vec3& p : points) {
        if (!finite(p)) {
            throw InvalidInput(
                "A scene with positions that are not finite numbers cannot be framed.");
        }
        add(p);
    }
}

Camera CameraFraming::camera() const {
    if (nearest_ > farthest_) {
        CameraFraming origin(framing_);
        origin.add(Vec3(Vec3::Zero()));
        return origin.camera();
    }
    const double extent = farthest_ > nearest_ ? farthest_ - nearest_ : 1;
    const double depth =
        std::min({horizontal_.depth(), vertical_.depth(), nearest_ - kLeastDistance * extent});
    const double middle = 0.5 * (nearest_ + farthest_);
    const Vec3 from =
        horizontal_.center() * axes_.right + vertical_.center() * axes_.up + depth * axes_.forward;
    return {from, from + (middle - depth) * axes_.forward, framing_.up, framing_.vertical_fov};
}

Camera frame_points(std::span<const Vec3> points, const Framing& framing) {
    CameraFraming camera_framing(framing);
    camera_framing.add(points);
    return camera_framing.camera();
}

}  // namespace toile
