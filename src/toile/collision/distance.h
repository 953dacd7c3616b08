// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// Closest point of an edge e0 e1: (1-a) e0 + a e1.
struct PointEdgeClosest {
    double a;                 ///< in [0, 1]; 0 where the edge has no length
    double squared_distance;  ///< m²
};

/// Closest points of a point p and a triangle t0 t1 t2.
struct PointTriangleClosest {
    Vec3 barycentric;  ///< of the closest point: w0 t0 + w1 t1 + w2 t2, each in [0, 1], sum 1
    double squared_distance;  ///< m²
};

/// Closest points of edges ea0 ea1 and eb0 eb1.
/// The one convention of all of Toile: a = 0 is ea0 and a = 1 is ea1, so the point is (1-a) ea0 + a
/// ea1.
struct EdgeEdgeClosest {
    double a;                 ///< in [0, 1]
    double b;                 ///< in [0, 1]
    double squared_distance;  ///< m²
};

/// Right for any input, also an edge without length.
PointEdgeClosest closest_point_edge(const Vec3& p, const Vec3& e0, const Vec3& e1);

/// Right for any input, also triangles and edges without area or length [Ericson05, §5.1.5].
PointTriangleClosest closest_point_triangle(const Vec3& p, const Vec3& t0, const Vec3& t1,
                                            const Vec3& t2);

/// Right for any input; of parallel edges' many closest pairs, one in the middle of the overlap
/// [Ericson05, §5.1.9].
EdgeEdgeClosest closest_edge_edge(const Vec3& ea0, const Vec3& ea1, const Vec3& eb0,
                                  const Vec3& eb1);

}  // namespace toile
