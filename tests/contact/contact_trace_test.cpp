// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_trace.h"

#include "contact/contact_scene.h"
#include "toile/contact/bridson_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace toile {
namespace {

using test::Scene;

constexpr double kStep = 0.01;

/// A sheet 0.4 mm over a box, both 1 mm thick, that falls by 5 cm in the step.
Scene falling_sheet() {
    Scene scene =
        test::make_scene({test::cloth_grid(6, 0.5, 1e-3), test::box_obstacle({1, 1, 1}, 1e-3)});
    for (auto* positions : {&scene.start, &scene.end}) {
        test::translate(test::of_body(*positions, scene.surface.bodies[0]), {0.01, 0.5004, 0.02});
    }
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -0.05, 0});
    return scene;
}

ContactTrace traced(Scene& scene, const BridsonOptions& options = {}) {
    ContactTrace trace;
    BridsonResponse response(options);
    EXPECT_EQ(response.resolve(scene.surface, {scene.start, scene.end, kStep, &trace}).status,
              ContactStatus::Clean);
    return trace;
}

TEST(ContactTrace, ChangesNoResult) {
    Scene plain = falling_sheet(), watched = falling_sheet();
    const ContactReport report =
        BridsonResponse().resolve(plain.surface, {plain.start, plain.end, kStep});
    const ContactTrace trace = traced(watched);
    EXPECT_EQ(plain.end, watched.end);
    EXPECT_EQ(trace.ends, plain.end);
    EXPECT_EQ(static_cast<int>(trace.contacts.size()), report.n_contacts);
    EXPECT_EQ(static_cast<int>(trace.rounds.size()), report.n_rounds + 1);
}

TEST(ContactTrace, TellsStartEstimateAndWhatTheBroadPhaseFound) {
    Scene scene = falling_sheet();
    const std::vector<Vec3> start = scene.start, wanted = scene.end;
    const ContactTrace trace = traced(scene);
    EXPECT_EQ(trace.start, start);
    EXPECT_EQ(trace.estimate, wanted);
    EXPECT_TRUE(std::ranges::is_sorted(trace.candidates));
    ASSERT_FALSE(trace.contacts.empty());
    for (const TracedContact& contact : trace.contacts) {
        EXPECT_TRUE(std::ranges::binary_search(trace.candidates, contact.stencil));
    }
}

TEST(ContactTrace, ContactsAreClosestPointsWithTheirNormal) {
    Scene scene = falling_sheet();
    for (const TracedContact& contact : traced(scene).contacts) {
        EXPECT_NEAR(contact.gap, 0.4e-3, 1e-9);
        EXPECT_NEAR((contact.first_point - contact.second_point).norm(), contact.gap, 1e-12);
        EXPECT_NEAR(std::abs(contact.normal.y()), 1, 1e-9);
    }
}

TEST(ContactTrace, ACollisionTouchesAtItsTime) {
    Scene scene = falling_sheet();
    const ContactTrace trace =
        traced(scene, {.repulsion = {.stiffness = 0, .largest_recovery = 0}});
    int n = 0;
    for (const TracedRound& round : trace.rounds) {
        for (const TracedCollision& collision : round.collisions) {
            const StencilPoints at_hit = points_at_hit(collision, trace.start, round.ends);
            EXPECT_LT(measure_gap(collision.stencil.kind, at_hit).distance, 1.01e-3);
            ++n;
        }
    }
    const bool some_collided =
        std::ranges::any_of(trace.rounds, [](const auto& r) { return !r.collisions.empty(); });
    EXPECT_EQ(n > 0, some_collided);
    EXPECT_TRUE(trace.rounds.back().collisions.empty());
}

TEST(ContactTrace, ASheetThatFallsFromAboveHasRoundsWithCollisions) {
    Scene scene = falling_sheet();
    for (auto* positions : {&scene.start, &scene.end}) {
        test::translate(test::of_body(*positions, scene.surface.bodies[0]), {0, 0.02, 0});
    }
    const ContactTrace trace = traced(scene);
    ASSERT_GE(trace.rounds.size(), 2u);
    EXPECT_FALSE(trace.rounds[0].collisions.empty());
    EXPECT_NE(trace.rounds[0].ends, trace.rounds[1].ends);
    EXPECT_TRUE(trace.contacts.empty());
}

TEST(ContactTrace, BoxesFormATreeOfEveryBody) {
    const Scene scene = falling_sheet();
    const auto exact = traced_boxes(scene.surface, scene.start, BoxKind::Exact);
    const auto wide = traced_boxes(scene.surface, scene.start, BoxKind::Proximity);
    ASSERT_EQ(exact.size(), wide.size());
    std::map<int, int> leaves;
    std::vector<TracedBox> path;
    for (size_t i = 0; i < exact.size(); ++i) {
        const TracedBox& box = exact[i];
        if (box.leaf) ++leaves[box.body];
        path.resize(box.depth + 1);
        path.back() = box;
        if (box.depth > 0) {
            const TracedBox& parent = path[box.depth - 1];
            EXPECT_EQ(parent.body, box.body);
            EXPECT_TRUE((parent.box.min.array() <= box.box.min.array()).all());
            EXPECT_TRUE((parent.box.max.array() >= box.box.max.array()).all());
        }
    }
    for (int b = 0; b < scene.surface.n_bodies(); ++b) {
        EXPECT_EQ(leaves[b], scene.surface.bodies[b].n_triangles);
    }
    EXPECT_NEAR(wide[0].box.max.y() - exact[0].box.max.y(), 0.5e-3, 1e-6);
}

}  // namespace
}  // namespace toile
