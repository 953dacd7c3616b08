// SPDX-License-Identifier: Apache-2.0
#include "toile/render/shading_normals.h"

#include "toile/core/parallel.h"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr int kGrain = 1024;

/// Triangles round vertex v: corners[first[v] … first[v + 1]), ascending, as triangle indices.
struct VertexStars {
    std::vector<int> first;
    std::vector<int> triangles;
};

VertexStars vertex_stars(std::span<const Triangle> triangles, size_t n_vertices) {
    VertexStars stars;
    stars.first.assign(n_vertices + 1, 0);
    for (const Triangle& t : triangles) {
        for (const int v : t) ++stars.first[static_cast<size_t>(v) + 1];
    }
    for (size_t v = 0; v < n_vertices; ++v) stars.first[v + 1] += stars.first[v];
    stars.triangles.resize(3 * triangles.size());
    std::vector<int> next(stars.first.begin(), stars.first.end() - 1);
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (const int v : triangles[t]) {
            stars.triangles[static_cast<size_t>(next[static_cast<size_t>(v)]++)] =
                static_cast<int>(t);
        }
    }
    return stars;
}

std::vector<Vec3> area_vectors(std::span<const Vec3> positions,
                               std::span<const Triangle> triangles) {
    std::vector<Vec3> areas(triangles.size());
    parallel_for(static_cast<int>(triangles.size()), kGrain, [&](int begin, int end) {
        for (auto t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
            const Vec3& a = positions[static_cast<size_t>(triangles[t][0])];
            const Vec3& b = positions[static_cast<size_t>(triangles[t][1])];
            const Vec3& c = positions[static_cast<size_t>(triangles[t][2])];
            areas[t] = (b - a).cross(c - a);
        }
    });
    return areas;
}

Eigen::Vector3f unit_or_zero(const Vec3& v) {
    const double length = v.norm();
    return length > 0 ? Eigen::Vector3f((v / length).cast<float>()) : Eigen::Vector3f::Zero();
}

}  // namespace

std::vector<Eigen::Vector3f> corner_normals(std::span<const Vec3> positions,
                                            std::span<const Triangle> triangles,
                                            double crease_angle) {
    const VertexStars stars = vertex_stars(triangles, positions.size());
    const std::vector<Vec3> areas = area_vectors(positions, triangles);
    const bool smooth = crease_angle >= std::numbers::pi;
    const double least_cosine = std::cos(crease_angle);
    const auto belongs = [&](const Vec3& own, const Vec3& other) {
        return smooth || own.isZero(0) ||
               own.dot(other) >= least_cosine * own.norm() * other.norm();
    };
    std::vector<Eigen::Vector3f> normals(3 * triangles.size());
    parallel_for(static_cast<int>(triangles.size()), kGrain, [&](int begin, int end) {
        for (auto corner = 3 * static_cast<size_t>(begin); corner < 3 * static_cast<size_t>(end);
             ++corner) {
            const size_t t = corner / 3;
            const auto v = static_cast<size_t>(triangles[t][corner % 3]);
            Vec3 sum = Vec3::Zero();
            for (int i = stars.first[v]; i < stars.first[v + 1]; ++i) {
                const Vec3& other =
                    areas[static_cast<size_t>(stars.triangles[static_cast<size_t>(i)])];
                if (belongs(areas[t], other)) sum += other;
            }
            normals[corner] = unit_or_zero(sum);
        }
    });
    return normals;
}

}  // namespace toile
