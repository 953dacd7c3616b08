// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// Signs of determinants of the given doubles, exact for every finite input. A floating filter
/// [Shewchuk97, §4] answers nearly always in a few nanoseconds; the rest goes to exact arithmetic
/// (about a microsecond). Undefined for infinite or NaN coordinates.

/// Sign of the volume of a b c d: 1 where d lies on the side of triangle a b c from which it looks
/// clockwise, -1 on the other side, 0 in its plane.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Sign of the area of a b c without coordinate `axis` (the other two in cyclic order): 1 for
/// counter-clockwise, 0 for points on a line.
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

/// Whether three points lie on one line (equal points do).
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace toile
