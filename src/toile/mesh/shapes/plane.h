// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// How a flat shape lies in space; y is up.
enum class Plane {
    Horizontal,  ///< in xz, normal +y: the pattern's (u, v) goes to (u, 0, -v)
    Upright,     ///< in xy, normal +z: the pattern's (u, v) goes to (u, v, 0)
};

/// The point in space of a point of the flat pattern, both in metres.
inline Vec3 on_plane(Plane plane, const Vec2& uv) {
    return plane == Plane::Horizontal ? Vec3(uv.x(), 0, -uv.y()) : Vec3(uv.x(), uv.y(), 0);
}

}  // namespace toile
