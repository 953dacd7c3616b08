// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/separating_direction.h"

#include "toile/collision/distance.h"

#include <Eigen/Geometry>

#include <cmath>

namespace toile::detail {
namespace {

/// Squared sine of the angle between two edges from which on their normal says reliably on which
/// side the origin is.
constexpr double kTransversalSine2 = 1e-6;

Vec3 unit(const Vec3& x) {
    return x * (1 / x.norm());
}

/// The unit part of c across the edge e; twice, since once leaves the rounding error of c.
Vec3 across(const Vec3& c, const Vec3& e) {
    const double ee = e.squaredNorm();
    if (!(ee > 0)) return unit(c);
    const Vec3 once = unit(c - (c.dot(e) / ee) * e);
    return unit(once - (once.dot(e) / ee) * e);
}

/// Either of the two unit normals of u and v, turned towards x.
Vec3 towards(const Vec3& u, const Vec3& v, const Vec3& x) {
    const Vec3 n = unit(u.cross(v));
    return n.dot(x) < 0 ? Vec3(-n) : n;
}

/// The normal of edges u and v, between whose inner points lies the closest vector.
void separate_by_plane(const Vec3& u, const Vec3& v, const Vec3& closest,
                       Separation& inout_separation) {
    const Vec3 n = u.cross(v);
    const double n2 = n.squaredNorm();
    const double side = n.dot(closest);
    const double turn = side < 0 ? -1 : 1;
    inout_separation.normal = n * (turn / std::sqrt(n2));
    if (n2 > kTransversalSine2 * u.squaredNorm() * v.squaredNorm()) {
        inout_separation.side = (side > 0) - (side < 0);
    }
}

template <size_t K>
bool try_normal(const Vec3& normal, const Differences<K>& corners, double threshold,
                Separation& inout_separation) {
    if (!beyond_plane(normal, corners, threshold)) return false;
    inout_separation.normal = normal;
    inout_separation.separated = true;
    return true;
}

/// For nearly touching or degenerate triangles: all features in turn.
void try_all(const Differences<3>& d, const Vec3& closest, double threshold,
             Separation& inout_separation) {
    const Vec3 n = towards(d[1] - d[0], d[2] - d[0], d[0]);
    if (try_normal(n, d, threshold, inout_separation)) return;
    for (size_t k = 0; k < 3; ++k) {
        const Vec3 edge = d[(k + 1) % 3] - d[k];
        if (try_normal(across(closest, edge), d, threshold, inout_separation)) return;
        if (try_normal(towards(n, edge, d[k]), d, threshold, inout_separation)) return;
        if (try_normal(unit(d[k]), d, threshold, inout_separation)) return;
    }
}

void try_all(const Differences<4>& d, const Vec3& closest, double threshold,
             Separation& inout_separation) {
    const Vec3 u = d[0] - d[2];
    const Vec3 v = d[1] - d[0];
    const Vec3 n = towards(u, v, d[0]);
    if (try_normal(n, d, threshold, inout_separation)) return;
    for (const Vec3& edge : {u, v}) {
        if (try_normal(across(closest, edge), d, threshold, inout_separation)) return;
        if (try_normal(towards(n, edge, closest), d, threshold, inout_separation)) return;
    }
    for (const Vec3& corner : d) {
        if (try_normal(unit(corner), d, threshold, inout_separation)) return;
    }
}

}  // namespace

Separation find_separation(const Differences<3>& d, double threshold) {
    const auto found = closest_point_triangle(Vec3::Zero(), d[0], d[1], d[2]);
    const Vec3& w = found.barycentric;
    const Vec3 closest = w[0] * d[0] + w[1] * d[1] + w[2] * d[2];
    Separation separation{closest, false, 0, w};
    if (w[0] > 0 && w[1] > 0 && w[2] > 0) {
        separate_by_plane(d[1] - d[0], d[2] - d[0], d[0], separation);
    } else {
        size_t zeros = 0;
        size_t zero = 0;
        for (size_t k = 0; k < 3; ++k) {
            if (w[static_cast<int>(k)] > 0) continue;
            ++zeros;
            zero = k;
        }
        separation.normal =
            zeros == 1 ? across(closest, d[(zero + 2) % 3] - d[(zero + 1) % 3]) : unit(closest);
    }
    if (!try_normal(separation.normal, d, threshold, separation)) {
        try_all(d, closest, threshold, separation);
    }
    return separation;
}

Separation find_separation(const Differences<4>& d, double threshold) {
    const Vec3 u = d[0] - d[2];
    const Vec3 v = d[1] - d[0];
    const auto found = closest_edge_edge(Vec3::Zero(), u, d[0], d[1]);
    const Vec3 closest = d[0] + found.b * v - found.a * u;
    Separation separation{closest, false, 0, {found.a, found.b, 0}};
    const bool inside_u = found.a > 0 && found.a < 1;
    const bool inside_v = found.b > 0 && found.b < 1;
    if (inside_u && inside_v) {
        separate_by_plane(u, v, closest, separation);
    } else if (inside_u || inside_v) {
        separation.normal = across(closest, inside_u ? u : v);
    } else {
        separation.normal = unit(closest);
    }
    if (!try_normal(separation.normal, d, threshold, separation)) {
        try_all(d, closest, threshold, separation);
    }
    return separation;
}

}  // namespace toile::detail
