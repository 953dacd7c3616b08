// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

#include <array>

namespace toile {

struct BoxOptions {
    Vec3 size = Vec3::Ones();                  ///< metres along x, y, z
    std::array<int, 3> divisions = {1, 1, 1};  ///< cells along x, y, z
    Vec3 center = Vec3::Zero();                ///< metres
};

/// An axis-aligned box whose faces share the vertices of their edges. Closed, looks outwards; faces
/// -x, +x, -y, +y, -z, +z in turn, vertices in order of first use.
TriangleMesh make_box(const BoxOptions& options);

}  // namespace toile
