// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"

namespace toile {

/// Reads PLY 1.0: ASCII and binary in either byte order, properties of any type and order, polygons
/// as fans. Texture coordinates come from the vertex properties s t, u v, texture_u texture_v or
/// texture_s texture_t, or from the face list `texcoord` (one for each corner); colours of faces
/// from red green blue (bytes, or floats to 1). Other elements and properties are left out, with a
/// warning. The counts of the header are checked against the bytes that are there before memory is
/// taken. [Turk94]
TriangleMesh read_ply(std::string_view bytes, const std::string& file_name);

/// Writes coordinates as doubles: binary little-endian by default, or ASCII in the shortest form
/// that reads back to the same bits. Texture coordinates become s t of the vertices where every
/// vertex has its own, else a list of each face's corners; colours become bytes.
std::string write_ply(const TriangleMesh& mesh, const MeshWriteOptions& options);

}  // namespace toile
