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

VelocityPath::VelocityPath(std::span<const VelocityPiece> pieces, const Vec3& constant)
    : constant_(constant), pieces_(pieces.begin(), pieces.end()) {
    Vec3 way = Vec3::Zero();
    for (size_t k = 0; k < pieces_.size(); ++k) {
        if (k > 0) way += (pieces_[k].time - pieces_[k - 1].time) * pieces_[k - 1].velocity;
        ways_.push_back(way);
    }
    way_at_zero_ = way_in_pieces(0);
}

bool VelocityPath::stands_still() const {
    return constant_.isZero(0) &&
           std::ranges::all_of(pieces_, [](const auto& p) { return p.velocity.isZero(0); });
}

Vec3 VelocityPath::way_in_pieces(double time) const {
    const auto is_after = [](double t, const VelocityPiece& piece) { return t < piece.time; };
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), time, is_after);
    if (after == pieces_.begin()) return Vec3::Zero();
    const auto k = static_cast<size_t>(after - pieces_.begin()) - 1;
    return ways_[k] + (time - pieces_[k].time) * pieces_[k].velocity;
}

Vec3 VelocityPath::way(double time) const {
    return (way_in_pieces(time) - way_at_zero_) + time * constant_;
}

}  // namespace toile
