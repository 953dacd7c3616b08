// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/continuous.h"

namespace toile {

/// Certificates that a straight motion keeps two parts more than `min_separation` (metres) apart:
/// all points of one lie beyond all points of the other along one fixed direction, at the start and
/// at the end, hence always. Rounding included, as in `point_triangle_hit`. False says nothing.

/// Along the given direction, of any length, from the first part (the point) to the second.
bool point_triangle_separated_along(const Vec3& direction, const StencilMotion& motion,
                                    double min_separation);
bool edge_edge_separated_along(const Vec3& direction, const StencilMotion& motion,
                               double min_separation);

/// Along the axes, or the direction of the closest features at the start or at the end.
bool point_triangle_plane_separates(const StencilMotion& motion, double min_separation);
bool edge_edge_plane_separates(const StencilMotion& motion, double min_separation);

}  // namespace toile
