// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace toile {

/// Exact geometry on small integers, by another road than the library's: whether the origin lies
/// in a convex hull, by looking at every simplex of its points (Caratheodory's theorem).
using IntegerPoint = std::array<std::int64_t, 3>;

inline IntegerPoint integer_point(const Vec3& p) {
    return {std::llround(p.x()), std::llround(p.y()), std::llround(p.z())};
}

inline IntegerPoint operator-(const IntegerPoint& a, const IntegerPoint& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline std::int64_t dot(const IntegerPoint& a, const IntegerPoint& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline IntegerPoint cross(const IntegerPoint& a, const IntegerPoint& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline std::int64_t volume(const IntegerPoint& a, const IntegerPoint& b, const IntegerPoint& c) {
    return dot(cross(a, b), c);
}

inline bool is_zero(const IntegerPoint& a) {
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

inline bool origin_in_segment(const IntegerPoint& a, const IntegerPoint& b) {
    return is_zero(cross(a, b)) && dot(a, b) <= 0;
}

/// False for a triangle without area: its sides are looked at on their own.
inline bool origin_in_triangle(const IntegerPoint& a, const IntegerPoint& b,
                               const IntegerPoint& c) {
    const IntegerPoint n = cross(b - a, c - a);
    return !is_zero(n) && dot(n, a) == 0 && dot(cross(a, b), n) >= 0 && dot(cross(b, c), n) >= 0 &&
           dot(cross(c, a), n) >= 0;
}

/// False for a tetrahedron without volume.
inline bool origin_in_tetrahedron(const IntegerPoint& a, const IntegerPoint& b,
                                  const IntegerPoint& c, const IntegerPoint& d) {
    const std::int64_t whole = volume(b - a, c - a, d - a);
    if (whole == 0) return false;
    const std::int64_t s = whole > 0 ? 1 : -1;
    return s * volume(b, c, d) >= 0 && s * volume(a, d, c) >= 0 && s * volume(a, b, d) >= 0 &&
           s * volume(a, c, b) >= 0;
}

inline bool origin_in_hull(const std::vector<IntegerPoint>& x) {
    const size_t n = x.size();
    for (size_t i = 0; i < n; ++i) {
        if (is_zero(x[i])) return true;
        for (size_t j = i + 1; j < n; ++j) {
            if (origin_in_segment(x[i], x[j])) return true;
            for (size_t k = j + 1; k < n; ++k) {
                if (origin_in_triangle(x[i], x[j], x[k])) return true;
                for (size_t l = k + 1; l < n; ++l) {
                    if (origin_in_tetrahedron(x[i], x[j], x[k], x[l])) return true;
                }
            }
        }
    }
    return false;
}

/// Whether the hulls of two point sets meet: whether their difference holds the origin.
inline bool hulls_meet(const std::vector<IntegerPoint>& a, const std::vector<IntegerPoint>& b) {
    std::vector<IntegerPoint> difference;
    for (const IntegerPoint& p : a) {
        for (const IntegerPoint& q : b) difference.push_back(p - q);
    }
    return origin_in_hull(difference);
}

}  // namespace toile
