// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/body_track.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace toile::detail {

/// Vertex data of one body in one frame, as it lies in a GLB.
struct GlbPiece {
    long long offset = 0;  ///< of positions; normals follow
    Vec3 min = Vec3::Zero();
    Vec3 max = Vec3::Zero();
};

struct GlbBody {
    BodyTrack track;
    std::optional<std::vector<Vec2>> uvs;  ///< of vertices; nothing where there is no such
    std::vector<float> base;               ///< positions of frame 0
    std::vector<float> base_normals;       ///< empty without normals
    std::vector<GlbPiece> pieces;          ///< of every frame, or of frame 0
};

struct GlbSizes {
    int n_frames = 0;
    double frame_rate = 0;
    long long vertex_bytes = 0;
    long long other_bytes = 0;
};

/// The JSON of a GLB whose buffer holds the pieces of all bodies, then the UVs (where there are)
/// and triangles of each body, then, where anything moves, times and weights.
std::string glb_document(std::span<const GlbBody> bodies, const GlbSizes& sizes);

/// The one UV of every vertex; nothing where a vertex has none or several.
std::optional<std::vector<Vec2>> vertex_uvs(const TriangleMesh& mesh);

}  // namespace toile::detail
