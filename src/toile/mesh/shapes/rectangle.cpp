// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/rectangle.h"

#include "toile/mesh/shapes/shape_checks.h"

namespace toile {
namespace {

void check(const RectangleOptions& options) {
    detail::require_length(options.width, "rectangle's width");
    detail::require_length(options.length, "rectangle's length");
    detail::require_count(options.width_divisions, 1, "rectangle's divisions along its width");
    detail::require_count(options.length_divisions, 1, "rectangle's divisions along its length");
}

bool is_forward(Diagonals diagonals, int column, int row) {
    switch (diagonals) {
        case Diagonals::Forward:
            return true;
        case Diagonals::Backward:
            return false;
        case Diagonals::Alternating:
            return (column + row) % 2 == 0;
        case Diagonals::AlternatingRows:
            return row % 2 == 0;
    }
    return true;
}

void add_vertices(const RectangleOptions& options, TriangleMesh& mesh) {
    const Vec2 size(options.width, options.length);
    for (int j = 0; j <= options.length_divisions; ++j) {
        for (int i = 0; i <= options.width_divisions; ++i) {
            const Vec2 uv(options.width * i / options.width_divisions,
                          options.length * j / options.length_divisions);
            mesh.uvs.push_back(uv);
            mesh.positions.push_back(options.center + on_plane(options.plane, uv - 0.5 * size));
        }
    }
}

void add_triangles(const RectangleOptions& options, TriangleMesh& mesh) {
    const int row_size = options.width_divisions + 1;
    for (int j = 0; j < options.length_divisions; ++j) {
        for (int i = 0; i < options.width_divisions; ++i) {
            const int a = j * row_size + i;  // a b below, c d above
            const int b = a + 1;
            const int c = a + row_size;
            const int d = c + 1;
            if (is_forward(options.diagonals, i, j)) {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {a, d, c}});
            } else {
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {b, d, c}});
            }
        }
    }
}

}  // namespace

TriangleMesh make_rectangle(const RectangleOptions& options) {
    check(options);
    TriangleMesh mesh;
    add_vertices(options, mesh);
    add_triangles(options, mesh);
    mesh.uv_triangles = mesh.triangles;
    return mesh;
}

}  // namespace toile
