// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/difference_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile::detail {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

template <size_t K>
double largest_coordinate(const std::array<Vec3, K>& points) {
    double largest = 0;
    for (const Vec3& p : points) largest = std::max(largest, p.cwiseAbs().maxCoeff());
    return largest;
}

/// Let u be the unit roundoff, C the largest coordinate and M the largest coordinate of a corner.
/// Against the true number, each coordinate of a computed corner at a time t is off by at most
///   2 u C   the inputs themselves, as reals that round to the given doubles,
///   u M     their difference,
///   2 u M   its interpolation,
/// and a product with n by |n|_1 times that and by 3 u |n|_1 M of its own. |n|_1 <= sqrt(3) |n| <
/// 2, and |n| is 1 but for 4 u. The first terms of second order hide in the rounding up of 6 to 8
/// and of 2 to 4; underflow adds less than the smallest normal number.
template <size_t K>
double threshold(const StencilMotion& motion, const DifferenceMotion<K>& differences,
                 double min_separation) {
    const double c = std::max(largest_coordinate(motion.start), largest_coordinate(motion.end));
    const double m =
        std::max(largest_coordinate(differences.start), largest_coordinate(differences.end));
    const double error = kRoundoff * (8 * m + 4 * c) + std::numeric_limits<double>::min();
    return min_separation * (1 + 8 * kRoundoff) + 2 * error;
}

Differences<3> of_point_triangle(const std::array<Vec3, 4>& x) {
    return {x[1] - x[0], x[2] - x[0], x[3] - x[0]};
}

Differences<4> of_edge_edge(const std::array<Vec3, 4>& x) {
    return {x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1]};
}

}  // namespace

DifferenceMotion<3> point_triangle_differences(const StencilMotion& motion, double min_separation) {
    DifferenceMotion<3> d{of_point_triangle(motion.start), of_point_triangle(motion.end), 0};
    d.threshold = threshold(motion, d, min_separation);
    return d;
}

DifferenceMotion<4> edge_edge_differences(const StencilMotion& motion, double min_separation) {
    DifferenceMotion<4> d{of_edge_edge(motion.start), of_edge_edge(motion.end), 0};
    d.threshold = threshold(motion, d, min_separation);
    return d;
}

}  // namespace toile::detail
