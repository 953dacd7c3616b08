// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/bridson_response.h"

#include "contact/contact_scene.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace toile {
namespace {

using test::Scene;

constexpr double kStep = 0.01;

ContactReport resolve(Scene& scene, const BridsonOptions& options = {}) {
    BridsonResponse response(options);
    return response.resolve(scene.surface, {scene.start, scene.end, kStep});
}

std::string text(const Certificate& certificate) {
    std::string text;
    for (const ContactStencil& s : certificate.failing) {
        text += s.kind == StencilKind::PointTriangle ? " PT" : " EE";
        for (const int v : s.vertices) text += " " + std::to_string(v);
    }
    return text;
}

/// Clean, by the response's word and by the slow twin.
void expect_clean(const Scene& scene, const ContactReport& report) {
    EXPECT_EQ(report.status, ContactStatus::Clean);
    EXPECT_TRUE(report.unresolved.empty());
    const Certificate twin = certify_all_pairs(scene.surface, scene.start, scene.end);
    EXPECT_TRUE(twin.clean()) << twin.failing.size() << ":" << text(twin);
}

test::SceneBody single_triangle(double height, double thickness) {
    return {.name = "triangle",
            .positions = {{-0.1, height, -0.1}, {0.1, height, -0.1}, {0, height, 0.1}},
            .triangles = {{0, 1, 2}},
            .thickness = thickness};
}

TEST(BridsonResponse, LeavesAMotionWithoutContactsAsItIs) {
    Scene scene = test::make_scene({single_triangle(1, 1e-3), test::box_obstacle({1, 1, 1}, 0)});
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0.3, 0.1, -0.2});
    const std::vector<Vec3> wanted = scene.end;
    const ContactReport report = resolve(scene);
    EXPECT_FALSE(report.changed);
    EXPECT_EQ(scene.end, wanted);
    expect_clean(scene, report);
}

TEST(BridsonResponse, AFallingTriangleStopsOnATable) {
    Scene scene = test::make_scene({single_triangle(0.6, 1e-3), test::box_obstacle({1, 1, 1}, 0)});
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -0.3, 0});
    const ContactReport report = resolve(scene);
    EXPECT_TRUE(report.changed);
    EXPECT_GT(report.n_collisions, 0);
    EXPECT_EQ(report.n_fail_safe, 0);
    for (int v = 0; v < 3; ++v) EXPECT_GT(scene.end[v].y(), 0.5);
    expect_clean(scene, report);
}

TEST(BridsonResponse, PrescribedVerticesAreNeverMoved) {
    Scene scene = test::make_scene({single_triangle(0.6, 1e-3), test::box_obstacle({1, 1, 1}, 0)});
    test::translate(test::of_body(scene.end, scene.surface.bodies[1]), {0, 0.3, 0});
    const std::vector<Vec3> told(scene.end.begin() + 3, scene.end.end());
    const ContactReport report = resolve(scene);
    EXPECT_TRUE(std::equal(told.begin(), told.end(), scene.end.begin() + 3));
    for (int v = 0; v < 3; ++v) EXPECT_GT(scene.end[v].y(), 0.8);
    expect_clean(scene, report);
}

Scene flying_soup(unsigned seed, int n_triangles, double speed) {
    std::mt19937_64 random(seed);
    const double thickness = 0.01;
    test::SceneBody soup = test::triangle_soup(n_triangles, 0.15, 1.0, 1e-4, random);
    soup.thickness = thickness;
    Scene scene = test::make_scene({soup}, 0.3);
    for (Vec3& x : scene.end) x += test::uniform_in_cube(random, speed * kStep);
    for (size_t t = 0; t < scene.surface.triangles.size(); ++t) {
        const Vec3 common = test::uniform_in_cube(random, speed * kStep);
        for (const int v : scene.surface.triangles[t]) scene.end[v] += common;
    }
    for (double& inverse_mass : scene.surface.inverse_masses) {
        inverse_mass = test::uniform(random, 0.3, 3);
    }
    return scene;
}

