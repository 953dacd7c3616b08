// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/repulsion.h"

#include "contact/contact_scene.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

using test::Scene;

constexpr double kStep = 0.01;
constexpr double kThickness = 0.01;

/// A sheet over another one, `gap` above, both of 5 x 5 vertices of 1 kg.
Scene two_sheets(double gap) {
    test::SceneBody lower = test::cloth_grid(5, 1, kThickness), upper = lower;
    test::translate(upper.positions, {0.07, gap, 0.03});
    return test::make_scene({lower, upper});
}

std::vector<int> proximities(const Scene& scene, const CollisionDetector& detector) {
    std::vector<int> found;
    find_proximities(scene.surface, detector.pairs(), scene.start, found);
    return found;
}

CollisionDetector detector_of(const Scene& scene) {
    CollisionDetector detector;
    detector.begin(scene.surface, scene.start, scene.end);
    return detector;
}

std::vector<ImpulseConstraint> repulsions(const Scene& scene, const RepulsionOptions& options) {
    const CollisionDetector detector = detector_of(scene);
    std::vector<Vec3> displacements;
    for (size_t v = 0; v < scene.start.size(); ++v) {
        displacements.push_back(scene.end[v] - scene.start[v]);
    }
    std::vector<ImpulseConstraint> out;
    add_repulsions(scene.surface, detector.pairs(), proximities(scene, detector), scene.start,
                   displacements, kStep, options, out);
    return out;
}

TEST(Repulsion, SheetsTouchAlongTheirCommonNormalOnly) {
    const Scene scene = two_sheets(0.5 * kThickness);
    const std::vector<ImpulseConstraint> touches = repulsions(scene, {});
    EXPECT_GT(touches.size(), 16u);
    for (const ImpulseConstraint& touch : touches) {
        EXPECT_NEAR(std::abs(touch.normal.y()), 1, 1e-9);
    }
}

TEST(Repulsion, SheetsBeyondTheirThicknessDoNotTouch) {
    EXPECT_TRUE(repulsions(two_sheets(1.01 * kThickness), {}).empty());
    EXPECT_FALSE(repulsions(two_sheets(0.99 * kThickness), {}).empty());
}

TEST(Repulsion, APlaceOnTheRimCountsOnce) {
    // A vertex over the middle vertex of a fan: six triangles report the same corner.
    test::SceneBody fan{.name = "fan", .thickness = kThickness};
    fan.positions = {{0, 0, 0}};
    for (int i = 0; i < 6; ++i) {
        fan.positions.push_back({std::cos(i * M_PI / 3), -0.3, std::sin(i * M_PI / 3)});
        fan.triangles.push_back({0, 1 + (i + 1) % 6, 1 + i});
    }
    const test::SceneBody point{
        .name = "point", .positions = {{0, 0.5 * kThickness, 0}}, .thickness = kThickness};
    const Scene over = test::make_scene({fan, point});
    EXPECT_EQ(proximities(over, detector_of(over)).size(), 1u);

    // Beside the tip of a triangle of a flat fan another triangle is nearer: no slanting touch.
    Scene flat = over;
    for (int v = 0; v < 7; ++v) flat.start[v].y() = 0;
    flat.start[7] = {0.001, 0.5 * kThickness, 0.0005};
    flat.end = flat.start;
    const CollisionDetector detector = detector_of(flat);
    EXPECT_GT(detector.pairs().size(), 1u);
    EXPECT_EQ(proximities(flat, detector).size(), 1u);
}

TEST(Repulsion, PushesByTheSpringUntilTheCap) {
    const double overlap = 0.5 * kThickness;
    const Scene scene = two_sheets(kThickness - overlap);
    for (const ImpulseConstraint& touch : repulsions(scene, {.stiffness = 1})) {
        EXPECT_NEAR(touch.target, kStep * kStep * overlap * touch.inverse_mass, 1e-12);
    }
    for (const ImpulseConstraint& touch : repulsions(scene, {.stiffness = 1e9})) {
        EXPECT_NEAR(touch.target, 0.1 * overlap, 1e-12);
    }
    for (const ImpulseConstraint& touch : repulsions(scene, {.stiffness = 0})) {
        EXPECT_EQ(touch.target, 0);
    }
}

TEST(Repulsion, StopsTheApproachAndNeverPullsWhatParts) {
    for (const double motion : {-0.002, 0.002}) {
        Scene scene = two_sheets(0.5 * kThickness);
        test::translate(test::of_body(scene.end, scene.surface.bodies[1]), {0, motion, 0});
        std::vector<ImpulseConstraint> touches = repulsions(scene, {.stiffness = 0});
        std::vector<Vec3> displacements;
        for (size_t v = 0; v < scene.start.size(); ++v) {
            displacements.push_back(scene.end[v] - scene.start[v]);
        }
        const std::vector<Vec3> before = displacements;
        apply_impulses(touches, scene.surface.inverse_masses, 100, displacements);
        if (motion > 0) {
            EXPECT_EQ(displacements, before);
            continue;
        }
        for (const ImpulseConstraint& touch : touches) {
            const Vec3 relative =
                weighted_difference(touch.weights, gather(touch.stencil, displacements));
            EXPECT_GT(touch.normal.dot(relative), 0.01 * motion);
        }
    }
}

}  // namespace
}  // namespace toile
