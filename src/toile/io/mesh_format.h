// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace toile {

enum class MeshEncoding { Default, Ascii, Binary };

struct MeshWriteOptions {
    bool overwrite = false;  ///< false: an existing file is an IoError and stays as it is
    /// Default is what keeps every bit of a double: text for OBJ and STL, binary for PLY.
    MeshEncoding encoding = MeshEncoding::Default;
    /// Of sequences, frames per second, for files that tell times in seconds (MDD, PVD). 0: not
    /// known; then frames are one second apart, and the log is told.
    double frame_rate = 0;
    std::string solid_name = {};  ///< ASCII STL only; empty: the name of the object, else `toile`
};

/// One file format of meshes. Both functions work on memory alone, so that they are easy to test:
/// `read` may be given any bytes, and returns a valid mesh or throws InvalidInput whose message
/// begins with `file_name` and the line or byte.
struct MeshFormat {
    std::string_view name;       ///< for people: "Wavefront OBJ"
    std::string_view extension;  ///< lower case, with its dot: ".obj"
    bool has_binary;
    bool keeps_uvs;
    bool keeps_polygons;
    bool keeps_objects;
    bool keeps_names;  ///< of groups and materials
    bool keeps_colors;
    TriangleMesh (*read)(std::string_view bytes, const std::string& file_name);
    std::string (*write)(const TriangleMesh& mesh, const MeshWriteOptions& options);
};

/// Every format there is; the one place that lists them.
std::span<const MeshFormat> mesh_formats();

/// `.obj` of `shirt.OBJ`; empty where there is none.
std::string lower_extension(const std::filesystem::path& path);

/// The format that the extension of `path` names, upper or lower case, or null.
const MeshFormat* find_mesh_format(const std::filesystem::path& path);

/// As find_mesh_format, but throws InvalidInput that lists the known extensions.
const MeshFormat& mesh_format_of(const std::filesystem::path& path);

}  // namespace toile
