// SPDX-License-Identifier: Apache-2.0
// Each layer is a body of columns and rows of cells, and a sleeve of the upper rows on each side:
//
//        S___N     N___S        N neck's end of the shoulder, S its outer end, A armpit
//     __/     \___/     \__     sewn: hem-A, A-B (below the sleeve), S-C (above it), N-S
//   C/__ |             | __\C   open: hem, neck, sleeve ends B-C
//   B   \A             A/   B
//        |             |
//        |_____hem_____|
#include "toile/mesh/shapes/tshirt.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/shape_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

/// Distance from a seam, in chest widths, over which a layer rises to its full height.
constexpr double kRise = 0.25;
/// Between front and back in the flat pattern, in chest widths.
constexpr double kPatternGap = 0.1;

double cross(const Vec2& a, const Vec2& b) {
    return a.x() * b.y() - a.y() * b.x();
}

/// The right half's corners, hem at y = 0.
struct Corners {
    explicit Corners(const TshirtOptions& o)
        : neck(0.5 * o.neck_width, o.length),
          shoulder(0.5 * o.chest_width, o.length - o.shoulder_drop),
          armpit(shoulder - Vec2(0, o.armhole)),
          sleeve_top(shoulder + o.sleeve_length * along_sleeve(o)),
          sleeve_bottom(sleeve_top - o.sleeve_opening * across_sleeve(o)) {}

    static Vec2 along_sleeve(const TshirtOptions& o) {
        return {std::cos(o.sleeve_angle), -std::sin(o.sleeve_angle)};
    }
    static Vec2 across_sleeve(const TshirtOptions& o) {
        return {std::sin(o.sleeve_angle), std::cos(o.sleeve_angle)};
    }

    Vec2 neck;
    Vec2 shoulder;
    Vec2 armpit;
    Vec2 sleeve_top;
    Vec2 sleeve_bottom;
};

void check_lengths(const TshirtOptions& o) {
    detail::require_length(o.chest_width, "T-shirt's chest width");
    detail::require_length(o.length, "T-shirt's length");
    detail::require_length(o.armhole, "T-shirt's armhole");
    detail::require_length(o.sleeve_length, "T-shirt's sleeve length");
    detail::require_length(o.sleeve_opening, "T-shirt's sleeve opening");
    detail::require_length(o.neck_width, "T-shirt's neck width");
    detail::require_length(o.neck_depth_front, "T-shirt's neck depth in front");
    detail::require_length(o.neck_depth_back, "T-shirt's neck depth behind");
    detail::require_length(o.inflation, "T-shirt's inflation");
    detail::require_length(o.edge_length, "T-shirt's edge length");
    if (!(o.shoulder_drop >= 0) || !std::isfinite(o.shoulder_drop)) {
        throw InvalidInput(fmt::format("The T-shirt's shoulder drop must be 0 m or more; found {}.",
                                       o.shoulder_drop));
    }
}

void check_sleeve(const TshirtOptions& o, const Corners& c) {
    const Vec2 loop[] = {c.armpit, c.sleeve_bottom, c.sleeve_top, c.shoulder};
    for (int i = 0; i < 4; ++i) {
        const Vec2 side = loop[(i + 1) % 4] - loop[i];
        const Vec2 next = loop[(i + 2) % 4] - loop[(i + 1) % 4];
        if (cross(side, next) > 0 && c.sleeve_bottom.x() > c.armpit.x()) continue;
        throw InvalidInput(fmt::format(
            "The T-shirt's sleeve folds into its body: length {} m, opening {} m, angle {} rad and "
            "armhole {} m do not fit.",
            o.sleeve_length, o.sleeve_opening, o.sleeve_angle, o.armhole));
    }
}

void check(const TshirtOptions& o) {
    check_lengths(o);
    const Corners corners(o);
    if (!(o.neck_width < o.chest_width)) {
        throw InvalidInput(
            fmt::format("The T-shirt's neck width must be below its chest width of {} m; found {}.",
                        o.chest_width, o.neck_width));
    }
    if (!(corners.armpit.y() > 0)) {
        throw InvalidInput(
            fmt::format("The T-shirt's armpits must stand above its hem: shoulder drop and armhole "
                        "take {} m of a "
                        "length of {} m.",
                        o.shoulder_drop + o.armhole, o.length));
    }
    if (!(std::max(o.neck_depth_front, o.neck_depth_back) < o.shoulder_drop + o.armhole)) {
        throw InvalidInput(fmt::format(
            "The T-shirt's neck must end above its armpits, {} m down; found depths of {} "
            "and {} m.",
            o.shoulder_drop + o.armhole, o.neck_depth_front, o.neck_depth_back));
    }
    check_sleeve(o, corners);
}

