// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// A turn about an axis (any length but zero, unless degrees is 0) through the pivot of what turns.
/// More than 180 degrees are kept: 720 is two turns.
struct AxisAngle {
    Vec3 axis = {0, 1, 0};
    double degrees = 0;

    bool operator==(const AxisAngle&) const = default;
};

/// Unit axis × radians; zero where degrees is 0.
Vec3 rotation_vector(const AxisAngle& rotation);

/// The rotation of a rotation vector [Rodrigues]; exactly the identity for the zero vector.
Mat3 rotation_matrix(const Vec3& rotation_vector);

/// Where a body is at a time, relative to its place at the start of the scene.
struct Keyframe {
    double time = 0;               ///< s
    Vec3 translation = {0, 0, 0};  ///< m
    AxisAngle rotation = {};

    bool operator==(const Keyframe&) const = default;
};

/// x ↦ rotation (x - pivot) + pivot + translation.
struct RigidDisplacement {
    Mat3 rotation = Mat3::Identity();
    Vec3 translation = {0, 0, 0};

    [[nodiscard]] Vec3 apply(const Vec3& x, const Vec3& pivot) const {
        return rotation * (x - pivot) + pivot + translation;
    }
    /// Where `apply` has come from.
    [[nodiscard]] Vec3 undo(const Vec3& x, const Vec3& pivot) const {
        return rotation.transpose() * (x - pivot - translation) + pivot;
    }
    [[nodiscard]] bool is_identity() const {
        return rotation == Mat3::Identity() && translation.isZero(0);
    }
    bool operator==(const RigidDisplacement&) const = default;
};

/// A path through keyframes without jerks. Translation and rotation vector go, component by
/// component, along quintic Hermite pieces whose acceleration is zero at every key and whose
/// velocity is zero at the first and the last, so that position, velocity and acceleration are
/// continuous; before the first and after the last key all stands still. A component never leaves
/// the range between its two keys: the slope at a key is the weighted harmonic mean of its
/// neighbours' [Fritsch84], at most twice the smaller.
/// The rotation vector, not the shortest arc, is what is interpolated: several turns about one axis
/// are several turns.
class KeyframePath {
  public:
    KeyframePath() = default;
    /// Times must rise strictly.
    explicit KeyframePath(std::span<const Keyframe> keys);

    [[nodiscard]] bool stands_still() const { return times_.size() < 2; }
    /// The identity where there are no keys.
    [[nodiscard]] RigidDisplacement at(double time) const;

  private:
    using Pose = Eigen::Matrix<double, 6, 1>;  // translation, rotation vector

    [[nodiscard]] Pose pose_at(double time) const;

    std::vector<double> times_;
    std::vector<Pose> poses_;
    std::vector<Pose> slopes_;  // per second, at the keys
};

/// A velocity that holds from a time on, until the next piece begins.
struct VelocityPiece {
    double time = 0;            ///< s
    Vec3 velocity = {0, 0, 0};  ///< m/s

    bool operator==(const VelocityPiece&) const = default;
};

/// The way made at a velocity that is constant piece by piece; none before the first piece, and the
/// last one for ever.
class VelocityPath {
  public:
    VelocityPath() = default;
    /// Times must rise strictly. `constant` (m/s) is added from time 0 on.
    VelocityPath(std::span<const VelocityPiece> pieces, const Vec3& constant);

    [[nodiscard]] bool stands_still() const;
    /// From time 0 to `time`, m; exactly zero at time 0.
    [[nodiscard]] Vec3 way(double time) const;

  private:
    [[nodiscard]] Vec3 way_in_pieces(double time) const;

    Vec3 constant_ = {0, 0, 0};
    std::vector<VelocityPiece> pieces_;
    std::vector<Vec3> ways_;  // from the first piece's time to each piece's
    Vec3 way_at_zero_ = {0, 0, 0};
};

}  // namespace toile
