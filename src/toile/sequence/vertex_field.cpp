// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/vertex_field.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace toile {
namespace {

constexpr int kGrain = 512;
/// A triangle lower than this part of its longest edge has no shape to compare with.
constexpr double kThinnest = 1e-10;

void require_same_count(size_t a, size_t b) {
    if (a == b) return;
    throw InvalidInput(fmt::format("Frames of {} and of {} vertices cannot be compared.", a, b));
}

std::vector<double> distances(std::span<const Vec3> a, std::span<const Vec3> b, double factor) {
    require_same_count(a.size(), b.size());
    std::vector<double> values(a.size());
    for (size_t v = 0; v < a.size(); ++v) values[v] = factor * (b[v] - a[v]).norm();
    return values;
}

using Edges = Eigen::Matrix<double, 3, 2>;

Edges edges_of(const Triangle& t, std::span<const Vec3> positions) {
    Edges edges;
    edges << positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]];
    return edges;
}

/// The edges in coordinates of their own plane, the first along x.
Mat2 flat(const Edges& edges) {
    const double length = edges.col(0).norm();
    Mat2 result;
    result << length, edges.col(0).dot(edges.col(1)) / length, 0,
        edges.col(0).cross(edges.col(1)).norm() / length;
    return result;
}

/// Largest singular value of F from FᵀF.
double largest_stretch(const Mat2& gram) {
    const double half_trace = 0.5 * (gram(0, 0) + gram(1, 1));
    const double half_difference = 0.5 * (gram(0, 0) - gram(1, 1));
    return std::sqrt(half_trace + std::hypot(half_difference, gram(0, 1)));
}

}  // namespace

VertexField make_vertex_field(std::vector<double> values, std::string unit) {
    VertexField field{.values = std::move(values), .unit = std::move(unit)};
    bool any = false;
    for (const double value : field.values) {
        if (std::isnan(value)) continue;
        field.minimum = any ? std::min(field.minimum, value) : value;
        field.maximum = any ? std::max(field.maximum, value) : value;
        any = true;
    }
    return field;
}

VertexField speed_field(std::span<const Vec3> before, std::span<const Vec3> after,
                        double frame_rate) {
    if (!(frame_rate > 0) || !std::isfinite(frame_rate)) {
        throw InvalidInput(
            fmt::format("A speed needs a frame rate above 0; found {}.", frame_rate));
    }
    return make_vertex_field(distances(before, after, frame_rate), "m/s");
}

VertexField displacement_field(std::span<const Vec3> first, std::span<const Vec3> here) {
    return make_vertex_field(distances(first, here, 1), "m");
}

StrainField::StrainField(std::span<const Vec3> rest, std::span<const Triangle> triangles)
    : triangles_(triangles.begin(), triangles.end()), n_vertices_(rest.size()) {
    require_valid_indices(triangles, static_cast<int>(rest.size()));
    inverses_.reserve(triangles.size());
    areas_.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        const Edges edges = edges_of(t, rest);
        const double longest = std::max(
            {edges.col(0).norm(), edges.col(1).norm(), (edges.col(1) - edges.col(0)).norm()});
        const double doubled_area = edges.col(0).cross(edges.col(1)).norm();
        const bool counts = doubled_area > kThinnest * longest * longest;
        inverses_.push_back(counts ? Mat2(flat(edges).inverse()) : Mat2(Mat2::Zero()));
        areas_.push_back(counts ? 0.5 * doubled_area : 0);
    }
}

VertexField StrainField::of(std::span<const Vec3> positions) const {
    require_same_count(n_vertices_, positions.size());
    std::vector<double> strains(triangles_.size(), 0);
    parallel_for(static_cast<int>(strains.size()), kGrain, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            const Edges edges = edges_of(triangles_[t], positions);
            const Mat2 gram = edges.transpose() * edges;
            strains[t] = largest_stretch(inverses_[t].transpose() * gram * inverses_[t]) - 1;
        }
    });
    return of_triangles(strains);
}

VertexField StrainField::of_triangles(std::span<const double> strains) const {
    if (strains.size() != triangles_.size()) {
        throw InvalidInput(fmt::format("A mesh of {} triangles needs as many strains; found {}.",
                                       triangles_.size(), strains.size()));
    }
    std::vector<double> sums(n_vertices_, 0), areas(n_vertices_, 0);
    for (size_t t = 0; t < strains.size(); ++t) {
        if (!(areas_[t] > 0)) continue;
        for (const int v : triangles_[t]) {
            sums[v] += areas_[t] * strains[t];
            areas[v] += areas_[t];
        }
    }
    for (size_t v = 0; v < sums.size(); ++v) {
        sums[v] = areas[v] > 0 ? sums[v] / areas[v] : std::numeric_limits<double>::quiet_NaN();
    }
    return make_vertex_field(std::move(sums), "");
}

}  // namespace toile
