// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/certificate.h"

#include "contact/contact_scene.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace toile {
namespace {

using test::Scene;

Certificate certify(const Scene& scene) {
    MotionCertifier certifier;
    return certifier.certify(scene.surface, scene.start, scene.end);
}

/// A sheet and a box that does not touch it at the start.
Scene sheet_over_box() {
    test::SceneBody sheet = test::cloth_grid(6, 1, 1e-3);
    test::translate(sheet.positions, {0, 0.2, 0});
    return test::make_scene({sheet, test::box_obstacle({0.3, 0.2, 0.3}, 0)});
}

TEST(Certificate, PassesWhatStaysApartAndTellsTheSmallestGap) {
    Scene scene = sheet_over_box();
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -0.09, 0});
    const Certificate certificate = certify(scene);
    EXPECT_TRUE(certificate.clean());
    // Only pairs that come near are measured: the sheet ends a centimetre over the box.
    EXPECT_GE(certificate.smallest_gap, 0.01 - 1e-12);
}

TEST(Certificate, CatchesWhatPassesThroughWithinTheStep) {
    Scene scene = sheet_over_box();
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -1, 0});
    const Certificate certificate = certify(scene);
    EXPECT_FALSE(certificate.clean());
    EXPECT_TRUE(std::is_sorted(certificate.failing.begin(), certificate.failing.end()));
}

TEST(Certificate, CatchesAPinnedVertexDrivenThroughItsOwnCloth) {
    Scene scene = test::make_scene({test::cloth_grid(6, 1, 1e-3)});
    scene.surface.inverse_masses.assign(scene.surface.inverse_masses.size(), 0);
    for (int v = 0; v < 6; ++v) scene.start[v] = scene.start[12 + v] + Vec3(0.05, 0.1, 0.03);
    scene.end = scene.start;
    for (int v = 0; v < 6; ++v) scene.end[v].y() = -0.1;
    EXPECT_FALSE(certify(scene).clean());
}

TEST(Certificate, RefusesAGapThatFloatRoundingCanClose) {
    Scene scene = sheet_over_box();
    const double gap = rounding_gap(0.5);
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -0.1 + 0.5 * gap, 0});
    EXPECT_FALSE(certify(scene).clean());
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, gap, 0});
    EXPECT_TRUE(certify(scene).clean());
}

TEST(Certificate, AgreesWithItsSlowTwin) {
    int n_clean = 0, n_failing = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        test::SceneBody soup = test::triangle_soup(12, 0.2, 1, 1e-3, random);
        soup.thickness = 1e-3;
        Scene scene = test::make_scene({soup});
        const double speed = test::uniform(random, 0, 0.1);
        for (Vec3& x : scene.end) x += test::uniform_in_cube(random, speed);
        const Certificate fast = certify(scene);
        const Certificate slow = certify_all_pairs(scene.surface, scene.start, scene.end);
        EXPECT_EQ(fast.failing, slow.failing) << "seed " << seed;
        EXPECT_GE(fast.smallest_gap, slow.smallest_gap);
        ++(slow.clean() ? n_clean : n_failing);
    }
    EXPECT_GT(n_clean, 10);
    EXPECT_GT(n_failing, 10);
}

TEST(Certificate, IsTheSameOnAnyNumberOfThreads) {
    Scene scene = sheet_over_box();
    std::mt19937_64 random(1);
    for (Vec3& x : scene.end) x += test::uniform_in_cube(random, 0.3);
    auto one = std::make_unique<ThreadLimit>(1);
    const Certificate expected = certify(scene);
    one.reset();
    for (const int n : {2, 3}) {
        const ThreadLimit limit(n);
        const Certificate certificate = certify(scene);
        EXPECT_EQ(certificate.failing, expected.failing);
        EXPECT_EQ(certificate.smallest_gap, expected.smallest_gap);
    }
}

TEST(Certificate, OfNothingIsCleanAndOfNanIsRefused) {
    EXPECT_TRUE(certify(test::make_scene({})).clean());
    Scene scene = sheet_over_box();
    scene.end[3].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(certify(scene)), InvalidInput);
}

}  // namespace
}  // namespace toile
