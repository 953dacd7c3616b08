// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"

#include <filesystem>

namespace toile {

/// An STL file has no shared vertices: corners with exactly the same coordinates (-0 equals 0)
/// become one vertex, numbered by first appearance. Facet t is triangle t, so
/// `mesh.triangles[t][i]` is the map from corner i of facet t to its vertex.
struct StlMesh {
    TriangleMesh mesh;  ///< `objects` holds the names of the solids where they have any
    std::vector<int> first_corner_of_vertex;  ///< corner 3 t + i that vertex v was taken from
};

/// Reads ASCII or binary STL, told apart by content: a file whose size is what the count of a
/// binary header asks for is binary, even if it begins with `solid`. Normals are not used. Throws
/// InvalidInput with line or byte.
StlMesh read_stl_with_corners(std::string_view bytes, const std::string& file_name);

/// The mesh of read_stl_with_corners.
TriangleMesh read_stl(std::string_view bytes, const std::string& file_name);

/// As `read_mesh`, for an STL file of any name (the meshes of an `environment` folder have no
/// extension).
TriangleMesh read_stl_file(const std::filesystem::path& path);

/// Writes one solid for each run of triangles with the same object name. ASCII (the default) keeps
/// every bit of the coordinates; binary rounds them to float32 and has no names. The normal of a
/// triangle without area is zero.
std::string write_stl(const TriangleMesh& mesh, const MeshWriteOptions& options);

}  // namespace toile
