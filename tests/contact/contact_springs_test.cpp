// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_springs.h"

#include "contact/contact_scene.h"
#include "toile/contact/certificate.h"
#include "toile/contact/repulsion.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

using test::Scene;

constexpr double kStep = 0.01;

/// A triangle over a large prescribed one, `gap` above it; 1 mm is kept between them.
Scene over_a_plate(double gap, double friction = 0.5) {
    test::SceneBody cloth{.name = "cloth",
                          .positions = {{0, gap, 0}, {0.01, gap, 0}, {0, gap, 0.01}},
                          .triangles = {{0, 2, 1}},
                          .thickness = 2e-3};
    test::SceneBody plate{.name = "plate",
                          .positions = {{-1, 0, -1}, {-1, 0, 3}, {3, 0, -1}},
                          .triangles = {{0, 1, 2}},
                          .prescribed = true};
    return test::make_scene({cloth, plate}, friction);
}

/// Springs of what is near at the start.
class Springs {
  public:
    explicit Springs(Scene& scene) : scene_(scene) {
        detector.begin(scene.surface, scene.start, scene.end);
        find_proximities(scene.surface, detector.pairs(), scene.start, proximities_);
        springs.begin(scene.surface, scene.start, kStep);
        springs.add_proximities(detector.pairs(), proximities_);
    }

    ContactSprings::Balance update(
        ContactSprings::Change change = ContactSprings::Change::AddAndDrop) {
        return springs.update(scene_.end, change);
    }

    ContactSprings springs;
    CollisionDetector detector;

  private:
    Scene& scene_;
    std::vector<int> proximities_;
};

void move_cloth(Scene& scene, const Vec3& way) {
    scene.end = scene.start;
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), way);
}

TEST(ContactSprings, PushWhatComesAndLetGoWhatParts) {
    Scene scene = over_a_plate(0.5e-3, 0);
    move_cloth(scene, {0, -0.2e-3, 0});
    Springs contacts(scene);
    EXPECT_GT(contacts.update().missing, 0);
    EXPECT_EQ(contacts.springs.n_active(), 3);
    EXPECT_EQ(contacts.update().missing, 0);
    move_cloth(scene, {0, 0.2e-3, 0});
    contacts.update(ContactSprings::Change::OnlyAdd);
    EXPECT_EQ(contacts.springs.n_active(), 3);
    contacts.update();
    EXPECT_EQ(contacts.springs.n_active(), 0);
}

TEST(ContactSprings, AskForATenthOfTheMissingGap) {
    Scene scene = over_a_plate(0.5e-3);
    Springs contacts(scene);
    ASSERT_EQ(contacts.springs.springs().size(), 3U);
    for (const ContactSpring& spring : contacts.springs.springs()) {
        EXPECT_NEAR(spring.gap, 0.5e-3, 1e-12);
        EXPECT_NEAR(spring.target, 0.55e-3, 1e-12);
        EXPECT_NEAR(spring.normal.y(), 1, 1e-12);
    }
}

/// What a spring pulls across its normal at a tangential way u, as the terms say: N.
Vec3 friction_at(const ContactSpring& spring, const Vec3& u) {
    return -spring.yield * spring.slip - spring.tangential * (u - spring.slip.dot(u) * spring.slip);
}

TEST(ContactSprings, SlipWithTheForceOfTheConeAgainstTheirWay) {
    Scene scene = over_a_plate(0.5e-3, 0.5);
    move_cloth(scene, {1e-3, -0.2e-3, 0});
    Springs contacts(scene);
    contacts.update();  // begins to push
    contacts.update();  // with the force found
    for (const ContactSpring& spring : contacts.springs.springs()) {
        const double normal_force = spring.stiffness * (spring.target - 0.3e-3);
        for (const double way : {0.5e-3, 1e-3, 2e-3}) {
            const Vec3 force = friction_at(spring, {way, 0, 0});
            EXPECT_NEAR(force.x(), -0.5 * normal_force, 1e-9 * normal_force);
        }
    }
}

TEST(ContactSprings, StickWhereTheyHardlyMoveAndWhereTheyTurnRound) {
    Scene scene = over_a_plate(0.5e-3, 0.5);
    move_cloth(scene, {1e-9, -0.2e-3, 0});
    Springs contacts(scene);
    contacts.update();
    contacts.update();
    for (const ContactSpring& spring : contacts.springs.springs()) EXPECT_EQ(spring.yield, 0);
    move_cloth(scene, {1e-3, -0.2e-3, 0});
    contacts.update();
    for (const ContactSpring& spring : contacts.springs.springs()) EXPECT_GT(spring.yield, 0);
    move_cloth(scene, {-1e-3, -0.2e-3, 0});
    contacts.update();
    for (const ContactSpring& spring : contacts.springs.springs()) {
        EXPECT_EQ(spring.yield, 0);
        EXPECT_GT(spring.tangential, 0);
    }
}

