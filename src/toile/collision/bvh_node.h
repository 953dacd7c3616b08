// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"

#include <algorithm>
#include <limits>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace toile {

/// A box of single precision, rounded outwards, and where its children are: the left one follows
/// the node itself. 32 bytes: two to a cache line.
struct alignas(16) BvhNode {
    float min[3];
    int right;  ///< index of the right child, or ~element of a leaf
    float max[3];
    int size;  ///< nodes in this subtree, itself included

    [[nodiscard]] bool is_leaf() const { return right < 0; }
    [[nodiscard]] int element() const { return ~right; }

    /// Nothing (which no finite box overlaps) for an empty box or one with NaN.
    void set_box(const Aabb& box);
    void set_union(const BvhNode& a, const BvhNode& b) {
        for (int k = 0; k < 3; ++k) {
            min[k] = std::min(a.min[k], b.min[k]);
            max[k] = std::max(a.max[k], b.max[k]);
        }
    }
    /// Squared distance from `p` to the box, never above the true one to what lies in it.
    [[nodiscard]] double squared_distance_below(const Vec3& p) const {
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            const double d = std::max({min[k] - p[k], p[k] - max[k], 0.0});
            sum += d * d;
        }
        return sum * (1 - 4 * std::numeric_limits<double>::epsilon());
    }
};

static_assert(sizeof(BvhNode) == 32);

inline void BvhNode::set_box(const Aabb& box) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    constexpr float kUlp = std::numeric_limits<float>::epsilon();
    constexpr float kTiny = std::numeric_limits<float>::min();
    const bool nothing = !(box.min.array() <= box.max.array()).all();
    for (int k = 0; k < 3; ++k) {
        const float low = std::min(static_cast<float>(box.min[k]), kLargest);
        const float high = std::max(static_cast<float>(box.max[k]), -kLargest);
        min[k] = nothing ? std::numeric_limits<float>::infinity()
                         : low - (low < 0 ? -low : low) * kUlp - kTiny;
        max[k] = nothing ? -std::numeric_limits<float>::infinity()
                         : high + (high < 0 ? -high : high) * kUlp + kTiny;
    }
}

/// The plain twin of `nodes_overlap`.
inline bool nodes_overlap_scalar(const BvhNode& a, const BvhNode& b) {
    bool overlap = true;
    for (int k = 0; k < 3; ++k) {
        overlap = overlap & (a.min[k] <= b.max[k]) & (b.min[k] <= a.max[k]);
    }
    return overlap;
}

inline bool nodes_overlap(const BvhNode& a, const BvhNode& b) {
#ifdef __SSE2__
    const __m128 low = _mm_cmple_ps(_mm_load_ps(a.min), _mm_load_ps(b.max));
    const __m128 high = _mm_cmple_ps(_mm_load_ps(b.min), _mm_load_ps(a.max));
    return (_mm_movemask_ps(_mm_and_ps(low, high)) & 7) == 7;
#else
    return nodes_overlap_scalar(a, b);
#endif
}

}  // namespace toile
