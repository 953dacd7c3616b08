// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/mesh_format.h"
#include "toile/mesh/triangle_mesh.h"

#include <filesystem>

namespace toile {

/// The mesh of a file whose extension names its format (io/mesh_format.h). Vertex order and count
/// are the file's (STL: exact duplicates are welded); polygons are cut into fans; a mesh without
/// triangles is a point cloud. Coordinates are finite and indices in range, or InvalidInput says
/// where they are not. Throws IoError where the file cannot be read. What a file holds and Toile
/// does not keep (normals, colours) is told to the log.
TriangleMesh read_mesh(const std::filesystem::path& path);

/// Writes the file whole or not at all. Coordinates keep every bit, except in binary STL (float32).
/// Throws InvalidInput for a mesh that no reader would take back (indices out of range, coordinates
/// that are not finite) or an encoding that the format lacks, IoError where the file system says no
/// or the file exists (see MeshWriteOptions::overwrite).
void write_mesh(const std::filesystem::path& path, const TriangleMesh& mesh,
                const MeshWriteOptions& options = {});

}  // namespace toile