/// Cells along each stretch of the pattern.
struct Cells {
    explicit Cells(const TshirtOptions& o)
        : shoulder(cells(0.5 * (o.chest_width - o.neck_width), o, 2)),
          neck(cells(o.neck_width, o, 4)),
          lower(cells(Corners(o).armpit.y(), o, 2)),
          upper(cells(o.armhole, o, 4)),
          sleeve(cells(o.sleeve_length, o, 2)) {}

    static int cells(double length, const TshirtOptions& o, int least) {
        const double n = std::round(length / o.edge_length);
        if (n > detail::kMostDivisions) {
            throw InvalidInput(
                fmt::format("The T-shirt's edge length of {} m gives more than {} edges "
                            "in a row.",
                            o.edge_length, detail::kMostDivisions));
        }
        return std::max(least, static_cast<int>(n));
    }
    [[nodiscard]] int columns() const { return 2 * shoulder + neck; }
    [[nodiscard]] int rows() const { return lower + upper; }

    int shoulder;
    int neck;
    int lower;
    int upper;
    int sleeve;
};

/// One layer of the flat pattern; both layers have the same connectivity.
class Layer {
  public:
    Layer(const TshirtOptions& options, double neck_depth)
        : corners_(options), cells_(options), neck_depth_(neck_depth) {
        add_body();
        add_sleeve(cells_.columns(), 1);
        add_sleeve(0, -1);
    }

    std::vector<Vec2> points;
    std::vector<char> is_sewn;
    std::vector<Edge> seams;
    std::vector<Triangle> triangles;  ///< counter-clockwise

  private:
    int add_point(const Vec2& p) {
        points.push_back(p);
        is_sewn.push_back(0);
        return static_cast<int>(points.size()) - 1;
    }
    void sew(int a, int b) {
        seams.push_back({a, b});
        is_sewn[a] = is_sewn[b] = 1;
    }
    void add_cell(const std::array<int, 4>& corners, int parity) {
        const auto [a, b, c, d] = corners;  // counter-clockwise from below left
        if (parity % 2 == 0) {
            triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
        } else {
            triangles.insert(triangles.end(), {{a, b, d}, {b, c, d}});
        }
    }

    [[nodiscard]] int body_vertex(int column, int row) const {
        return row * (cells_.columns() + 1) + column;
    }
    [[nodiscard]] bool in_neck(int column) const {
        return column > cells_.shoulder && column < cells_.shoulder + cells_.neck;
    }
    /// The upper border above a column.
    [[nodiscard]] Vec2 top(int column) const {
        const int from_left = std::min(column, cells_.columns() - column);
        if (!in_neck(column)) {
            const double s = 1.0 * from_left / cells_.shoulder;
            const Vec2 p = corners_.shoulder + s * (corners_.neck - corners_.shoulder);
            return 2 * column < cells_.columns() ? Vec2(-p.x(), p.y()) : p;
        }
        const double s = 2.0 * (column - cells_.shoulder) / cells_.neck - 1;
        return {s * corners_.neck.x(), corners_.neck.y() - neck_depth_ * (1 - s * s)};
    }
    [[nodiscard]] Vec2 body_point(int column, int row) const {
        const Vec2 above = top(column);
        const double middle = corners_.armpit.y();
        if (row <= cells_.lower) return {above.x(), middle * row / cells_.lower};
        return {above.x(), middle + (above.y() - middle) * (row - cells_.lower) / cells_.upper};
    }

    void add_body() {
        const int columns = cells_.columns();
        for (int j = 0; j <= cells_.rows(); ++j) {
            for (int i = 0; i <= columns; ++i) add_point(body_point(i, j));
        }
        for (int j = 0; j < cells_.rows(); ++j) {
            for (int i = 0; i < columns; ++i) {
                add_cell({body_vertex(i, j), body_vertex(i + 1, j), body_vertex(i + 1, j + 1),
                          body_vertex(i, j + 1)},
                         i + j);
            }
        }
        for (int j = 0; j < cells_.lower; ++j) {
            for (const int i : {0, columns}) sew(body_vertex(i, j), body_vertex(i, j + 1));
        }
        for (int i = 0; i < columns; ++i) {
            const bool open = i >= cells_.shoulder && i < cells_.shoulder + cells_.neck;
            if (!open) sew(body_vertex(i, cells_.rows()), body_vertex(i + 1, cells_.rows()));
        }
    }

