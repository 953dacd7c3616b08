// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"

#include <algorithm>
#include <limits>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace toile {

/// Where something starts and which ways it may go in a step: a box of places and a box of
/// displacements, in single precision. Two of them are compared in the frame of either, so that
/// what moves alike is as far apart in motion as at rest, with no frame to be chosen. The fourth
/// number of each row is room for a radius. One cache line.
struct alignas(64) MotionBox {
    using Row = float[4];
    Row low, high;          ///< of places, m
    Row way_low, way_high;  ///< of displacements, m

    /// What no finite box meets.
    static MotionBox nothing();
    /// A point with the ways it may go. `radius` (m, rounded up) is kept aside, and the rounding of
    /// `may_meet` made up for. Nothing where a number is NaN; everywhere beyond 1e30 m.
    static MotionBox of(const Vec3& place, const Aabb& ways, double radius);

    void extend(const MotionBox& other);
    /// Enlarges the places by the largest radius of what the box was made of, and keeps none.
    void take_radius();
};

static_assert(sizeof(MotionBox) == 64);

inline MotionBox MotionBox::nothing() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return {{kInfinity, kInfinity, kInfinity, 0},
            {-kInfinity, -kInfinity, -kInfinity, 0},
            {kInfinity, kInfinity, kInfinity, 0},
            {-kInfinity, -kInfinity, -kInfinity, 0}};
}

inline MotionBox MotionBox::of(const Vec3& place, const Aabb& ways, double radius) {
    constexpr double kLargest = 1e30;
    /// Conversions, one difference and one sum of singles are off by three halves of this at most.
    constexpr double kRounding = 0x1p-21;
    constexpr double kTiny = std::numeric_limits<float>::min();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    MotionBox box;
    double largest = radius;
    bool any_nan = !(radius >= 0);
    for (int k = 0; k < 3; ++k) {
        const double way = std::max(std::abs(ways.min[k]), std::abs(ways.max[k]));
        const double room = kRounding * (std::abs(place[k]) + radius + way) + kTiny;
        box.low[k] = static_cast<float>(place[k] - room);
        box.high[k] = static_cast<float>(place[k] + room);
        box.way_low[k] = static_cast<float>(ways.min[k]);
        box.way_high[k] = static_cast<float>(ways.max[k]);
        largest = std::max({largest, std::abs(place[k]), way});
        any_nan = any_nan || !(ways.min[k] <= ways.max[k]) || !(place[k] == place[k]);
    }
    if (any_nan) return nothing();
    if (largest > kLargest) {
        box = {
            {-kInfinity, -kInfinity, -kInfinity, 0}, {kInfinity, kInfinity, kInfinity, 0}, {}, {}};
    }
    box.low[3] = box.way_low[3] = box.way_high[3] = 0;
    box.high[3] = largest > kLargest ? 0 : static_cast<float>(radius * (1 + kRounding) + kTiny);
    return box;
}

/// The plain twin of `may_meet`.
inline bool may_meet_scalar(const MotionBox& a, const MotionBox& b) {
    bool meet = true;
    for (int k = 0; k < 3; ++k) {
        const float up = std::max(a.way_high[k] - b.way_low[k], 0.0F);
        const float down = std::min(a.way_low[k] - b.way_high[k], 0.0F);
        meet = meet & (a.high[k] + up >= b.low[k]) & (a.low[k] + down <= b.high[k]);
    }
    return meet;
}

#ifdef __SSE2__

inline bool may_meet(const MotionBox& a, const MotionBox& b) {
    const __m128 zero = _mm_setzero_ps();
    const __m128 up = _mm_sub_ps(_mm_load_ps(a.way_high), _mm_load_ps(b.way_low));
    const __m128 down = _mm_sub_ps(_mm_load_ps(a.way_low), _mm_load_ps(b.way_high));
    const __m128 high = _mm_add_ps(_mm_load_ps(a.high), _mm_max_ps(up, zero));
    const __m128 low = _mm_add_ps(_mm_load_ps(a.low), _mm_min_ps(down, zero));
    const __m128 above = _mm_cmpge_ps(high, _mm_load_ps(b.low));
    const __m128 below = _mm_cmple_ps(low, _mm_load_ps(b.high));
    return (_mm_movemask_ps(_mm_and_ps(above, below)) & 7) == 7;
}

inline void MotionBox::extend(const MotionBox& other) {
    _mm_store_ps(low, _mm_min_ps(_mm_load_ps(low), _mm_load_ps(other.low)));
    _mm_store_ps(high, _mm_max_ps(_mm_load_ps(high), _mm_load_ps(other.high)));
    _mm_store_ps(way_low, _mm_min_ps(_mm_load_ps(way_low), _mm_load_ps(other.way_low)));
    _mm_store_ps(way_high, _mm_max_ps(_mm_load_ps(way_high), _mm_load_ps(other.way_high)));
}

#else

inline bool may_meet(const MotionBox& a, const MotionBox& b) {
    return may_meet_scalar(a, b);
}

inline void MotionBox::extend(const MotionBox& other) {
    for (int k = 0; k < 4; ++k) {
        low[k] = std::min(low[k], other.low[k]);
        high[k] = std::max(high[k], other.high[k]);
        way_low[k] = std::min(way_low[k], other.way_low[k]);
        way_high[k] = std::max(way_high[k], other.way_high[k]);
    }
}

#endif

inline void MotionBox::take_radius() {
    const float radius = high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] -= radius;
        high[k] += radius;
    }
    high[3] = 0;
}

}  // namespace toile