TEST(ContactSprings, KnowTheNormalForceOfAMotionThatGoesOn) {
    Scene scene = over_a_plate(0.5e-3, 0.5);
    move_cloth(scene, {1e-3, 0, 0});
    Springs contacts(scene);
    const std::vector<Vec3> impulses(3, Vec3(0, 2e-5, 0));  // N s, of each vertex
    contacts.springs.expect(impulses, scene.end);
    contacts.update();
    double sum = 0;
    for (const ContactSpring& spring : contacts.springs.springs()) sum += spring.yield;
    EXPECT_NEAR(sum, 0.5 * 3 * 2e-5 / kStep, 1e-9);
}

/// The terms are what the impulses lose per Δv, by central differences, sticking and slipping.
TEST(ContactSprings, WriteTermsThatAreTheDerivativeOfTheirImpulses) {
    for (const double way : {1e-9, 1e-3}) {
        Scene scene = over_a_plate(0.5e-3, 0.5);
        move_cloth(scene, {way, -0.2e-3, 0.3 * way});
        Springs contacts(scene);
        contacts.update();
        contacts.update();
        const std::vector<char> fixed(3, 0);
        const auto impulse = [&](const Vec3& change, std::vector<StencilTerm>& out_terms) {
            std::vector<Vec3> rhs(3, Vec3::Zero());
            const std::vector<Vec3> v(3, Vec3(way / kStep, -0.02, 0.3 * way / kStep) + change);
            contacts.springs.write_terms(
                {.velocities = v, .end = scene.end, .fixed = fixed, .n_rows = 3}, out_terms, rhs);
            return rhs[0];
        };
        std::vector<StencilTerm> terms, others;
        impulse({0, 0, 0}, terms);
        Mat3 expected = Mat3::Zero();
        for (const StencilTerm& term : terms) {
            for (int i = 0; i < 4; ++i) {
                if (term.rows[i] == 0) expected += term.weights[i] * term_block(term);
            }
        }
        for (int c = 0; c < 3; ++c) {
            const Vec3 step = 1e-4 * Vec3::Unit(c);
            const Vec3 slope = (impulse(step, others) - impulse(-step, others)) / 2e-4;
            EXPECT_LT((slope + expected.col(c)).norm(), 1e-6 * expected.norm()) << way;
        }
    }
}

TEST(ContactSprings, WriteTheImpulsesOfTheirGaps) {
    Scene scene = over_a_plate(0.5e-3, 0.0);
    move_cloth(scene, {0, -0.2e-3, 0});
    Springs contacts(scene);
    contacts.update();
    const std::vector<Vec3> velocities(3, Vec3(0, -0.02, 0));
    const std::vector<char> fixed(3, 0);
    std::vector<StencilTerm> terms;
    std::vector<Vec3> rhs(3, Vec3::Zero());
    contacts.springs.write_terms(
        {.velocities = velocities, .end = scene.end, .fixed = fixed, .n_rows = 3}, terms, rhs);
    ASSERT_EQ(terms.size(), 3U);
    const ContactSpring& spring = contacts.springs.springs()[0];
    for (const Vec3& impulse : rhs) {
        // At Δv = 0 each vertex ends 0.2 mm lower.
        EXPECT_NEAR(impulse.y(), kStep * spring.stiffness * (0.55e-3 - 0.3e-3), 1e-9);
    }
    EXPECT_NEAR(terms[0].along, kStep * kStep * spring.stiffness, 1e-12);
}

TEST(ContactSprings, HoldAHitPairAtHalfItsThicknessAndHarderTheNextTime) {
    Scene scene = over_a_plate(5e-3);
    move_cloth(scene, {0, -8e-3, 0});
    Springs contacts(scene);
    EXPECT_EQ(contacts.springs.springs().size(), 0U);
    const auto hits = contacts.detector.find(scene.end, {});
    ASSERT_GE(hits.size(), 3U);
    contacts.springs.add_hits(contacts.detector.pairs(), hits, scene.end);
    const size_t n = contacts.springs.springs().size();
    const ContactSpring first = contacts.springs.springs()[0];
    EXPECT_TRUE(first.active);
    EXPECT_NEAR(first.target, 0.5e-3, 1e-9);
    EXPECT_NEAR(first.gap, 5e-3, 1e-9);
    contacts.springs.add_hits(contacts.detector.pairs(), hits, scene.end);
    EXPECT_GT(contacts.springs.springs()[n].stiffness, 2 * first.stiffness);
}

TEST(Certificate, OfPairsLookedUpIsThatOfAllPairs) {
    std::mt19937_64 random(4);
    int n_bad = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Scene scene = test::make_scene({test::triangle_soup(12, 0.2, 0.4, 1e-3, random)});
        scene.end = scene.start;
        const double way = trial % 2 == 0 ? 0.01 : 0.1;
        for (Vec3& x : scene.end) x += test::uniform_in_cube(random, way);
        CollisionDetector detector;
        detector.begin(scene.surface, scene.start, scene.end);
        ASSERT_TRUE(detector.covers(scene.end));
        const Certificate pairs = certify_pairs(detector.pairs(), scene.start, scene.end);
        const Certificate all = certify_all_pairs(scene.surface, scene.start, scene.end);
        EXPECT_EQ(pairs.failing, all.failing);
        if (!all.clean()) ++n_bad;
    }
    EXPECT_GT(n_bad, 5);
    EXPECT_LT(n_bad, 55);
}

}  // namespace
}  // namespace toile
