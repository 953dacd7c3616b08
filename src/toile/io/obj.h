// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"

namespace toile {

/// Reads Wavefront OBJ: v, vt, f (also negative and not yet defined indices), o, g, usemtl and
/// mtllib; comments, continued lines and any line ends. Polygons become fans from their first
/// corner. What is dropped (normals, smoothing, lines, points, vertex weights and colours, unknown
/// statements) is told to the log, once for each kind. Where only some faces have texture
/// coordinates, the others get one more (0, 0), with a warning. [OBJ]
TriangleMesh read_obj(std::string_view bytes, const std::string& file_name);

/// Writes vertices, texture coordinates, names and polygons; numbers in the shortest form that
/// reads back to the same bits.
std::string write_obj(const TriangleMesh& mesh, const MeshWriteOptions& options);

}  // namespace toile
