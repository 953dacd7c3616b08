// SPDX-License-Identifier: Apache-2.0
#include "toile/render/scene_view.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/box.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

SceneView three_boxes() {
    SceneView view;
    for (const double size : {1.0, 1000.0, 0.001}) {
        const TriangleMesh box =
            make_box({.size = size * Vec3(1, 2, 3), .center = size * Vec3(7, -4, 9)});
        view.bodies.push_back(make_render_body("box", box, cloth_look(0)));
    }
    return view;
}

TEST(SideBySide, PutsBodiesOfAnyUnitInARowOnOneFloor) {
    const SceneView view = three_boxes();
    const Vec3 to_camera(0, 0, 1);  // right is +x
    const std::vector<Transform> places = side_by_side(view, to_camera);
    double reached = -1;
    for (size_t i = 0; i < view.bodies.size(); ++i) {
        std::vector<Vec3> positions = view.bodies[i].positions;
        transform_points(places[i], positions);
        const BoundingBox box = bounding_box(positions);
        EXPECT_NEAR(box.diagonal(), std::sqrt(14.0), 1e-9);
        EXPECT_NEAR(box.min.y(), 0, 1e-9);
        EXPECT_NEAR(box.center().z(), 0, 1e-9);
        EXPECT_GT(box.min.x(), reached + 1e-3);
        reached = box.max.x();
    }
}

TEST(SideBySide, LeavesBodiesWithoutPointsWhereTheyAre) {
    SceneView view = three_boxes();
    view.bodies[0].positions.clear();
    view.bodies[0].triangles.clear();
    const std::vector<Transform> places = side_by_side(view, {1, 0.2, 0});
    EXPECT_EQ(places[0].scale, 1);
    EXPECT_TRUE(places[0].translation.isZero(0));
}

TEST(SceneView, NeedsAColourForEveryTriangleOrForNone) {
    SceneView view = three_boxes();
    view.bodies[1].triangle_colors.assign(view.bodies[1].triangles.size(), Color(1, 0, 0));
    EXPECT_NO_THROW(require_valid(view));
    view.bodies[1].triangle_colors.pop_back();
    EXPECT_THROW(require_valid(view), InvalidInput);
}

}  // namespace
}  // namespace toile
