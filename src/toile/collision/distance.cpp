// SPDX-License-Identifier: Apache-2.0
// Both queries solve the well-conditioned interior case directly; slivers and nearly parallel edges
// also look at every lower feature and keep the nearest, so that bad conditioning costs time alone.
#include "toile/collision/distance.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace toile {
namespace {

/// Squared sine of the angle between two edges below which the interior solution is not trusted
/// alone: its error is about (machine epsilon) / sine of the edge's length.
constexpr double kWellConditionedSine2 = 1e-6;
/// Squared sine below which edges count as parallel: their distance changes by less than rounding
/// along the overlap.
constexpr double kParallelSine2 = 1e-24;
/// Relative gain of squared distance under which the middle of a parallel overlap is preferred.
constexpr double kTieTolerance = 1e-12;

double clamp01(double x) {
    return std::clamp(x, 0.0, 1.0);
}

PointTriangleClosest on_face(const Vec3& from_t0, const Vec3& u, const Vec3& v, double w1,
                             double w2) {
    return {{1 - w1 - w2, w1, w2}, (from_t0 - w1 * u - w2 * v).squaredNorm()};
}

PointTriangleClosest on_outline(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2) {
    const PointEdgeClosest e01 = closest_point_edge(p, t0, t1);
    const PointEdgeClosest e12 = closest_point_edge(p, t1, t2);
    const PointEdgeClosest e20 = closest_point_edge(p, t2, t0);
    PointTriangleClosest best{{1 - e01.a, e01.a, 0}, e01.squared_distance};
    if (e12.squared_distance < best.squared_distance) {
        best = {{0, 1 - e12.a, e12.a}, e12.squared_distance};
    }
    if (e20.squared_distance < best.squared_distance) {
        best = {{e20.a, 0, 1 - e20.a}, e20.squared_distance};
    }
    return best;
}

/// u, v: the edges' vectors; r: from ea0 to eb0.
struct EdgePair {
    Vec3 u, v, r;

    [[nodiscard]] EdgeEdgeClosest at(double a, double b) const {
        return {a, b, (r + b * v - a * u).squaredNorm()};
    }
    [[nodiscard]] double best_a(double b) const {
        const double uu = u.squaredNorm();
        return uu > 0 ? clamp01(u.dot(r + b * v) / uu) : 0;
    }
    [[nodiscard]] double best_b(double a) const {
        const double vv = v.squaredNorm();
        return vv > 0 ? clamp01(v.dot(a * u - r) / vv) : 0;
    }
};

/// The closest of the four pairs of an end and the other edge.
EdgeEdgeClosest at_ends(const EdgePair& pair) {
    EdgeEdgeClosest best = pair.at(0, pair.best_b(0));
    for (const EdgeEdgeClosest& other :
         {pair.at(1, pair.best_b(1)), pair.at(pair.best_a(0), 0), pair.at(pair.best_a(1), 1)}) {
        if (other.squared_distance < best.squared_distance) best = other;
    }
    return best;
}

EdgeEdgeClosest middle_of_overlap(const EdgePair& pair) {
    const double a = 0.5 * (pair.best_a(0) + pair.best_a(1));
    return pair.at(a, pair.best_b(a));
}

EdgeEdgeClosest ill_conditioned(const EdgePair& pair, const Vec3& n, double n2, double scale) {
    EdgeEdgeClosest best = at_ends(pair);
    if (n2 <= kParallelSine2 * scale) {
        const EdgeEdgeClosest middle = middle_of_overlap(pair);
        return middle.squared_distance <= best.squared_distance * (1 + kTieTolerance) ? middle
                                                                                      : best;
    }
    const double a = pair.r.cross(pair.v).dot(n) / n2;
    const double b = pair.r.cross(pair.u).dot(n) / n2;
    if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
        const EdgeEdgeClosest inner = pair.at(a, b);
        if (inner.squared_distance < best.squared_distance) best = inner;
    }
    return best;
}

}  // namespace

PointEdgeClosest closest_point_edge(const Vec3& p, const Vec3& e0, const Vec3& e1) {
    const Vec3 e = e1 - e0;
    const Vec3 r = p - e0;
    const double ee = e.squaredNorm();
    const double a = ee > 0 ? clamp01(e.dot(r) / ee) : 0;
    // Measured from the nearer end, so that an end's distance is exact.
    if (a > 0.5) return {a, (p - e1 + (1 - a) * e).squaredNorm()};
    return {a, (r - a * e).squaredNorm()};
}

PointTriangleClosest closest_point_triangle(const Vec3& p, const Vec3& t0, const Vec3& t1,
                                            const Vec3& t2) {
    const Vec3 u = t1 - t0;
    const Vec3 v = t2 - t0;
    const Vec3 r = p - t0;
    const Vec3 n = u.cross(v);
    const double n2 = n.squaredNorm();
    if (!(n2 > 0)) return on_outline(p, t0, t1, t2);
    const double w1 = r.cross(v).dot(n) / n2;
    const double w2 = u.cross(r).dot(n) / n2;
    const bool inside = w1 >= 0 && w2 >= 0 && 1 - w1 - w2 >= 0;
    const bool trusted = n2 > kWellConditionedSine2 * u.squaredNorm() * v.squaredNorm();
    if (inside && trusted) return on_face(r, u, v, w1, w2);
    const PointTriangleClosest outline = on_outline(p, t0, t1, t2);
    if (!inside) return outline;
    const PointTriangleClosest face = on_face(r, u, v, w1, w2);
    return face.squared_distance < outline.squared_distance ? face : outline;
}

EdgeEdgeClosest closest_edge_edge(const Vec3& ea0, const Vec3& ea1, const Vec3& eb0,
                                  const Vec3& eb1) {
    const EdgePair pair{ea1 - ea0, eb1 - eb0, eb0 - ea0};
    const Vec3 n = pair.u.cross(pair.v);
    const double n2 = n.squaredNorm();
    const double scale = pair.u.squaredNorm() * pair.v.squaredNorm();
    if (!(n2 > kWellConditionedSine2 * scale)) return ill_conditioned(pair, n, n2, scale);
    const double a = clamp01(pair.r.cross(pair.v).dot(n) / n2);
    const double b = pair.best_b(a);
    return pair.at(pair.best_a(b), b);
}

}  // namespace toile
