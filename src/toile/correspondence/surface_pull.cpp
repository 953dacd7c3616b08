// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/surface_pull.h"

#include "toile/collision/distance.h"
#include "toile/core/parallel.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <cmath>

namespace toile {
namespace {

constexpr int kPointGrain = 256;
constexpr double kLeastNormal =
    0.1;  // length of a mean of unit normals that still says a direction

}  // namespace

SurfacePull::SurfacePull(std::span<const Vec3> positions, std::span<const Triangle> triangles)
    : positions_(positions),
      triangles_(triangles),
      normals_(triangle_normals(positions, triangles)),
      vertex_normals_(vertex_normals(positions, triangles)),
      border_sides_(triangles.size(), 0),
      border_vertices_(positions.size(), 0),
      query_(positions, triangles) {
    const EdgeTopology topology = build_edges(triangles, static_cast<int>(positions.size()));
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (size_t c = 0; c < 3; ++c) {
            const int e = topology.edges_of_triangle[t][c];
            if (e < 0 || !topology.is_boundary(e)) continue;
            border_sides_[t] = static_cast<unsigned char>(border_sides_[t] | (1U << c));
            for (const int v : topology.edges[static_cast<size_t>(e)]) {
                border_vertices_[static_cast<size_t>(v)] = 1;
            }
        }
    }
}

Vec3 SurfacePull::position(const SurfacePoint& point) const {
    const Triangle& t = triangles_[static_cast<size_t>(point.triangle)];
    Vec3 sum = Vec3::Zero();
    for (size_t c = 0; c < 3; ++c) {
        sum +=
            point.barycentric[static_cast<Eigen::Index>(c)] * positions_[static_cast<size_t>(t[c])];
    }
    return sum;
}

Vec3 SurfacePull::normal(const SurfacePoint& point) const {
    const Triangle& t = triangles_[static_cast<size_t>(point.triangle)];
    Vec3 sum = Vec3::Zero();
    for (size_t c = 0; c < 3; ++c) {
        sum += point.barycentric[static_cast<Eigen::Index>(c)] *
               vertex_normals_[static_cast<size_t>(t[c])];
    }
    const double length = sum.norm();
    return length > kLeastNormal ? Vec3(sum / length)
                                 : normals_[static_cast<size_t>(point.triangle)];
}

bool SurfacePull::on_border(const SurfacePoint& point) const {
    const auto t = static_cast<size_t>(point.triangle);
    for (int c = 0; c < 3; ++c) {
        if (((border_sides_[t] >> c) & 1U) && point.barycentric[c] == 0) return true;
        const int v = triangles_[t][static_cast<size_t>(c)];
        if (point.barycentric[c] == 1 && border_vertices_[static_cast<size_t>(v)]) return true;
    }
    return false;
}

SurfacePoint SurfacePull::nearest(const Vec3& point, const Vec3& normal,
                                  const SurfacePullOptions& options, int last) const {
    const auto counts = [&](int t) {
        return normals_[static_cast<size_t>(t)].dot(normal) > options.min_cosine;
    };
    double reach = options.max_distance;
    if (last >= 0 && counts(last)) {
        const Triangle& t = triangles_[static_cast<size_t>(last)];
        const auto found = closest_point_triangle(point, positions_[static_cast<size_t>(t[0])],
                                                  positions_[static_cast<size_t>(t[1])],
                                                  positions_[static_cast<size_t>(t[2])]);
        // Rounded up, so that squaring it again leaves the point itself within reach.
        reach = std::min(reach, std::sqrt(found.squared_distance) * (1 + 1e-12));
    }
    return query_.closest(point, {.max_distance = reach, .filter = counts});
}

void SurfacePull::find(std::span<const Vec3> points, std::span<const Vec3> normals,
                       const SurfacePullOptions& options,
                       std::span<SurfacePoint> inout_nearest) const {
    parallel_for(static_cast<int>(points.size()), kPointGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto v = static_cast<size_t>(i);
            SurfacePoint& found = inout_nearest[v];
            if (!points[v].allFinite() || normals[v].isZero(0)) {
                found = {};
                continue;
            }
            found = nearest(points[v], normals[v], options, found.triangle);
            if (found.triangle >= 0 && !options.to_border && on_border(found)) found = {};
        }
    });
}

}  // namespace toile
