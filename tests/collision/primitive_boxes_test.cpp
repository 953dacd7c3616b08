// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/primitive_boxes.h"

#include "collision/random_geometry.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

bool holds(const Aabb& box, const Vec3& p) {
    return (box.min.array() <= p.array()).all() && (p.array() <= box.max.array()).all();
}

TEST(PrimitiveBoxes, OfAMotionHoldEveryMomentOfIt) {
    RandomGeometry random(1);
    std::vector<Vec3> start, end;
    for (int v = 0; v < 30; ++v) {
        start.push_back(random.point());
        end.push_back(random.point());
    }
    std::vector<Triangle> triangles;
    std::vector<Edge> edges;
    for (int i = 0; i < 20; ++i) {
        triangles.push_back({i, i + 3, i + 7});
        edges.push_back({i, i + 5});
    }
    std::vector<Aabb> point, edge, triangle;
    const SurfaceMotion motion{start, end};
    swept_point_boxes(motion, 0.01, point);
    swept_edge_boxes(motion, edges, 0.01, edge);
    swept_triangle_boxes(motion, triangles, 0.01, triangle);
    for (const double t : {0.0, 0.3, 0.9, 1.0}) {
        const auto at = [&](int v) {
            return Vec3((1 - t) * start[static_cast<size_t>(v)] + t * end[static_cast<size_t>(v)]);
        };
        for (size_t i = 0; i < 20; ++i) {
            EXPECT_TRUE(holds(point[i], at(static_cast<int>(i))));
            for (const int v : edges[i]) EXPECT_TRUE(holds(edge[i], at(v)));
            for (const int v : triangles[i]) EXPECT_TRUE(holds(triangle[i], at(v)));
        }
    }
}

TEST(PrimitiveBoxes, OfProximityOverlapWheneverTheGapIsBelowTheThickness) {
    const double thickness = 1e-3;
    for (const double z : {1e-3, 0.7, 12345.6}) {
        const std::vector<Vec3> positions = {{0, 0, z}, {0, 0, z + thickness}};
        std::vector<Aabb> boxes;
        point_boxes(positions, thickness / 2, boxes);
        EXPECT_TRUE(boxes[0].overlaps(boxes[1])) << z;
    }
}

TEST(PrimitiveBoxes, WithoutMarginAreExact) {
    const std::vector<Vec3> positions = {{0, 1, 2}, {3, -1, 2}, {1, 1, 5}};
    const std::vector<Triangle> triangles = {{0, 1, 2}};
    const std::vector<Edge> edges = {{0, 1}};
    std::vector<Aabb> boxes;
    triangle_boxes(positions, triangles, 0, boxes);
    EXPECT_EQ(boxes[0].min, Vec3(0, -1, 2));
    EXPECT_EQ(boxes[0].max, Vec3(3, 1, 5));
    edge_boxes(positions, edges, 0, boxes);
    EXPECT_EQ(boxes[0].max, Vec3(3, 1, 2));
    edge_boxes(positions, {}, 0, boxes);
    EXPECT_TRUE(boxes.empty());
}

}  // namespace
}  // namespace toile
