// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

namespace toile {

struct SphereOptions {
    double radius = 0.5;         ///< metres
    int subdivisions = 3;        ///< halvings of the icosahedron's edges: 20 * 4^n triangles
    Vec3 center = Vec3::Zero();  ///< metres
};

/// A sphere of nearly equal triangles: a subdivided icosahedron whose vertices lie on the sphere.
/// Closed, looks outwards. Throws InvalidInput unless the radius is above 0 and subdivisions lie in
/// [0, 8].
TriangleMesh make_sphere(const SphereOptions& options);

struct UvSphereOptions {
    double radius = 0.5;         ///< metres
    int segments = 32;           ///< meridians, 3 or more
    int rings = 16;              ///< bands from pole to pole, 2 or more
    Vec3 center = Vec3::Zero();  ///< metres
};

/// A sphere of meridians and parallels with its poles on the y axis. Closed, looks outwards.
TriangleMesh make_uv_sphere(const UvSphereOptions& options);

}  // namespace toile
