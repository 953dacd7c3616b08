// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"

namespace toile {

/// Reads the text form of OFF: the word OFF, alone or after the prefixes ST, C and N (texture
/// coordinates, colours and normals of vertices), then the counts of vertices, faces and edges on
/// that line or a later one, then one line for each vertex and each face. `#` begins a comment; the
/// count of edges may be missing. Faces of more corners become fans. Texture coordinates of
/// vertices are kept; normals and colours, of faces too, are told to the log. The forms with a
/// fourth coordinate, n coordinates or bytes are refused. [OFF]
TriangleMesh read_off(std::string_view bytes, const std::string& file_name);

/// Writes OFF with polygons put together again; numbers in the shortest form that reads back to the
/// same bits.
std::string write_off(const TriangleMesh& mesh, const MeshWriteOptions& options);

}  // namespace toile
