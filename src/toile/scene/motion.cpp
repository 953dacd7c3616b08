// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/motion.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

/// Slope at a key between two pieces of lengths h0, h1 and slopes d0, d1; zero at an extremum.
double slope_at_key(double h0, double h1, double d0, double d1) {
    if (d0 * d1 <= 0) return 0;
    const double w0 = 2 * h1 + h0;
    const double w1 = h1 + 2 * h0;
    const double harmonic = (w0 + w1) / (w0 / d0 + w1 / d1);
    const double limit = 2 * std::min(std::abs(d0), std::abs(d1));
    return std::clamp(harmonic, -limit, limit);
}

}  // namespace

Vec3 rotation_vector(const AxisAngle& rotation) {
    if (rotation.degrees == 0) return Vec3::Zero();
    return rotation.axis.normalized() * (rotation.degrees * std::numbers::pi / 180);
}

Mat3 rotation_matrix(const Vec3& rotation_vector) {
    const double angle = rotation_vector.norm();
    if (angle == 0) return Mat3::Identity();
    return Eigen::AngleAxisd(angle, rotation_vector / angle).toRotationMatrix();
}

KeyframePath::KeyframePath(std::span<const Keyframe> keys) {
    for (const Keyframe& key : keys) {
        times_.push_back(key.time);
        Pose pose;
        pose << key.translation, rotation_vector(key.rotation);
        poses_.push_back(pose);
    }
    slopes_.assign(keys.size(), Pose::Zero());
    for (size_t k = 1; k + 1 < keys.size(); ++k) {
        const double h0 = times_[k] - times_[k - 1];
        const double h1 = times_[k + 1] - times_[k];
        const Pose d0 = (poses_[k] - poses_[k - 1]) / h0;
        const Pose d1 = (poses_[k + 1] - poses_[k]) / h1;
        for (int i = 0; i < 6; ++i) slopes_[k][i] = slope_at_key(h0, h1, d0[i], d1[i]);
    }
}

KeyframePath::Pose KeyframePath::pose_at(double time) const {
    if (time <= times_.front()) return poses_.front();
    if (time >= times_.back()) return poses_.back();
    const auto after = std::upper_bound(times_.begin(), times_.end(), time);
    const auto k = static_cast<size_t>(after - times_.begin()) - 1;
    const double h = times_[k + 1] - times_[k];
    const double s = (time - times_[k]) / h;
    const double s3 = s * s * s;
    const double value_end = s3 * (10 + s * (-15 + 6 * s));
    const double slope_start = s + s3 * (-6 + s * (8 - 3 * s));
    const double slope_end = s3 * (-4 + s * (7 - 3 * s));
    return poses_[k] + value_end * (poses_[k + 1] - poses_[k]) +
           h * (slope_start * slopes_[k] + slope_end * slopes_[k + 1]);
}

RigidDisplacement KeyframePath::at(double time) const {
    if (times_.empty()) return {};
    const Pose pose = pose_at(time);
    return {rotation_matrix(pose.tail<3>()), pose.head<3>()};
}

}  // namespace toile
