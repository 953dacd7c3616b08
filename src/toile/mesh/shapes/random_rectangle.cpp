// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/random_rectangle.h"

#include "toile/mesh/shapes/delaunay.h"
#include "toile/mesh/shapes/shape_checks.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace toile {
namespace {

/// First smallest distance of points, in sizes of a cell: random sequential packing of discs gets
/// about 1.4 points into a cell at this distance, so one a cell is found quickly.
constexpr double kSpacing = 0.7;
/// What the distance shrinks by when this many throws for a point in a row have failed.
constexpr double kShrink = 0.9;
constexpr int kThrowsBeforeShrinking = 200;

void check(const RandomRectangleOptions& options) {
    detail::require_length(options.width, "random rectangle's width");
    detail::require_length(options.length, "random rectangle's length");
    detail::require_count(options.width_divisions, 1,
                          "random rectangle's divisions along its width");
    detail::require_count(options.length_divisions, 1,
                          "random rectangle's divisions along its length");
}

/// The end of edge i of n along a side; exactly `length` at its end.
double along_side(double length, int i, int n) {
    return i == n ? length : length * i / n;
}

std::vector<Vec2> border(const RandomRectangleOptions& o) {
    std::vector<Vec2> points;
    const int w = o.width_divisions;
    const int l = o.length_divisions;
    for (int i = 0; i < w; ++i) points.emplace_back(along_side(o.width, i, w), 0);
    for (int j = 0; j < l; ++j) points.emplace_back(o.width, along_side(o.length, j, l));
    for (int i = w; i > 0; --i) points.emplace_back(along_side(o.width, i, w), o.length);
    for (int j = l; j > 0; --j) points.emplace_back(0, along_side(o.length, j, l));
    return points;
}

/// Points in square cells as wide as the smallest distance, so that only 9 cells need a look.
class PointGrid {
  public:
    PointGrid(const Vec2& size, double cell)
        : cell_(cell),
          columns_(1 + static_cast<int>(size.x() / cell)),
          rows_(1 + static_cast<int>(size.y() / cell)),
          cells_(static_cast<size_t>(columns_) * rows_) {}

    void add(const Vec2& p) { cells_[index(column(p), row(p))].push_back(p); }

    [[nodiscard]] bool has_within(double distance, const Vec2& p) const {
        for (int j = std::max(0, row(p) - 1); j <= std::min(rows_ - 1, row(p) + 1); ++j) {
            for (int i = std::max(0, column(p) - 1); i <= std::min(columns_ - 1, column(p) + 1);
                 ++i) {
                for (const Vec2& q : cells_[index(i, j)]) {
                    if ((p - q).norm() < distance) return true;
                }
            }
        }
        return false;
    }

  private:
    [[nodiscard]] int column(const Vec2& p) const { return static_cast<int>(p.x() / cell_); }
    [[nodiscard]] int row(const Vec2& p) const { return static_cast<int>(p.y() / cell_); }
    [[nodiscard]] size_t index(int i, int j) const { return static_cast<size_t>(j) * columns_ + i; }

    double cell_;
    int columns_;
    int rows_;
    std::vector<std::vector<Vec2>> cells_;
};

/// Uniform in [0, 1), by a rule of our own: the standard's distributions differ between libraries.
double uniform(std::mt19937_64& generator) {
    return static_cast<double>(generator() >> 11) * 0x1p-53;
}

std::vector<Vec2> random_inner_points(const RandomRectangleOptions& o, PointGrid& grid,
                                      double distance) {
    std::mt19937_64 generator(o.seed);
    std::vector<Vec2> points;
    const size_t n = static_cast<size_t>(o.width_divisions - 1) * (o.length_divisions - 1);
    int failures = 0;
    while (points.size() < n) {
        const double u = o.width * uniform(generator);
        const double v = o.length * uniform(generator);
        if (grid.has_within(distance, {u, v})) {
            if (++failures % kThrowsBeforeShrinking == 0) distance *= kShrink;
            continue;
        }
        failures = 0;
        grid.add({u, v});
        points.emplace_back(u, v);
    }
    return points;
}

/// Neighbours in space become near neighbours in memory, as in the meshes that people make.
void sort_by_rows(const RandomRectangleOptions& o, std::vector<Vec2>& points) {
    const auto row = [&](const Vec2& p) {
        return std::floor(p.y() / o.length * o.length_divisions);
    };
    std::sort(points.begin(), points.end(), [&](const Vec2& a, const Vec2& b) {
        if (row(a) != row(b)) return row(a) < row(b);
        return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
    });
}

/// All points in the final order: border, then inside.
std::vector<Vec2> pattern_points(const RandomRectangleOptions& o) {
    const double cell = std::sqrt(o.width / o.width_divisions * (o.length / o.length_divisions));
    std::vector<Vec2> points = border(o);
    PointGrid grid({o.width, o.length}, kSpacing * cell);
    for (const Vec2& p : points) grid.add(p);
    std::vector<Vec2> inner = random_inner_points(o, grid, kSpacing * cell);
    sort_by_rows(o, inner);
    points.insert(points.end(), inner.begin(), inner.end());
    return points;
}

std::vector<Triangle> triangulate(const RandomRectangleOptions& o,
                                  const std::vector<Vec2>& points) {
    DelaunayRectangle delaunay(o.width, o.length);
    std::vector<int> vertex_of_point(points.size());
    for (size_t v = 0; v < points.size(); ++v) {
        vertex_of_point[delaunay.insert(points[v])] = static_cast<int>(v);
    }
    std::vector<Triangle> triangles = delaunay.triangles();
    for (Triangle& t : triangles) {
        for (int& v : t) v = vertex_of_point[v];
    }
    return triangles;
}

}  // namespace

TriangleMesh make_random_rectangle(const RandomRectangleOptions& options) {
    check(options);
    TriangleMesh mesh;
    mesh.uvs = pattern_points(options);
    mesh.triangles = triangulate(options, mesh.uvs);
    mesh.uv_triangles = mesh.triangles;
    const Vec2 middle(0.5 * options.width, 0.5 * options.length);
    for (const Vec2& uv : mesh.uvs) {
        mesh.positions.push_back(options.center + on_plane(options.plane, uv - middle));
    }
    return mesh;
}

}  // namespace toile
