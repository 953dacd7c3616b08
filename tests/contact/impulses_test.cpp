// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/impulses.h"

#include "contact/contact_scene.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace toile {
namespace {

struct Touch {
    std::vector<Vec3> start, displacements;
    std::vector<double> inverse_masses;
    ImpulseConstraint constraint;
};

/// Four random points that touch by a random stencil, with random masses and motions.
Touch random_touch(unsigned seed, double friction) {
    std::mt19937_64 random(seed);
    Touch touch;
    for (int i = 0; i < 4; ++i) {
        touch.start.push_back(test::uniform_in_cube(random, 1));
        touch.displacements.push_back(test::uniform_in_cube(random, 0.1));
        touch.inverse_masses.push_back(test::uniform(random, 0.5, 2));
    }
    ImpulseConstraint& c = touch.constraint;
    c.stencil = {seed % 2 ? StencilKind::PointTriangle : StencilKind::EdgeEdge, {0, 1, 2, 3}};
    const StencilGap gap = measure_gap(c.stencil.kind, gather(c.stencil, touch.start));
    c.weights = gap.weights;
    c.normal = gap.normal;
    c.friction = friction;
    c.inverse_mass = effective_inverse_mass(c.stencil, c.weights, touch.inverse_masses);
    return touch;
}

void apply(Touch& touch, int sweeps = 1) {
    apply_impulses(std::span(&touch.constraint, 1), touch.inverse_masses, sweeps,
                   touch.displacements);
}

Vec3 relative(const Touch& touch) {
    return weighted_difference(touch.constraint.weights,
                               gather(touch.constraint.stencil, touch.displacements));
}

Vec3 momentum(const Touch& touch) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) sum += touch.displacements[i] / touch.inverse_masses[i];
    return sum;
}

Vec3 angular_momentum(const Touch& touch) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
        sum += touch.start[i].cross(touch.displacements[i]) / touch.inverse_masses[i];
    }
    return sum;
}

TEST(Impulses, StopTheApproachAndKeepBothMomenta) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        Touch touch = random_touch(seed, 0);
        const Vec3 linear = momentum(touch), angular = angular_momentum(touch);
        const double before = touch.constraint.normal.dot(relative(touch));
        apply(touch);
        EXPECT_NEAR(touch.constraint.normal.dot(relative(touch)), std::max(0.0, before), 1e-14);
        EXPECT_LE((momentum(touch) - linear).norm(), 1e-14);
        EXPECT_LE((angular_momentum(touch) - angular).norm(), 1e-14);
    }
}

TEST(Impulses, FrictionKeepsLinearMomentumAndItsCone) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        Touch touch = random_touch(seed, 0.4);
        const Vec3 linear = momentum(touch);
        apply(touch, 3);
        const ImpulseConstraint& c = touch.constraint;
        EXPECT_LE((momentum(touch) - linear).norm(), 1e-14);
        EXPECT_LE(c.friction_impulse.norm(), c.friction * c.normal_impulse * (1 + 1e-12));
        EXPECT_NEAR(c.friction_impulse.dot(c.normal), 0, 1e-15);
    }
}

TEST(Impulses, EnoughFrictionStopsTheSlipAndNoneLeavesIt) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        Touch touch = random_touch(seed, 1e6);
        if (touch.constraint.normal.dot(relative(touch)) > -1e-3) continue;
        apply(touch);
        EXPECT_LE(relative(touch).norm(), 1e-13);
        Touch smooth = random_touch(seed, 0);
        const Vec3 n = smooth.constraint.normal;
        const Vec3 slip = relative(smooth) - n.dot(relative(smooth)) * n;
        apply(smooth);
        EXPECT_LE((relative(smooth) - slip).norm(), 1e-13);
    }
}

