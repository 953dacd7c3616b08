// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/closest_point.h"

#include "toile/collision/bvh_build.h"
#include "toile/collision/distance.h"
#include "toile/collision/primitive_boxes.h"

#include <cmath>

namespace toile {
namespace {

/// The nearest so far; of equally near ones the lowest index, whatever the order they come in.
struct Nearest {
    const Vec3& p;
    std::span<const Vec3> positions;
    std::span<const Triangle> triangles;
    const ClosestPointOptions& options;
    double squared_distance;
    SurfacePoint best{};

    void offer(int triangle) {
        if (options.filter && !options.filter(triangle)) return;
        const Triangle& t = triangles[static_cast<size_t>(triangle)];
        const PointTriangleClosest found = closest_point_triangle(
            p, positions[static_cast<size_t>(t[0])], positions[static_cast<size_t>(t[1])],
            positions[static_cast<size_t>(t[2])]);
        const bool nearer = found.squared_distance < squared_distance;
        const bool as_near = found.squared_distance == squared_distance;
        if (nearer || (as_near && (best.triangle < 0 || triangle < best.triangle))) {
            squared_distance = found.squared_distance;
            best = {triangle, found.barycentric, std::sqrt(squared_distance)};
        }
    }
};

Nearest start(const Vec3& p, std::span<const Vec3> positions, std::span<const Triangle> triangles,
              const ClosestPointOptions& options) {
    return {p, positions, triangles, options, options.max_distance * options.max_distance};
}

struct Pending {
    int node;
    double squared_distance;
};

}  // namespace

ClosestPointQuery::ClosestPointQuery(std::span<const Vec3> positions,
                                     std::span<const Triangle> triangles)
    : positions_(positions), triangles_(triangles) {
    triangle_boxes(positions, triangles, 0, boxes_);
    tree_ = Bvh(boxes_);
}

void ClosestPointQuery::refit(std::span<const Vec3> positions) {
    positions_ = positions;
    triangle_boxes(positions, triangles_, 0, boxes_);
    tree_.refit(boxes_);
}

SurfacePoint ClosestPointQuery::closest(const Vec3& p, const ClosestPointOptions& options) const {
    Nearest nearest = start(p, positions_, triangles_, options);
    const std::span<const BvhNode> nodes = tree_.nodes();
    if (nodes.empty()) return nearest.best;
    std::array<Pending, detail::kLargestTreeDepth + 1> stack;
    size_t n = 0;
    stack[n++] = {0, nodes[0].squared_distance_below(p)};
    while (n > 0) {
        const Pending pending = stack[--n];
        if (!(pending.squared_distance <= nearest.squared_distance)) continue;
        const BvhNode& node = nodes[static_cast<size_t>(pending.node)];
        if (node.is_leaf()) {
            nearest.offer(node.element());
            continue;
        }
        Pending left{pending.node + 1,
                     nodes[static_cast<size_t>(pending.node) + 1].squared_distance_below(p)};
        Pending right{node.right, nodes[static_cast<size_t>(node.right)].squared_distance_below(p)};
        if (left.squared_distance < right.squared_distance) std::swap(left, right);
        stack[n++] = left;
        stack[n++] = right;
    }
    return nearest.best;
}

namespace brute_force {

SurfacePoint closest_on_surface(const Vec3& p, std::span<const Vec3> positions,
                                std::span<const Triangle> triangles,
                                const ClosestPointOptions& options) {
    Nearest nearest = start(p, positions, triangles, options);
    for (size_t t = 0; t < triangles.size(); ++t) nearest.offer(static_cast<int>(t));
    return nearest.best;
}

}  // namespace brute_force

}  // namespace toile
