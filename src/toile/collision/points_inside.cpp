// SPDX-License-Identifier: Apache-2.0
// Parity of a ray by exact tests; a ray that meets an edge, a vertex or a plane is shot again.
#include "toile/collision/exact_segment.h"
#include "toile/collision/intersection.h"
#include "toile/collision/primitive_boxes.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace toile {
namespace {

constexpr int kGrain = 64;
/// Rays per point. Each is degenerate with a chance near zero, so that running out means nothing
/// but a surface far beyond double's resolution.
constexpr int kLargestTries = 100;
/// How far a ray leaves the x direction, of the surface's size: little, so that its box is thin.
constexpr double kTilt = 1e-3;

bool has_even_edges(std::span<const Triangle> triangles) {
    std::vector<Edge> edges;
    for (const Triangle& t : triangles) {
        for (size_t k = 0; k < 3; ++k) {
            const int v = t[k];
            const int w = t[(k + 1) % 3];
            if (v != w) edges.push_back({std::min(v, w), std::max(v, w)});
        }
    }
    std::sort(edges.begin(), edges.end());
    for (size_t i = 0; i < edges.size();) {
        size_t end = i;
        while (end < edges.size() && edges[end] == edges[i]) ++end;
        if ((end - i) % 2 == 1) return false;
        i = end;
    }
    return true;
}

/// A fixed irregular sequence in [-1, 1] (golden ratio, and another quadratic irrational).
Vec2 irregular(int i) {
    const double a = 0.5 + 0.6180339887498949 * (i + 1);
    const double b = 0.3 + 0.4142135623730950 * (i + 1);
    return {2 * (a - std::floor(a)) - 1, 2 * (b - std::floor(b)) - 1};
}

class InsideTest {
  public:
    InsideTest(std::span<const Vec3> positions, std::span<const Triangle> triangles)
        : positions_(positions), triangles_(triangles) {
        std::vector<Aabb> boxes;
        triangle_boxes(positions, triangles, 0, boxes);
        tree_ = Bvh(boxes);
        bounds_ = tree_.bounds();
    }

    [[nodiscard]] bool inside(const Vec3& p) const {
        if (!bounds_.overlaps({p, p}) || on_surface(p)) return false;
        for (int i = 0; i < kLargestTries; ++i) {
            if (const std::optional<bool> odd = odd_crossings(p, far_end(p, i))) return *odd;
        }
        throw ComputationFailed(fmt::format(
            "Whether the point ({}, {}, {}) lies inside a surface could not be told: {} rays "
            "from it all met an edge or a vertex.",
            p.x(), p.y(), p.z(), kLargestTries));
    }

  private:
    [[nodiscard]] std::array<Vec3, 3> corners(int triangle) const {
        const Triangle& t = triangles_[static_cast<size_t>(triangle)];
        return {positions_[static_cast<size_t>(t[0])], positions_[static_cast<size_t>(t[1])],
                positions_[static_cast<size_t>(t[2])]};
    }
    [[nodiscard]] bool on_surface(const Vec3& p) const {
        bool on = false;
        tree_.visit_box({p, p},
                        [&](int t) { on = on || segment_meets_triangle(p, p, corners(t)); });
        return on;
    }
    [[nodiscard]] Vec3 far_end(const Vec3& p, int i) const {
        const double size = bounds_.diagonal();
        const bool left = p.x() - bounds_.min.x() < bounds_.max.x() - p.x();
        const Vec2 tilt = kTilt * size * irregular(i);
        const double x = left ? bounds_.min.x() - size : bounds_.max.x() + size;
        return {x, p.y() + tilt.x(), p.z() + tilt.y()};
    }
    /// Nothing where the ray is degenerate.
    [[nodiscard]] std::optional<bool> odd_crossings(const Vec3& p, const Vec3& q) const {
        bool odd = false;
        bool degenerate = false;
        Aabb box{p, p};
        box.extend(q);
        tree_.visit_box(box, [&](int t) {
            if (degenerate) return;
            const Passage passed = passage(p, q, corners(t));
            degenerate = passed == Passage::Degenerate;
            odd = odd != (passed == Passage::Through);
        });
        return degenerate ? std::nullopt : std::optional<bool>(odd);
    }

    std::span<const Vec3> positions_;
    std::span<const Triangle> triangles_;
    Bvh tree_;
    Aabb bounds_;
};

}  // namespace

std::vector<int> points_inside(std::span<const Vec3> points, std::span<const Vec3> positions,
                               std::span<const Triangle> triangles) {
    std::vector<int> found;
    if (triangles.empty() || !has_even_edges(triangles)) return found;
    const InsideTest test(positions, triangles);
    parallel_collect(
        static_cast<int>(points.size()), kGrain,
        [&](int begin, int end, std::vector<int>& piece) {
            for (int i = begin; i < end; ++i) {
                const Vec3& p = points[static_cast<size_t>(i)];
                if (p.allFinite() && test.inside(p)) piece.push_back(i);
            }
        },
        found);
    return found;
}

}  // namespace toile
