// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <span>

namespace toile::detail {

using Edges = Eigen::Matrix<double, 3, 2>;

/// The two edges from the first corner.
inline Edges edges_of(const Triangle& t, std::span<const Vec3> positions) {
    Edges edges;
    edges << positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]];
    return edges;
}

/// V = [e1 | e2 | n / sqrt|n|], the edges and the normal scaled like a length [Sumner04, eq. 1];
/// zero in its last column where the triangle has no area.
inline Mat3 frame_of(const Edges& edges) {
    Mat3 frame;
    const Vec3 n = edges.col(0).cross(edges.col(1));
    const double length = n.norm();
    frame << edges, (length > 0 ? Vec3(n / std::sqrt(length)) : Vec3(Vec3::Zero()));
    return frame;
}

inline Mat3 frame_of(const Triangle& t, std::span<const Vec3> positions) {
    return frame_of(edges_of(t, positions));
}

/// |F| |F^-1| / 3 in Frobenius norms: 1 for a similarity, at most the condition number and at least
/// a third of it; infinite where F is singular.
inline double condition(const Mat3& f) {
    Mat3 cofactors;
    cofactors << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    const double determinant = std::abs(f.col(0).dot(cofactors.col(0)));
    return f.norm() * cofactors.norm() / (3 * determinant);
}

}  // namespace toile::detail
