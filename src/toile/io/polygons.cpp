// SPDX-License-Identifier: Apache-2.0
#include "toile/io/polygons.h"

namespace toile {
namespace {

bool same_name(const TriangleNames& names, size_t a, size_t b) {
    return names.empty() || names.of_triangle[a] == names.of_triangle[b];
}

bool continues_fan(const Triangle& before, const Triangle& next) {
    return before[0] == next[0] && before[2] == next[1];
}

// Whether triangle t belongs to the polygon of triangle t - 1.
bool continues_polygon(const TriangleMesh& mesh, size_t t) {
    if (mesh.polygon_of_triangle.empty()) return false;
    return mesh.polygon_of_triangle[t - 1] == mesh.polygon_of_triangle[t] &&
           continues_fan(mesh.triangles[t - 1], mesh.triangles[t]) &&
           (!mesh.has_uvs() || continues_fan(mesh.uv_triangles[t - 1], mesh.uv_triangles[t])) &&
           same_name(mesh.objects, t - 1, t) && same_name(mesh.groups, t - 1, t) &&
           same_name(mesh.materials, t - 1, t) &&
           (mesh.triangle_colors.empty() || mesh.triangle_colors[t - 1] == mesh.triangle_colors[t]);
}

}  // namespace

int polygon_at(const TriangleMesh& mesh, int first, PolygonLoop& out_loop) {
    auto t = static_cast<size_t>(first);
    out_loop.vertices.assign(mesh.triangles[t].begin(), mesh.triangles[t].end());
    out_loop.uvs.clear();
    if (mesh.has_uvs()) {
        out_loop.uvs.assign(mesh.uv_triangles[t].begin(), mesh.uv_triangles[t].end());
    }
    for (++t; t < mesh.triangles.size() && continues_polygon(mesh, t); ++t) {
        out_loop.vertices.push_back(mesh.triangles[t][2]);
        if (mesh.has_uvs()) out_loop.uvs.push_back(mesh.uv_triangles[t][2]);
    }
    return static_cast<int>(t);
}

int count_polygons(const TriangleMesh& mesh) {
    int count = mesh.triangles.empty() ? 0 : 1;
    for (size_t t = 1; t < mesh.triangles.size(); ++t) {
        if (!continues_polygon(mesh, t)) ++count;
    }
    return count;
}

}  // namespace toile