    /// `side` 1 is right, -1 left; column 0 of the sleeve is the body's column `body_column`.
    void add_sleeve(int body_column, int side) {
        std::vector<int> previous;
        for (int j = 0; j <= cells_.upper; ++j) {
            previous.push_back(body_vertex(body_column, cells_.lower + j));
        }
        for (int i = 1; i <= cells_.sleeve; ++i) {
            std::vector<int> next;
            for (int j = 0; j <= cells_.upper; ++j)
                next.push_back(add_point(sleeve_point(i, j, side)));
            for (int j = 0; j < cells_.upper; ++j) {
                if (side > 0) {
                    add_cell({previous[j], next[j], next[j + 1], previous[j + 1]}, i + j);
                } else {
                    add_cell({next[j], previous[j], previous[j + 1], next[j + 1]}, i + j);
                }
            }
            sew(previous.front(), next.front());
            sew(previous.back(), next.back());
            previous = std::move(next);
        }
    }

    [[nodiscard]] Vec2 sleeve_point(int column, int row, int side) const {
        const double s = 1.0 * column / cells_.sleeve;
        const double t = 1.0 * row / cells_.upper;
        const Vec2 below = corners_.armpit + s * (corners_.sleeve_bottom - corners_.armpit);
        const Vec2 above = corners_.shoulder + s * (corners_.sleeve_top - corners_.shoulder);
        const Vec2 p = below + t * (above - below);
        return {side * p.x(), p.y()};
    }

    Corners corners_;
    Cells cells_;
    double neck_depth_;
};

double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 ab = b - a;
    const double s = std::clamp((p - a).dot(ab) / ab.squaredNorm(), 0.0, 1.0);
    return (p - a - s * ab).norm();
}

/// Distance of a layer's vertex from the middle plane: 0 on seams, above 0 elsewhere.
double height(const TshirtOptions& options, const Layer& layer, int v) {
    if (layer.is_sewn[v]) return 0;
    double distance = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : layer.seams) {
        distance = std::min(distance,
                            distance_to_segment(layer.points[v], layer.points[a], layer.points[b]));
    }
    const double s = std::min(1.0, distance / (kRise * options.chest_width));
    return options.inflation * s * (2 - s);
}

/// Adds a layer; `side` 1 is the front, which comes first, -1 the back, whose sewn vertices are
/// those of the front.
void add_layer(const TshirtOptions& options, const Layer& layer, int side, TriangleMesh& mesh) {
    const Corners corners(options);
    const double half_width = std::max(corners.sleeve_top.x(), corners.sleeve_bottom.x());
    const double u_middle =
        side > 0 ? half_width : 3 * half_width + kPatternGap * options.chest_width;
    const int first_uv = static_cast<int>(mesh.uvs.size());
    std::vector<int> vertex;
    for (int v = 0; v < static_cast<int>(layer.points.size()); ++v) {
        const Vec2& p = layer.points[v];
        mesh.uvs.emplace_back(u_middle + side * p.x(), p.y());
        const bool is_there = side < 0 && layer.is_sewn[v];
        vertex.push_back(is_there ? v : mesh.n_vertices());
        if (is_there) continue;
        mesh.positions.push_back(options.center + Vec3(p.x(), p.y() - 0.5 * options.length,
                                                       side * height(options, layer, v)));
    }
    for (auto [a, b, c] : layer.triangles) {
        if (side < 0) std::swap(b, c);
        mesh.triangles.push_back({vertex[a], vertex[b], vertex[c]});
        mesh.uv_triangles.push_back({first_uv + a, first_uv + b, first_uv + c});
    }
}

}  // namespace

TriangleMesh make_tshirt(const TshirtOptions& options) {
    check(options);
    TriangleMesh mesh;
    add_layer(options, Layer(options, options.neck_depth_front), 1, mesh);
    add_layer(options, Layer(options, options.neck_depth_back), -1, mesh);
    return mesh;
}

}  // namespace toile
