// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// A vertex whose velocity is prescribed, wholly or in some directions [Baraff98, §5.3].
struct VelocityConstraint {
    int vertex = 0;
    Vec3 velocity = {0, 0, 0};  ///< m/s at the end of the step; counts in the other directions only
    Mat3 free_directions = Mat3::Zero();  ///< projection on what stays free; zero = all prescribed
};

/// Free to move along the line of direction `direction` (need not be of unit length) only.
inline Mat3 free_along(const Vec3& direction) {
    return direction * direction.transpose() / direction.squaredNorm();
}

/// Free to move in the plane of normal `normal` (need not be of unit length) only.
inline Mat3 free_across(const Vec3& normal) {
    return Mat3::Identity() - free_along(normal);
}

}  // namespace toile
