// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <string>
#include <vector>

namespace toile {

/// One body of a film for other programs (io/glb.h, io/html_page.h).
struct BodyTrack {
    std::string name = {};
    TriangleMesh mesh = {};           ///< its triangles are those of every frame
    bool moves = true;                ///< false: only its first frame is kept
    Vec3 front = {0.25, 0.45, 0.75};  ///< sRGB in [0, 1], seen from outside
    Vec3 back = {0.85, 0.60, 0.35};
};

}  // namespace toile