TEST(Impulses, NeverPull) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        Touch touch = random_touch(seed, 0.5);
        touch.constraint.target = -1;  // far less than any of the motions
        const std::vector<Vec3> before = touch.displacements;
        apply(touch);
        EXPECT_EQ(touch.displacements, before);
        EXPECT_EQ(touch.constraint.normal_impulse, 0);
    }
}

TEST(Impulses, TakeBackWhatTurnsOutTooMuch) {
    Touch touch = random_touch(3, 0);
    touch.constraint.target = 1;
    apply(touch);
    const Vec3 wanted = touch.constraint.normal;
    EXPECT_GT(touch.constraint.normal_impulse, 0);
    // Something else parts the sides; the push is then not needed.
    touch.displacements[0] += 10 * wanted;
    const Vec3 linear = momentum(touch);
    apply(touch);
    EXPECT_EQ(touch.constraint.normal_impulse, 0);
    EXPECT_LE((momentum(touch) - linear).norm(), 1e-13);
}

TEST(Impulses, PrescribedVerticesStayAndTheOthersTakeAll) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        Touch touch = random_touch(seed, 0.3);
        touch.inverse_masses[0] = 0;
        touch.inverse_masses[1] = 0;
        ImpulseConstraint& c = touch.constraint;
        c.inverse_mass = effective_inverse_mass(c.stencil, c.weights, touch.inverse_masses);
        const Vec3 first = touch.displacements[0], second = touch.displacements[1];
        apply(touch, 200);
        EXPECT_EQ(touch.displacements[0], first);
        EXPECT_EQ(touch.displacements[1], second);
        EXPECT_TRUE(c.inverse_mass == 0 || c.normal.dot(relative(touch)) > -1e-9);
    }
}

TEST(Impulses, AmongPrescribedVerticesDoNothing) {
    Touch touch = random_touch(1, 0.3);
    touch.inverse_masses.assign(4, 0);
    ImpulseConstraint& c = touch.constraint;
    c.inverse_mass = effective_inverse_mass(c.stencil, c.weights, touch.inverse_masses);
    EXPECT_EQ(c.inverse_mass, 0);
    const std::vector<Vec3> before = touch.displacements;
    apply(touch);
    EXPECT_EQ(touch.displacements, before);
}

TEST(Impulses, AVertexOfLittleWeightIsNotThrownFar) {
    Touch touch = random_touch(1, 0);
    ImpulseConstraint& c = touch.constraint;
    c.weights = {1, -0.999, 0, -0.001};
    c.normal = Vec3::UnitY();
    c.target = 1e-3;
    touch.inverse_masses = {0, 0, 0, 1};
    touch.displacements.assign(4, Vec3::Zero());
    c.inverse_mass = effective_inverse_mass(c.stencil, c.weights, touch.inverse_masses);
    apply(touch);
    EXPECT_LT(touch.displacements[3].norm(), 1e-3);
}

TEST(Impulses, PushTheNearEndOfAnEdge) {
    // The closest point lies at ea0's end; ea0 must take most of the push.
    Touch touch = random_touch(2, 0);
    touch.start = {Vec3(0, 1, 0), Vec3(4, 1, 0), Vec3(1, 0, -1), Vec3(1, 0, 3)};
    touch.displacements = {Vec3(0, -1, 0), Vec3(0, -1, 0), Vec3::Zero(), Vec3::Zero()};
    touch.inverse_masses.assign(4, 1);
    ImpulseConstraint& c = touch.constraint;
    const StencilGap gap = measure_gap(StencilKind::EdgeEdge, gather(c.stencil, touch.start));
    c.weights = gap.weights;
    c.normal = gap.normal;
    c.inverse_mass = effective_inverse_mass(c.stencil, c.weights, touch.inverse_masses);
    apply(touch);
    EXPECT_GT(touch.displacements[0].y(), touch.displacements[1].y());
    EXPECT_LT(touch.displacements[2].y(), touch.displacements[3].y());
}

}  // namespace
}  // namespace toile
