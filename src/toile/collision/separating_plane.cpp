// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/separating_plane.h"

#include "toile/collision/separating_direction.h"

namespace toile {
namespace {

using detail::DifferenceMotion;

template <size_t K>
bool separated_along(const Vec3& direction, const DifferenceMotion<K>& motion) {
    const Vec3 n = direction / direction.stableNorm();
    return detail::beyond_plane(n, motion.start, motion.threshold) &&
           detail::beyond_plane(n, motion.end, motion.threshold);
}

template <size_t K>
bool plane_separates(const DifferenceMotion<K>& motion) {
    if (detail::separated_along_axis(motion)) return true;
    const detail::Separation start = detail::find_separation(motion.start, motion.threshold);
    if (!start.separated) return false;
    if (detail::beyond_plane(start.normal, motion.end, motion.threshold)) return true;
    const detail::Separation end = detail::find_separation(motion.end, motion.threshold);
    return end.separated && detail::beyond_plane(end.normal, motion.start, motion.threshold);
}

}  // namespace

bool point_triangle_separated_along(const Vec3& direction, const StencilMotion& motion,
                                    double min_separation) {
    return separated_along(direction, detail::point_triangle_differences(motion, min_separation));
}

bool edge_edge_separated_along(const Vec3& direction, const StencilMotion& motion,
                               double min_separation) {
    return separated_along(direction, detail::edge_edge_differences(motion, min_separation));
}

bool point_triangle_plane_separates(const StencilMotion& motion, double min_separation) {
    return plane_separates(detail::point_triangle_differences(motion, min_separation));
}

bool edge_edge_plane_separates(const StencilMotion& motion, double min_separation) {
    return plane_separates(detail::edge_edge_differences(motion, min_separation));
}

}  // namespace toile
