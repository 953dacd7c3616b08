// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/transform.h"
#include "toile/mesh/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace toile::test {

/// For every target triangle the source triangles of the nearest centroids: what a correspondence
/// gives, for shapes that lie over one another.
inline TrianglePairs nearest_pairs(const TriangleMesh& source, const TriangleMesh& target,
                                   size_t n_each) {
    const auto centroid = [](const TriangleMesh& mesh, const Triangle& t) {
        return Vec3((mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3);
    };
    TrianglePairs pairs{.n_source_triangles = source.n_triangles()};
    for (const Triangle& t : target.triangles) {
        const Vec3 c = centroid(target, t);
        std::vector<std::pair<double, int>> order;
        for (int s = 0; s < source.n_triangles(); ++s) {
            order.emplace_back((centroid(source, source.triangles[s]) - c).norm(), s);
        }
        std::partial_sort(order.begin(), order.begin() + static_cast<int>(n_each), order.end());
        for (size_t k = 0; k < n_each; ++k) pairs.source_list.push_back(order[k].second);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    return pairs;
}

/// A bend round z that grows with height, and a little swelling.
inline std::vector<Vec3> bent(std::span<const Vec3> positions, double strength) {
    std::vector<Vec3> result;
    for (const Vec3& p : positions) {
        const Mat3 turn = rotation_about_axis(Vec3(0.2, 0.1, 1), strength * p.y());
        result.push_back(turn * (p * (1 + 0.1 * strength * p.x())));
    }
    return result;
}

inline double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (size_t v = 0; v < a.size(); ++v) {
        const double distance = (a[v] - b[v]).norm();
        if (!(distance <= largest)) largest = distance;  // NaN too
    }
    return largest;
}

inline double diagonal(const TriangleMesh& mesh) {
    return bounding_box(mesh.positions).diagonal();
}

}  // namespace toile::test
