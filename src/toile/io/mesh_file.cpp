// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mesh_file.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"

#include <fmt/format.h>

namespace toile {
namespace {

void check_indices(const std::string& name, std::span<const Triangle> triangles, size_t n_points) {
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (const int v : triangles[t]) {
            if (v >= 0 && static_cast<size_t>(v) < n_points) continue;
            throw InvalidInput(fmt::format("{}: triangle {} names point {} of {}; not written.",
                                           name, t, v, n_points));
        }
    }
}

void check_count(const std::string& name, std::string_view what, size_t found, size_t expected) {
    if (found == 0 || found == expected) return;
    throw InvalidInput(fmt::format("{}: {} has {} entries for {} triangles; not written.", name,
                                   what, found, expected));
}

void check_names(const std::string& name, std::string_view what, const TriangleNames& names,
                 size_t n_triangles) {
    check_count(name, what, names.of_triangle.size(), n_triangles);
    for (const int index : names.of_triangle) {
        if (index >= -1 && index < static_cast<int>(names.names.size())) continue;
        throw InvalidInput(fmt::format("{}: {} name {} of {}; not written.", name, what, index,
                                       names.names.size()));
    }
}

template <class Vector>
void check_finite(const std::string& name, std::string_view what,
                  const std::vector<Vector>& points) {
    for (size_t i = 0; i < points.size(); ++i) {
        if (points[i].allFinite()) continue;
        throw InvalidInput(fmt::format("{}: {} {} is not finite; not written.", name, what, i));
    }
}

void check_mesh(const std::string& name, const TriangleMesh& mesh) {
    const size_t n_triangles = mesh.triangles.size();
    check_finite(name, "vertex", mesh.positions);
    check_finite(name, "texture coordinate", mesh.uvs);
    check_count(name, "uv_triangles", mesh.uv_triangles.size(), n_triangles);
    check_count(name, "polygon_of_triangle", mesh.polygon_of_triangle.size(), n_triangles);
    check_count(name, "triangle_colors", mesh.triangle_colors.size(), n_triangles);
    check_finite(name, "the colour of triangle", mesh.triangle_colors);
    check_indices(name, mesh.triangles, mesh.positions.size());
    check_indices(name, mesh.uv_triangles, mesh.uvs.size());
    check_names(name, "object", mesh.objects, n_triangles);
    check_names(name, "group", mesh.groups, n_triangles);
    check_names(name, "material", mesh.materials, n_triangles);
}

void warn_of_loss(const std::string& name, const TriangleMesh& mesh, const MeshFormat& format) {
    std::string lost;
    const auto lose = [&](bool has, bool keeps, std::string_view what) {
        if (has && !keeps) lost += fmt::format("{}{}", lost.empty() ? "" : ", ", what);
    };
    lose(mesh.has_uvs(), format.keeps_uvs, "texture coordinates");
    lose(!mesh.polygon_of_triangle.empty(), format.keeps_polygons, "polygons");
    lose(!mesh.objects.empty(), format.keeps_objects, "objects");
    lose(!mesh.groups.empty() || !mesh.materials.empty(), format.keeps_names,
         "groups or materials");
    lose(!mesh.triangle_colors.empty(), format.keeps_colors, "colours");
    if (!lost.empty()) log_warning(fmt::format("{}: {} keeps no {}.", name, format.name, lost));
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& path) {
    const MeshFormat& format = mesh_format_of(path);
    return format.read(read_bytes(path), path.string());
}

void write_mesh(const std::filesystem::path& path, const TriangleMesh& mesh,
                const MeshWriteOptions& options) {
    const MeshFormat& format = mesh_format_of(path);
    const OutputOptions output{.overwrite = options.overwrite};
    check_output(path, output);
    check_mesh(path.string(), mesh);
    if (options.encoding == MeshEncoding::Binary && !format.has_binary) {
        throw InvalidInput(
            fmt::format("{}: {} has no binary form; not written.", path.string(), format.name));
    }
    warn_of_loss(path.string(), mesh, format);
    write_file(path, format.write(mesh, options), output);
}

}  // namespace toile
