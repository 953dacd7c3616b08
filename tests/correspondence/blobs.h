// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/markers.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/triangle_mesh.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <vector>

namespace toile::test {

/// Directions of the horns of a blob; in no symmetric arrangement.
inline std::array<Vec3, 4> horn_directions() {
    return {Vec3(1, 0.2, 0.1).normalized(), Vec3(-0.6, 0.7, 0.3).normalized(),
            Vec3(-0.3, -0.8, 0.5).normalized(), Vec3(0.1, 0.3, -1).normalized()};
}

/// A sphere's mesh pulled out into a body with four horns of the given length.
inline TriangleMesh blob_of(TriangleMesh sphere, double horn, double stretch) {
    for (Vec3& p : sphere.positions) {
        const Vec3 direction = p.normalized();
        double radius = 1;
        for (const Vec3& to : horn_directions()) {
            radius += horn * std::exp(-8 * (direction - to).squaredNorm());
        }
        p = radius * Vec3(direction.x(), stretch * direction.y(), direction.z());
    }
    return sphere;
}

/// Two animals of our own: alike in parts, unlike in proportions and connectivity.
inline TriangleMesh blob_source(int subdivisions = 3) {
    return blob_of(make_sphere({.radius = 1, .subdivisions = subdivisions}), 0.7, 1.0);
}
inline TriangleMesh blob_target(int segments = 40) {
    return blob_of(make_uv_sphere({.radius = 1, .segments = segments, .rings = segments / 2}), 1.0,
                   1.3);
}

inline int nearest_in_direction(const TriangleMesh& sphere, const Vec3& direction) {
    int best = 0;
    for (int v = 0; v < sphere.n_vertices(); ++v) {
        const auto dot = [&](int i) {
            return sphere.positions[static_cast<size_t>(i)].normalized().dot(direction);
        };
        if (dot(v) > dot(best)) best = v;
    }
    return best;
}

/// Markers at the tips of the horns and between them. The blobs must come from `blob_source` and
/// `blob_target` of the given fineness.
inline std::vector<Marker> blob_markers(int subdivisions = 3, int segments = 40) {
    const TriangleMesh source = make_sphere({.radius = 1, .subdivisions = subdivisions});
    const TriangleMesh target =
        make_uv_sphere({.radius = 1, .segments = segments, .rings = segments / 2});
    std::vector<Vec3> directions;
    const std::array<Vec3, 4> horns = horn_directions();
    for (size_t i = 0; i < horns.size(); ++i) {
        directions.push_back(horns[i]);
        for (size_t j = 0; j < i; ++j) directions.push_back((horns[i] + horns[j]).normalized());
    }
    std::vector<Marker> markers;
    for (const Vec3& d : directions) {
        markers.push_back({nearest_in_direction(source, d), nearest_in_direction(target, d), 0});
    }
    return markers;
}

}  // namespace toile::test
