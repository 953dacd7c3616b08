// SPDX-License-Identifier: Apache-2.0
// The only file that includes CGAL, compiled with -frounding-math (src/CMakeLists.txt).
#include "toile/collision/exact_predicates.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <cmath>
#include <limits>

namespace toile {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

/// Half the distance of 1 and the next double.
constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;
/// Shewchuk's A-stage bounds, (7 + 56 e) e and (3 + 16 e) e, rounded up.
constexpr double kOrient3dBound = 8 * kRoundoff;
constexpr double kOrient2dBound = 4 * kRoundoff;
/// Outside of these a product might have underflowed or overflowed, which the bounds do not cover.
constexpr double kSmallestTrusted = 1e-250;
constexpr double kLargestTrusted = 1e250;

int sign(double x) {
    return (x > 0) - (x < 0);
}

bool trusted(double determinant, double bound, double permanent) {
    return permanent > kSmallestTrusted && permanent < kLargestTrusted &&
           std::abs(determinant) > bound * permanent;
}

Kernel::Point_3 point(const Vec3& p) {
    return {p.x(), p.y(), p.z()};
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double ax = a.x() - d.x(), ay = a.y() - d.y(), az = a.z() - d.z();
    const double bx = b.x() - d.x(), by = b.y() - d.y(), bz = b.z() - d.z();
    const double cx = c.x() - d.x(), cy = c.y() - d.y(), cz = c.z() - d.z();
    const double bxcy = bx * cy, cxby = cx * by;
    const double cxay = cx * ay, axcy = ax * cy;
    const double axby = ax * by, bxay = bx * ay;
    const double determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
    const double permanent = (std::abs(bxcy) + std::abs(cxby)) * std::abs(az) +
                             (std::abs(cxay) + std::abs(axcy)) * std::abs(bz) +
                             (std::abs(axby) + std::abs(bxay)) * std::abs(cz);
    if (trusted(determinant, kOrient3dBound, permanent)) return -sign(determinant);
    // Differences of equal numbers are exact: flat along an axis.
    if (az == 0 && bz == 0 && cz == 0) return 0;
    if (ay == 0 && by == 0 && cy == 0) return 0;
    if (ax == 0 && bx == 0 && cx == 0) return 0;
    return static_cast<int>(CGAL::orientation(point(a), point(b), point(c), point(d)));
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    const double left = (a[u] - c[u]) * (b[v] - c[v]);
    const double right = (a[v] - c[v]) * (b[u] - c[u]);
    const double determinant = left - right;
    if (trusted(determinant, kOrient2dBound, std::abs(left) + std::abs(right))) {
        return sign(determinant);
    }
    return static_cast<int>(CGAL::orientation(
        Kernel::Point_2(a[u], a[v]), Kernel::Point_2(b[u], b[v]), Kernel::Point_2(c[u], c[v])));
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
    return orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0;
}

}  // namespace toile
