// SPDX-License-Identifier: Apache-2.0
#include "toile/io/binary.h"
#include "toile/io/ply.h"
#include "toile/io/polygons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace toile {
namespace {

// One value after the other, as text with blanks or as bytes.
class Values {
  public:
    Values(std::string& out, bool ascii) : out_(out), ascii_(ascii) {}

    template <class T>
    void add(T value) {
        if (!ascii_) return append_value(value, out_);
        if (!at_start_) out_ += ' ';
        fmt::format_to(std::back_inserter(out_), "{}", value);
        at_start_ = false;
    }

    void end_row() {
        if (ascii_) out_ += '\n';
        at_start_ = true;
    }

  private:
    std::string& out_;
    bool ascii_;
    bool at_start_ = true;
};

bool has_vertex_uvs(const TriangleMesh& mesh) {
    return mesh.has_uvs() && mesh.uvs.size() == mesh.positions.size() &&
           mesh.uv_triangles == mesh.triangles;
}

std::string header(const TriangleMesh& mesh, bool ascii) {
    std::string out = fmt::format(
        "ply\nformat {} 1.0\ncomment Written by Toile\nelement vertex {}\nproperty double x\n"
        "property double y\nproperty double z\n",
        ascii ? "ascii" : "binary_little_endian", mesh.n_vertices());
    if (has_vertex_uvs(mesh)) out += "property double s\nproperty double t\n";
    out += fmt::format("element face {}\nproperty list int int vertex_indices\n",
                       count_polygons(mesh));
    if (mesh.has_uvs() && !has_vertex_uvs(mesh)) out += "property list int double texcoord\n";
    if (!mesh.triangle_colors.empty()) {
        out += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    }
    return out + "end_header\n";
}

void write_vertices(const TriangleMesh& mesh, Values& values) {
    const bool with_uvs = has_vertex_uvs(mesh);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        for (const double coordinate : mesh.positions[v]) values.add(coordinate);
        if (with_uvs) {
            values.add(mesh.uvs[v].x());
            values.add(mesh.uvs[v].y());
        }
        values.end_row();
    }
}

void write_color(const Vec3& color, Values& values) {
    for (const double component : color) {
        const double level = std::round(255 * std::clamp(component, 0.0, 1.0));
        values.add(static_cast<std::uint8_t>(level));
    }
}

void write_faces(const TriangleMesh& mesh, Values& values) {
    const bool with_corner_uvs = mesh.has_uvs() && !has_vertex_uvs(mesh);
    PolygonLoop loop;
    for (int t = 0; t < mesh.n_triangles();) {
        const auto first = static_cast<size_t>(t);
        t = polygon_at(mesh, t, loop);
        values.add(static_cast<std::int32_t>(loop.vertices.size()));
        for (const int v : loop.vertices) values.add(static_cast<std::int32_t>(v));
        if (with_corner_uvs) {
            values.add(static_cast<std::int32_t>(2 * loop.uvs.size()));
            for (const int i : loop.uvs) {
                values.add(mesh.uvs[static_cast<size_t>(i)].x());
                values.add(mesh.uvs[static_cast<size_t>(i)].y());
            }
        }
        if (!mesh.triangle_colors.empty()) write_color(mesh.triangle_colors[first], values);
        values.end_row();
    }
}

}  // namespace

std::string write_ply(const TriangleMesh& mesh, const MeshWriteOptions& options) {
    const bool ascii = options.encoding == MeshEncoding::Ascii;
    std::string out = header(mesh, ascii);
    Values values(out, ascii);
    write_vertices(mesh, values);
    write_faces(mesh, values);
    return out;
}

}  // namespace toile
