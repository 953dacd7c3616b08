// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/gradient.h"

#include "toile/core/parallel.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace toile {
namespace {

constexpr int kTriangleGrain = 1024;
constexpr int kVertexGrain = 1024;

/// Twice the area over the square of the longest edge; below this a triangle's normal and height
/// are rounding of its positions.
constexpr double kFlattest = 1e-12;

double longest_squared(const Vec3& e1, const Vec3& e2) {
    return std::max({e1.squaredNorm(), e2.squaredNorm(), (e2 - e1).squaredNorm()});
}

std::array<Vec3, 3> corners(std::span<const Vec3> positions, const Triangle& t) {
    return {positions[static_cast<size_t>(t[0])], positions[static_cast<size_t>(t[1])],
            positions[static_cast<size_t>(t[2])]};
}

/// Area vector n (twice the area), or false where the triangle has none to speak of.
bool area_vector(const std::array<Vec3, 3>& p, Vec3& out_n) {
    const Vec3 e1 = p[1] - p[0];
    const Vec3 e2 = p[2] - p[0];
    out_n = e1.cross(e2);
    return out_n.norm() > kFlattest * longest_squared(e1, e2);
}

TriangleHats hats_of(const std::array<Vec3, 3>& p) {
    TriangleHats result;
    result.hats.fill(Vec3::Zero());
    Vec3 n;
    if (!area_vector(p, n)) {
        result.degenerate = true;
        return result;
    }
    const double inverse = 1 / n.squaredNorm();
    result.hats[1] = n.cross(p[0] - p[2]) * inverse;
    result.hats[2] = n.cross(p[1] - p[0]) * inverse;
    result.hats[0] = -(result.hats[1] + result.hats[2]);
    result.area = 0.5 * n.norm();
    return result;
}

/// One term below the diagonal in a column of the Laplacian. `order` makes sums the same always.
struct Term {
    int row;
    int order;
    double value;
};

/// Corners of a vertex's triangles with a larger index, and the diagonal: at least as many as its
/// column has entries.
int most_entries(int v, std::span<const int> triangles_of_v, std::span<const Triangle> triangles) {
    int n = 1;
    for (const int t : triangles_of_v) {
        for (const int corner : triangles[static_cast<size_t>(t)]) n += corner > v;
    }
    return n;
}

/// Writes column v, from the diagonal down, and returns its number of entries. `scratch` is for
/// reuse.
int write_column(int v, std::span<const int> triangles_of_v, std::span<const TriangleHats> hats,
                 std::span<const Triangle> triangles, std::vector<Term>& scratch, int* out_rows,
                 double* out_values) {
    scratch.clear();
    out_rows[0] = v;
    out_values[0] = 0;
    for (const int t : triangles_of_v) {
        const TriangleHats& h = hats[static_cast<size_t>(t)];
        if (h.degenerate) continue;
        const Triangle& corner = triangles[static_cast<size_t>(t)];
        const size_t own = corner[0] == v ? 0 : corner[1] == v ? 1 : 2;
        out_values[0] += h.area * h.hats[own].squaredNorm();
        for (size_t c = 0; c < 3; ++c) {
            if (corner[c] <= v) continue;
            const double value = h.area * h.hats[own].dot(h.hats[c]);
            scratch.push_back({corner[c], static_cast<int>(scratch.size()), value});
        }
    }
    std::sort(scratch.begin(), scratch.end(), [](const Term& a, const Term& b) {
        return std::pair(a.row, a.order) < std::pair(b.row, b.order);
    });
    int n = 1;
    for (const Term& term : scratch) {
        if (out_rows[n - 1] != term.row) {
            out_rows[n] = term.row;
            out_values[n++] = 0;
        }
        out_values[n - 1] += term.value;
    }
    return n;
}

}  // namespace

std::vector<TriangleHats> triangle_hats(std::span<const Vec3> positions,
                                        std::span<const Triangle> triangles) {
    std::vector<TriangleHats> hats(triangles.size());
    parallel_for(static_cast<int>(triangles.size()), kTriangleGrain, [&](int begin, int end) {
        for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
            hats[t] = hats_of(corners(positions, triangles[t]));
        }
    });
    return hats;
}

// J = e1~ g1ᵀ + e2~ g2ᵀ + ν~ νᵀ / |ν|², where g are the hats of the rest triangle (the dual basis
// of its edges) and ν = n / sqrt|n| its fourth edge.
Mat3 deformation_gradient(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& pose) {
    const TriangleHats hats = hats_of(rest);
    if (hats.degenerate) return Mat3::Identity();
    const Vec3 rest_n = (rest[1] - rest[0]).cross(rest[2] - rest[0]);
    const Vec3 pose_n = (pose[1] - pose[0]).cross(pose[2] - pose[0]);
    const double rest_size = rest_n.norm();
    const double pose_size = pose_n.norm();
    Mat3 gradient = (pose[1] - pose[0]) * hats.hats[1].transpose() +
                    (pose[2] - pose[0]) * hats.hats[2].transpose();
    if (pose_size > 0) {
        const double stretch = std::sqrt(pose_size / rest_size);
        gradient += (stretch / pose_size / rest_size) * pose_n * rest_n.transpose();
    }
    return gradient;
}

void deformation_gradients(std::span<const Triangle> triangles, std::span<const Vec3> rest,
                           std::span<const Vec3> pose, std::span<Mat3> out_gradients) {
    parallel_for(static_cast<int>(triangles.size()), kTriangleGrain, [&](int begin, int end) {
        for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
            out_gradients[t] =
                deformation_gradient(corners(rest, triangles[t]), corners(pose, triangles[t]));
        }
    });
}

SparseMatrix laplacian(std::span<const TriangleHats> hats, std::span<const Triangle> triangles,
                       int n_vertices) {
    const VertexTriangles around = build_vertex_triangles(triangles, n_vertices);
    std::vector<int> room(static_cast<size_t>(n_vertices) + 1, 0);
    for (int v = 0; v < n_vertices; ++v) {
        room[static_cast<size_t>(v) + 1] =
            room[static_cast<size_t>(v)] +
            most_entries(v, around.triangles_of_vertex(v), triangles);
    }
    std::vector<int> rows(static_cast<size_t>(room.back()));
    std::vector<double> values(rows.size());
    SparseMatrix result(n_vertices, n_vertices);
    int* const first = result.outerIndexPtr();
    parallel_for(n_vertices, kVertexGrain, [&](int begin, int end) {
        std::vector<Term> scratch;
        for (int v = begin; v < end; ++v) {
            const auto place = static_cast<size_t>(room[static_cast<size_t>(v)]);
            first[v + 1] = write_column(v, around.triangles_of_vertex(v), hats, triangles, scratch,
                                        rows.data() + place, values.data() + place);
        }
    });
    first[0] = 0;
    for (int v = 0; v < n_vertices; ++v) first[v + 1] += first[v];
    result.resizeNonZeros(first[n_vertices]);
    for (int v = 0; v < n_vertices; ++v) {
        const int place = room[static_cast<size_t>(v)], n = first[v + 1] - first[v];
        std::copy_n(rows.data() + place, n, result.innerIndexPtr() + first[v]);
        std::copy_n(values.data() + place, n, result.valuePtr() + first[v]);
    }
    return result;
}

std::vector<double> vertex_areas(std::span<const TriangleHats> hats,
                                 std::span<const Triangle> triangles, int n_vertices) {
    std::vector<double> areas(static_cast<size_t>(n_vertices), 0.0);
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (const int v : triangles[t]) areas[static_cast<size_t>(v)] += hats[t].area / 3;
    }
    return areas;
}

}  // namespace toile
