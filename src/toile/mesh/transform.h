// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>

namespace toile {

/// x -> scale * rotation * x + translation; the identity by default.
struct Transform {
    Mat3 rotation = Mat3::Identity();  ///< orthonormal, determinant +1
    Vec3 translation = Vec3::Zero();   ///< metres
    double scale = 1;                  ///< above 0

    [[nodiscard]] Vec3 operator()(const Vec3& x) const {
        return scale * (rotation * x) + translation;
    }
    [[nodiscard]] Transform inverse() const;
};

/// `(outer * inner)(x)` is `outer(inner(x))`.
Transform operator*(const Transform& outer, const Transform& inner);

/// Rotation by `angle` radians about `axis` (any length), by the right-hand rule. Throws
/// InvalidInput where the axis is zero or not finite.
Mat3 rotation_about_axis(const Vec3& axis, double angle);

/// Rotation about the fixed x axis, then the fixed y axis, then the fixed z axis, by these radians.
Mat3 rotation_from_euler_xyz(const Vec3& angles);

/// Rotation of a quaternion (w, x, y, z) of any length but zero.
Mat3 rotation_from_quaternion(double w, const Vec3& xyz);

constexpr double radians(double degrees) {
    return degrees * 0.017453292519943295;
}

/// Moves every point in place.
void transform_points(const Transform& transform, std::span<Vec3> positions);

}  // namespace toile
