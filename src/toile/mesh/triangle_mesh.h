// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// A name for every triangle, as OBJ's `g` or `usemtl`: `names[of_triangle[t]]`, -1 for none.
struct TriangleNames {
    std::vector<std::string> names;
    std::vector<int> of_triangle;  ///< empty, or n_triangles indices into `names`

    [[nodiscard]] bool empty() const { return of_triangle.empty(); }
};

/// A triangle mesh as plain arrays. Vertex order is that of the file or of the caller, for ever.
struct TriangleMesh {
    std::vector<Vec3> positions;      ///< n_vertices, metres
    std::vector<Triangle> triangles;  ///< n_triangles, indices into `positions`

    std::vector<Vec2> uvs;               ///< texture coordinates, or empty
    std::vector<Triangle> uv_triangles;  ///< empty, or n_triangles indices into `uvs`
    TriangleNames objects;               ///< as OBJ's `o`
    TriangleNames groups;
    TriangleNames materials;
    std::string material_library;       ///< as OBJ's `mtllib`, or empty
    std::vector<Vec3> triangle_colors;  ///< sRGB red, green, blue in [0, 1]; empty, or n_triangles

    /// Polygon of the file each triangle was cut from; empty where all were triangles. Triangles of
    /// one polygon are consecutive and fan from its first corner, so the polygon can be put
    /// together again.
    std::vector<int> polygon_of_triangle;

    [[nodiscard]] int n_vertices() const { return static_cast<int>(positions.size()); }
    [[nodiscard]] int n_triangles() const { return static_cast<int>(triangles.size()); }
    [[nodiscard]] bool has_uvs() const { return !uv_triangles.empty(); }
};

}  // namespace toile