TEST(BridsonResponse, RandomTrianglesAtAnySpeedNeverMeet) {
    for (const double speed : {0.1, 1.0, 10.0, 100.0}) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << speed << " m/s");
            Scene scene = flying_soup(seed, 40, speed);
            const ContactReport report = resolve(scene);
            expect_clean(scene, report);
        }
    }
}

TEST(BridsonResponse, TheFailSafeAloneEndsAndIsClean) {
    for (const double speed : {1.0, 10.0, 100.0}) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << speed << " m/s");
            Scene scene = flying_soup(seed, 40, speed);
            const ContactReport report = resolve(scene, {.max_rounds = 0});
            EXPECT_GT(report.n_fail_safe, 0);
            expect_clean(scene, report);
        }
    }
}

/// A sheet with two pinned corners, flying at a box that flies at it.
Scene sheet_against_box(unsigned seed, double scale) {
    std::mt19937_64 random(seed);
    test::SceneBody sheet = test::cloth_grid(10, 1, 5e-3);
    test::translate(sheet.positions, {0, 0.12, 0});
    Scene scene = test::make_scene({sheet, test::box_obstacle({0.4, 0.2, 0.4}, 2e-3)}, 0.3);
    scene.surface.inverse_masses[0] = scene.surface.inverse_masses[9] = 0;
    scene.end = scene.start;
    const auto flying = test::of_body(scene.end, scene.surface.bodies[0]);
    for (Vec3& x : flying) x += Vec3(0, -0.06, 0) + test::uniform_in_cube(random, 0.04);
    flying[0] = scene.start[0];
    flying[9] = scene.start[9];
    test::translate(test::of_body(scene.end, scene.surface.bodies[1]), {0.02, 0.05, 0});
    for (Vec3& x : scene.start) x *= scale;
    for (Vec3& x : scene.end) x *= scale;
    for (ContactBody& body : scene.surface.bodies) body.thickness *= scale;
    return scene;
}

TEST(BridsonResponse, ClothAgainstAMovingBoxStaysOutsideAndPinsStay) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = sheet_against_box(seed, 1);
        const ContactReport report = resolve(scene);
        EXPECT_GT(report.n_collisions, 0);
        EXPECT_EQ(scene.end[0], scene.start[0]);
        EXPECT_EQ(scene.end[9], scene.start[9]);
        expect_clean(scene, report);
    }
}

TEST(BridsonResponse, DecidesTheSameAtAnyScale) {
    Scene one = sheet_against_box(1, 1);
    const ContactReport expected = resolve(one);
    // Powers of two, so that scaling rounds nothing and the numbers must agree to the last bit.
    for (const double scale : {0x1p-10, 0x1p10}) {
        Scene scaled = sheet_against_box(1, scale);
        const ContactReport report = resolve(scaled);
        EXPECT_EQ(report.n_contacts, expected.n_contacts);
        EXPECT_EQ(report.n_collisions, expected.n_collisions);
        EXPECT_EQ(report.n_rounds, expected.n_rounds);
        for (size_t v = 0; v < one.end.size(); ++v) EXPECT_EQ(scaled.end[v], scale * one.end[v]);
    }
}

TEST(BridsonResponse, GivesTheSameBitsOnAnyNumberOfThreadsAndAfterAnyPast) {
    for (const int max_rounds : {12, 0}) {
        Scene expected = flying_soup(7, 60, 10);
        {
            const ThreadLimit one(1);
            resolve(expected, {.max_rounds = max_rounds});
        }
        BridsonResponse used({.max_rounds = max_rounds});
        for (const int n : {2, 3}) {
            const ThreadLimit limit(n);
            Scene other = sheet_against_box(2, 1);
            used.resolve(other.surface, {other.start, other.end, kStep});
            Scene scene = flying_soup(7, 60, 10);
            used.resolve(scene.surface, {scene.start, scene.end, kStep});
            EXPECT_EQ(
                std::memcmp(scene.end.data(), expected.end.data(), scene.end.size() * sizeof(Vec3)),
                0);
        }
    }
}

