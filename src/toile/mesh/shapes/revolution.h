// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>

namespace toile {

/// The closed surface that a profile sweeps round the y axis. `profile` holds (radius, y) in
/// metres, from a point on the axis (radius exactly 0) to another; all points between have a radius
/// above 0. Triangles look outwards where the profile goes upwards on the outside. Vertex 0 is the
/// first pole, then come rings of `segments` vertices, then the last pole. Segment 0 stands at +x,
/// the next towards -z. Throws InvalidInput for a profile of under 3 points or with other radii, or
/// for fewer than 3 segments.
TriangleMesh make_revolution(std::span<const Vec2> profile, int segments);

}  // namespace toile
