// SPDX-License-Identifier: Apache-2.0
#include "toile/render/studio_light.h"

#include <Eigen/Geometry>

#include <cmath>

namespace toile {
namespace {

constexpr float kKeyRadius = 0.10F;  // radians; soft as a large window
constexpr double kKeyHeight = 1.15;  // of the key light, over one unit towards the camera's side
constexpr double kKeyLeft = 0.75;
constexpr double kKeyFront = 0.55;

}  // namespace

StudioLight studio_light(const Camera& camera, const Vec3& up) {
    const CameraAxes axes = camera_axes(camera);
    const Vec3 unit_up = up.normalized();
    // From above, the picture's top takes the place of the direction of view.
    Vec3 back = -axes.forward + axes.forward.dot(unit_up) * unit_up;
    if (back.norm() < 0.1) back = -axes.up + axes.up.dot(unit_up) * unit_up;
    back.normalize();
    const Vec3 left = back.cross(unit_up);
    const Vec3 to_key = (kKeyHeight * unit_up + kKeyLeft * left + kKeyFront * back).normalized();

    StudioLight light;
    light.key = frame_around(to_key.cast<float>());
    light.key_cosine = std::cos(kKeyRadius);
    light.key_color = 1.F * Color(1.F, 0.95F, 0.87F);
    light.up = unit_up.cast<float>();
    const Color zenith = 0.56F * Color(0.90F, 0.97F, 1.08F);
    const Color nadir = 0.26F * Color(1.06F, 1.F, 0.93F);
    light.level = 0.5F * (zenith + nadir);
    light.gradient = 0.5F * (zenith - nadir);
    return light;
}

}  // namespace toile
