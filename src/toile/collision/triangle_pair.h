// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>
#include <span>

namespace toile {

/// Whether two triangles of one surface cross: share any point beyond their common vertices and the
/// edge between them. Exact, also without area. Vertices are the same where their indices are:
/// different vertices at one place touch, and that is a crossing.
bool triangles_cross(std::span<const Vec3> positions, const Triangle& a, const Triangle& b);

}  // namespace toile
