// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/transform.h"

#include "toile/core/error.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace toile {

Transform Transform::inverse() const {
    Transform result;
    result.rotation = rotation.transpose();
    result.scale = 1 / scale;
    result.translation = -result.scale * (result.rotation * translation);
    return result;
}

Transform operator*(const Transform& outer, const Transform& inner) {
    Transform result;
    result.rotation = outer.rotation * inner.rotation;
    result.scale = outer.scale * inner.scale;
    result.translation = outer(inner.translation);
    return result;
}

Mat3 rotation_about_axis(const Vec3& axis, double angle) {
    const double length = axis.stableNorm();
    if (!(length > 0) || !axis.allFinite()) {
        throw InvalidInput(
            fmt::format("A rotation needs an axis of finite length above 0; found "
                        "({}, {}, {}).",
                        axis.x(), axis.y(), axis.z()));
    }
    return Eigen::AngleAxisd(angle, axis / length).toRotationMatrix();
}

Mat3 rotation_from_euler_xyz(const Vec3& angles) {
    const Eigen::AngleAxisd about_x(angles.x(), Vec3::UnitX());
    const Eigen::AngleAxisd about_y(angles.y(), Vec3::UnitY());
    const Eigen::AngleAxisd about_z(angles.z(), Vec3::UnitZ());
    return (about_z * about_y * about_x).toRotationMatrix();
}

Mat3 rotation_from_quaternion(double w, const Vec3& xyz) {
    const Eigen::Quaterniond q(w, xyz.x(), xyz.y(), xyz.z());
    if (!(q.norm() > 0) || !q.coeffs().allFinite()) {
        throw InvalidInput(
            fmt::format("A rotation needs a quaternion (w, x, y, z) of finite length "
                        "above 0; found ({}, {}, {}, {}).",
                        w, xyz.x(), xyz.y(), xyz.z()));
    }
    return q.normalized().toRotationMatrix();
}

void transform_points(const Transform& transform, std::span<Vec3> positions) {
    for (Vec3& p : positions) p = transform(p);
}

}  // namespace toile