TEST(BridsonResponse, KeepsTheMomentumOfFreeBodies) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Scene scene = flying_soup(seed, 60, 30);
        const Vec3 before = test::linear_momentum(scene, scene.end);
        const ContactReport report = resolve(scene);
        ASSERT_GT(report.n_collisions, 0);
        ASSERT_EQ(report.n_fail_safe, 0);
        EXPECT_LE((test::linear_momentum(scene, scene.end) - before).norm(), 1e-12);
    }
}

/// Closes two plates on the sheet between them by `distance` each; halves the step where a response
/// asks for it, as a simulator does. Returns the number of steps, 0 if even the smallest fails.
int press(Scene& scene, double distance, const BridsonOptions& options) {
    int n_steps = 0;
    double done = 0, part = 1;
    while (done < 1) {
        part = std::min(part, 1 - done);
        scene.end = scene.start;
        test::translate(test::of_body(scene.end, scene.surface.bodies[1]),
                        {0, -part * distance, 0});
        test::translate(test::of_body(scene.end, scene.surface.bodies[2]), {0, part * distance, 0});
        const ContactReport report = resolve(scene, options);
        if (report.status == ContactStatus::Unresolved) {
            part *= 0.5;
            if (part < 1e-3) return 0;
            continue;
        }
        expect_clean(scene, report);
        scene.start = scene.end;
        done += part;
        ++n_steps;
    }
    return n_steps;
}

TEST(BridsonResponse, AWavySheetBetweenClosingPlatesIsPressedFlat) {
    for (const int max_rounds : {12, 0}) {
        test::SceneBody sheet = test::cloth_grid(9, 1, 2e-3);
        for (Vec3& x : sheet.positions) x.y() = 0.02 * std::sin(7 * x.x()) * std::cos(5 * x.z());
        test::SceneBody above = test::box_obstacle({2, 0.1, 2}, 0), below = above;
        test::translate(above.positions, {0, 0.08, 0});
        test::translate(below.positions, {0, -0.08, 0});
        Scene scene = test::make_scene({sheet, above, below}, 0.2);
        // From 6 cm to 6 mm, by 6 mm at a time.
        for (int step = 0; step < 9; ++step) {
            SCOPED_TRACE(testing::Message() << max_rounds << " rounds, step " << step);
            const int n_steps = press(scene, 0.003, {.max_rounds = max_rounds});
            ASSERT_GT(n_steps, 0);
            // With impulses no step has to be halved.
            EXPECT_TRUE(max_rounds == 0 || n_steps == 1) << n_steps;
        }
    }
}

TEST(BridsonResponse, PlatesThatLeaveNoRoomAreReportedWithTheirPairs) {
    test::SceneBody above = test::box_obstacle({2, 0.1, 2}, 0), below = above;
    test::translate(above.positions, {0, 0.06, 0});
    test::translate(below.positions, {0, -0.06, 0});
    Scene scene = test::make_scene({test::cloth_grid(5, 1, 2e-3), above, below});
    test::translate(test::of_body(scene.end, scene.surface.bodies[1]), {0, -0.02, 0});
    const std::vector<Vec3> told = scene.end;
    const ContactReport report = resolve(scene);
    EXPECT_EQ(report.status, ContactStatus::Unresolved);
    EXPECT_FALSE(report.unresolved.empty());
    for (int v = 25; v < 41; ++v) EXPECT_EQ(scene.end[v], told[v]);
}

