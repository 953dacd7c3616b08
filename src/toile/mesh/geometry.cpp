// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/geometry.h"

#include <algorithm>

namespace toile {
namespace {

Vec3 area_vector(std::span<const Vec3> positions, const Triangle& t) {
    return triangle_area_vector(positions[t[0]], positions[t[1]], positions[t[2]]);
}

/// Unlike Eigen's normalized(), does not lose tiny vectors whose squared length underflows.
Vec3 unit_or_zero(const Vec3& v) {
    const double length = v.stableNorm();
    return length > 0 ? Vec3(v / length) : Vec3(Vec3::Zero());
}

}  // namespace

BoundingBox bounding_box(std::span<const Vec3> positions) {
    BoundingBox box;
    for (const Vec3& p : positions) {
        if (!p.allFinite()) continue;
        box.min = box.min.cwiseMin(p);
        box.max = box.max.cwiseMax(p);
    }
    return box;
}

std::vector<double> triangle_areas(std::span<const Vec3> positions,
                                   std::span<const Triangle> triangles) {
    std::vector<double> areas;
    areas.reserve(triangles.size());
    for (const Triangle& t : triangles) areas.push_back(0.5 * area_vector(positions, t).norm());
    return areas;
}

double total_area(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    double area = 0;
    for (const Triangle& t : triangles) area += 0.5 * area_vector(positions, t).norm();
    return area;
}

std::vector<Vec3> triangle_normals(std::span<const Vec3> positions,
                                   std::span<const Triangle> triangles) {
    std::vector<Vec3> normals;
    normals.reserve(triangles.size());
    for (const Triangle& t : triangles) normals.push_back(unit_or_zero(area_vector(positions, t)));
    return normals;
}

std::vector<Vec3> vertex_normals(std::span<const Vec3> positions,
                                 std::span<const Triangle> triangles) {
    std::vector<Vec3> normals(positions.size());
    vertex_normals(positions, triangles, normals);
    return normals;
}

void vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                    std::span<Vec3> out_normals) {
    std::fill(out_normals.begin(), out_normals.end(), Vec3(Vec3::Zero()));
    for (const Triangle& t : triangles) {
        const Vec3 n = area_vector(positions, t);
        for (const int v : t) out_normals[v] += n;
    }
    for (Vec3& n : out_normals) n = unit_or_zero(n);
}

double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    if (positions.empty()) return 0;
    const Vec3 origin = positions[0];  // near the surface, so that far-away meshes lose no digits
    double six_volumes = 0;
    for (const Triangle& t : triangles) {
        six_volumes += (positions[t[0]] - origin)
                           .dot((positions[t[1]] - origin).cross(positions[t[2]] - origin));
    }
    return six_volumes / 6;
}

LengthStatistics edge_length_statistics(std::span<const Vec3> positions,
                                        std::span<const Edge> edges) {
    if (edges.empty()) return {};
    LengthStatistics statistics;
    statistics.min = std::numeric_limits<double>::infinity();
    for (const Edge& e : edges) {
        const double length = (positions[e[1]] - positions[e[0]]).norm();
        statistics.min = std::min(statistics.min, length);
        statistics.max = std::max(statistics.max, length);
        statistics.mean += length;
    }
    statistics.mean /= static_cast<double>(edges.size());
    return statistics;
}

}  // namespace toile