TEST(BridsonResponse, APatchOnASlopeSlipsIfAndOnlyIfItsTangentExceedsTheFriction) {
    const double mu = 0.5, dt = 1e-3, gravity = 9.81;
    for (const double tangent : {0.3, 0.45, 0.55, 0.8}) {
        test::SceneBody patch = test::cloth_grid(3, 0.1, 2e-3);
        test::translate(patch.positions, {0, 0.0519, 0});
        Scene scene = test::make_scene({patch, test::box_obstacle({2, 0.1, 2}, 2e-3)}, mu);
        // The slope is level and gravity leans instead.
        const double angle = std::atan(tangent);
        const Vec3 g = gravity * Vec3(std::sin(angle), -std::cos(angle), 0);
        BridsonResponse response;
        std::vector<Vec3> velocity(9, Vec3::Zero());
        const int n_steps = 200;
        const double x0 = scene.start[4].x();
        for (int step = 0; step < n_steps; ++step) {
            for (int v = 0; v < 9; ++v) scene.end[v] += dt * (velocity[v] + dt * g);
            const ContactReport report =
                response.resolve(scene.surface, {scene.start, scene.end, dt});
            ASSERT_EQ(report.status, ContactStatus::Clean);
            for (int v = 0; v < 9; ++v) velocity[v] = (scene.end[v] - scene.start[v]) / dt;
            scene.start = scene.end;
        }
        const double t = n_steps * dt;
        const double free_slide = 0.5 * gravity * t * t * (std::sin(angle) - mu * std::cos(angle));
        const double slid = scene.start[4].x() - x0;
        if (tangent < mu) {
            EXPECT_LT(slid, 1e-5) << tangent;
        } else {
            EXPECT_NEAR(slid, free_slide, 0.05 * free_slide) << tangent;
        }
        EXPECT_GT(scene.start[4].y(), 0.05 + 1.5e-3);
    }
}

TEST(BridsonResponse, AStackAtRestStaysAtRest) {
    const double dt = 5e-3, thickness = 2e-3;
    std::vector<test::SceneBody> bodies;
    for (int i = 0; i < 4; ++i) {
        bodies.push_back(test::cloth_grid(4, 0.3, thickness));
        bodies.back().inverse_mass = 1e3;
        test::translate(bodies.back().positions, {0.01 * i, 0.0525 + 2.2e-3 * i, 0.007 * i});
    }
    bodies.push_back(test::box_obstacle({2, 0.1, 2}, thickness));
    Scene scene = test::make_scene(bodies, 0.3);
    BridsonResponse response;
    std::vector<Vec3> velocity(scene.start.size(), Vec3::Zero());
    double speed = 0;
    for (int step = 0; step < 300; ++step) {
        speed = 0;
        for (int v = 0; v < 64; ++v) scene.end[v] += dt * (velocity[v] - dt * 9.81 * Vec3::UnitY());
        const ContactReport report = response.resolve(scene.surface, {scene.start, scene.end, dt});
        ASSERT_EQ(report.status, ContactStatus::Clean);
        for (int v = 0; v < 64; ++v) velocity[v] = (scene.end[v] - scene.start[v]) / dt;
        for (int v = 0; v < 64; ++v) speed = std::max(speed, velocity[v].norm());
        scene.start = scene.end;
    }
    EXPECT_LT(speed, 5e-3);
    for (int b = 0; b < 4; ++b) {
        for (const Vec3& x : test::of_body(scene.start, scene.surface.bodies[b])) {
            EXPECT_GT(x.y(), 0.05 + 0.7 * thickness * (b + 1));
        }
    }
}

TEST(BridsonResponse, RefusesWhatIsNotAMotion) {
    Scene scene = sheet_against_box(1, 1);
    BridsonResponse response;
    EXPECT_THROW(response.resolve(scene.surface, {scene.start, scene.end, 0}), InvalidInput);
    scene.end[4].z() = std::numeric_limits<double>::infinity();
    EXPECT_THROW(resolve(scene), InvalidInput);
    scene.end.pop_back();
    EXPECT_THROW(resolve(scene), InvalidInput);
}

}  // namespace
}  // namespace toile
