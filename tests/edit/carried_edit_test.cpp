// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/carried_edit.h"

#include "edit/bent_tube.h"
#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/shapes/append.h"
#include "toile/mesh/shapes/sphere.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <set>

namespace toile {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;
const TriangleMesh kTube = test::tube();

CarriedEdit turned_tube(CarryOptions options = {}, double angle = kQuarter / 2) {
    const std::vector<Vec3> original = test::bent(kTube, 0.5);
    return {kTube.triangles, original, test::with_turned_end(kTube, original, angle),
            std::move(options)};
}

std::vector<Vec3> applied(const CarriedEdit& edit, std::vector<Vec3> frame, double strength = 1) {
    CarriedEdit::Workspace workspace;
    edit.apply(strength, frame, workspace);
    return frame;
}

CarryOptions with_rule(EditRule rule) {
    return {.rule = rule, .rest = kTube.positions};
}

TEST(CarriedEdit, IsExactInItsOwnFrameByEveryRuleButThePrinted) {
    for (const EditRule rule :
         {EditRule::Offsets, EditRule::Stretch, EditRule::Conjugated, EditRule::Printed}) {
        const CarriedEdit edit = turned_tube(with_rule(rule));
        const double error = test::largest_distance(applied(edit, edit.original()), edit.edited());
        if (rule == EditRule::Printed) {
            EXPECT_GT(error, 1e-2);
        } else {
            EXPECT_LE(error, 1e-12);
        }
    }
}

TEST(CarriedEdit, ThePrintedRuleIsExactWhereTheRestIsTheEditedFrame) {
    const std::vector<Vec3> original = test::bent(kTube, 0.5);
    const CarriedEdit edit = turned_tube({.rule = EditRule::Printed, .rest = original});
    EXPECT_LE(test::largest_distance(applied(edit, original), edit.edited()), 1e-12);
}

TEST(CarriedEdit, KeepsEveryBitOfWhatIsNotEdited) {
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    const CarriedEdit edit = turned_tube();
    const std::vector<Vec3> after = applied(edit, frame);
    const std::set<int> moved(edit.moved().begin(), edit.moved().end());
    ASSERT_GT(moved.size(), 100U);
    ASSERT_LT(moved.size(), frame.size());
    for (size_t v = 0; v < frame.size(); ++v) {
        if (!moved.contains(static_cast<int>(v))) {
            EXPECT_EQ(after[v], frame[v]);
        }
    }
    EXPECT_EQ(applied(edit, frame, 0), frame);
}

TEST(CarriedEdit, TurnsAndShiftsWithTheFrame) {
    const CarriedEdit edit = turned_tube();
    const Transform motion{.rotation = rotation_about_axis(Vec3(1, -2, 0.3), 2.5),
                           .translation = Vec3(3, -1, 2)};
    std::vector<Vec3> frame = edit.original(), expected = edit.edited();
    transform_points(motion, frame);
    transform_points(motion, expected);
    EXPECT_LE(test::largest_distance(applied(edit, frame), expected), 1e-12);
    EXPECT_LE(
        test::largest_distance(applied(turned_tube(with_rule(EditRule::Stretch)), frame), expected),
        1e-12);
}

TEST(CarriedEdit, CarriesATurnedEndToWhereItWouldHaveBeenTurned) {
    // In every frame the end, a quarter of the tube, is turned about the end's own hinge.
    const CarriedEdit edit = turned_tube();
    const std::vector<Vec3> straight = test::bent(kTube, 0.0);
    const std::vector<Vec3> expected = test::with_turned_end(kTube, straight, kQuarter / 2);
    const double error = test::largest_distance(applied(edit, straight), expected);
    std::vector<Vec3> unturned = straight;
    for (size_t v = 0; v < unturned.size(); ++v)
        unturned[v] += edit.edited()[v] - edit.original()[v];
    EXPECT_LE(error, 0.5 * test::largest_distance(unturned, expected));
}

TEST(CarriedEdit, GivesTheSameShapeInAnyUnit) {
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    const std::vector<Vec3> after = applied(turned_tube(), frame);
    for (const double scale : {1e-3, 1e3}) {
        const TriangleMesh mesh = test::tube(scale);
        const std::vector<Vec3> original = test::bent(mesh, 0.5, scale);
        const CarriedEdit edit(mesh.triangles, original,
                               test::with_turned_end(mesh, original, kQuarter / 2, scale));
        std::vector<Vec3> scaled = applied(edit, test::bent(mesh, 1.3, scale));
        for (Vec3& p : scaled) p /= scale;
        EXPECT_LE(test::largest_distance(scaled, after), 1e-11);
    }
}

TEST(CarriedEdit, GivesTheSameBitsOnAnyNumberOfThreads) {
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    std::vector<std::vector<Vec3>> results;
    for (const int n : {1, 2, 5}) {
        const ThreadLimit limit(n);
        results.push_back(applied(turned_tube({.smoothing_passes = 2}), frame, 0.6));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

double end_length(const std::vector<Vec3>& frame) {
    // Within the stiff end: between the rim of the upper cap and a ring below it.
    double longest = 0, lowest = 0.3;
    int top = -1, below = -1;
    for (int v = 0; v < kTube.n_vertices(); ++v) {
        const Vec3& p = kTube.positions[v];
        if (p.y() > longest) {
            longest = p.y();
            top = v;
        }
        if (p.y() > 0.31 && (below < 0 || p.y() < lowest)) {
            lowest = p.y();
            below = v;
        }
    }
    return (frame[top] - frame[below]).norm();
}

TEST(CarriedEdit, StrengthTurnsByItsShareOfTheAngleAndKeepsLengths) {
    const CarriedEdit edit = turned_tube({}, 0.5);
    for (const double t : {0.25, 0.5, 0.75, 1.5, 2.0}) {
        const std::vector<Vec3> after = applied(edit, edit.original(), t);
        const std::vector<Vec3> expected = test::with_turned_end(kTube, edit.original(), 0.5 * t);
        const double size = test::largest_distance(edit.original(), edit.edited());
        EXPECT_LE(test::largest_distance(after, expected), 0.05 * size) << t;
        EXPECT_NEAR(end_length(after) / end_length(edit.original()), 1, 0.01) << t;
    }
}

TEST(CarriedEdit, StrengthIsContinuousAtOne) {
    const CarriedEdit edit = turned_tube();
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    const std::vector<Vec3> whole = applied(edit, frame);
    EXPECT_LE(test::largest_distance(applied(edit, frame, 1 - 1e-9), whole), 1e-6);
}

TEST(CarriedEdit, SurvivesThinAndFlatTrianglesInTheEditedFrame) {
    for (const double height : {1e-3, 1e-6, 1e-9, 0.0}) {
        std::vector<Vec3> original = test::bent(kTube, 0.5);
        int n_spoilt = 0;
        for (size_t t = 0; t < kTube.triangles.size() && n_spoilt < 6; t += 41) {
            const auto& [a, b, c] = kTube.triangles[t];
            if (kTube.positions[a].y() < 0.33 || kTube.positions[a].y() > 0.45) continue;
            const Vec3 foot = 0.5 * (original[a] + original[b]);
            original[c] = foot + height * (original[c] - foot);
            ++n_spoilt;
        }
        ASSERT_GT(n_spoilt, 2);
        const CarriedEdit edit(kTube.triangles, original,
                               test::with_turned_end(kTube, original, kQuarter / 2));
        const std::vector<Vec3> frame = test::bent(kTube, 0.9);
        const std::vector<Vec3> expected = applied(turned_tube(), frame);
        const double size = test::largest_distance(edit.original(), edit.edited());
        EXPECT_LE(test::largest_distance(applied(edit, frame), expected), 0.15 * size) << height;
        EXPECT_LE(test::largest_distance(applied(edit, original), edit.edited()), 1e-6 * size);
        EXPECT_LE(
            test::largest_distance(applied(edit, frame, 0.5), applied(turned_tube(), frame, 0.5)),
            0.15 * size)
            << height;
    }
}

TEST(CarriedEdit, StretchRefusesThinTrianglesByName) {
    std::vector<Vec3> original = test::bent(kTube, 0.5);
    const auto& [a, b, c] = kTube.triangles.back();
    original[c] = 0.5 * (original[a] + original[b]) + 1e-6 * (original[c] - original[a]);
    std::vector<Vec3> edited = original;
    edited[c].z() += 0.01;
    try {
        const CarriedEdit edit(kTube.triangles, original, edited, {.rule = EditRule::Stretch});
        FAIL() << "was not refused";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("thin"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("offsets"), std::string::npos);
    }
}

TEST(CarriedEdit, IsFiniteOnEveryMesh) {
    for (const test::BatteryMesh& battery : test::mesh_battery()) {
        for (const int rings : {0, 1}) {
            std::vector<Vec3> edited = battery.mesh.positions;
            for (size_t v = 0; v < edited.size(); v += 2) edited[v] += Vec3(0.1, 0.3, -0.2);
            const CarriedEdit edit(battery.mesh.triangles, battery.mesh.positions, edited,
                                   {.feather_rings = rings});
            EXPECT_LE(test::largest_distance(applied(edit, edit.original()), edited), 1e-12)
                << battery.name;
            std::vector<Vec3> frame = battery.mesh.positions;
            for (size_t v = 0; v < frame.size(); ++v) frame[v] *= (v % 3 == 0 ? 0.0 : 1.5);
            for (const double strength : {1.0, 0.3}) {
                for (const Vec3& p : applied(edit, frame, strength)) {
                    EXPECT_TRUE(p.allFinite()) << battery.name;
                }
            }
        }
    }
}

TEST(CarriedEdit, FeatherRingsSoftenTheBorder) {
    const CarriedEdit sharp = turned_tube();
    const CarriedEdit soft = turned_tube({.feather_rings = 2});
    EXPECT_EQ(soft.moved(), sharp.moved());
    EXPECT_GT(soft.region().n_free, sharp.region().n_free);
    EXPECT_LE(test::largest_distance(applied(soft, soft.original()), soft.edited()), 1e-12);
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    EXPECT_LE(test::largest_distance(applied(soft, frame), applied(sharp, frame)), 0.05);
}

TEST(CarriedEdit, AMaskLeavesTheRestAsItWas) {
    std::vector<char> mask(kTube.positions.size(), 0);
    for (size_t v = 0; v < mask.size(); ++v) mask[v] = kTube.positions[v].x() > 0;
    const CarriedEdit edit = turned_tube({.mask = mask});
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    const std::vector<Vec3> after = applied(edit, frame);
    for (size_t v = 0; v < mask.size(); ++v) {
        if (!mask[v]) {
            EXPECT_EQ(after[v], frame[v]);
        }
    }
    EXPECT_NE(after, frame);
}

// A ball with a small loose ball inside its upper half.
TriangleMesh ball_with_eye() {
    TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 3});
    detail::append_part(
        make_sphere({.radius = 0.1, .subdivisions = 1, .center = Vec3(0, 0.9, 0.2)}), mesh);
    return mesh;
}

Vec3 eye_center(const std::vector<Vec3>& frame) {
    Vec3 sum = Vec3::Zero();
    constexpr int kEye = 42;
    for (size_t k = 0; k < kEye; ++k) sum += frame[frame.size() - 1 - k];
    return sum / kEye;
}

// From the middle of the eye to the nearest vertex of the ball.
double eye_gap(const std::vector<Vec3>& frame) {
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t v = 0; v + 42 < frame.size(); ++v) {
        nearest = std::min(nearest, (frame[v] - eye_center(frame)).norm());
    }
    return nearest;
}

TEST(CarriedEdit, LoosePartsFollowWhatTheySitIn) {
    const TriangleMesh mesh = ball_with_eye();
    std::vector<Vec3> edited = mesh.positions;
    for (Vec3& p : edited) {
        if (p.y() > 0.2) p.y() += 0.8 * (p.y() - 0.2);
    }
    const CarriedEdit glued(mesh.triangles, mesh.positions, edited);
    const CarriedEdit free(mesh.triangles, mesh.positions, edited, {.glue = false});
    EXPECT_EQ(glued.n_loose_parts(), 1);
    EXPECT_EQ(free.n_loose_parts(), 0);
    EXPECT_LE(test::largest_distance(applied(glued, mesh.positions), edited), 1e-12);

    // A pose that leans the more the higher: the eye should stay at its place in the skin.
    std::vector<Vec3> pose = mesh.positions;
    for (Vec3& p : pose) p = rotation_about_axis(Vec3::UnitX(), 0.8 * p.y()) * p;
    EXPECT_NEAR(eye_gap(applied(glued, pose)), eye_gap(edited), 0.03);
}

TEST(CarriedEdit, ALoosePartKeepsItsPlaceAtPartOfTheStrength) {
    const TriangleMesh mesh = ball_with_eye();
    std::vector<Vec3> edited = mesh.positions;
    for (Vec3& p : edited) {
        p = rotation_about_axis(Vec3::UnitX(), std::clamp(2 * p.y(), 0.0, 1.0)) * p;
    }
    const CarriedEdit edit(mesh.triangles, mesh.positions, edited);
    const std::vector<Vec3> half = applied(edit, mesh.positions, 0.5);
    EXPECT_NEAR(eye_gap(half), eye_gap(mesh.positions), 0.02);
    EXPECT_GT((eye_center(half) - eye_center(mesh.positions)).norm(), 0.3);
}

TEST(CarriedEdit, SettingAnotherEditEqualsStartingAnew) {
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    CarriedEdit edit = turned_tube({}, 0.3);
    CarriedEdit::Workspace workspace;
    std::vector<Vec3> after = frame;
    edit.apply(0.5, after, workspace);
    edit.apply(1, after, workspace);
    const CarriedEdit anew = turned_tube({}, 0.9);
    edit.set_edited(anew.edited());  // the same region
    for (const double strength : {1.0, 0.5}) {
        after = frame;
        edit.apply(strength, after, workspace);
        EXPECT_EQ(after, applied(anew, frame, strength));
    }
    std::vector<Vec3> larger = anew.edited();
    larger.front().x() += 0.1;  // outside of the region
    edit.set_edited(larger);
    const CarriedEdit larger_anew(kTube.triangles, edit.original(), larger);
    for (const double strength : {0.5, 1.0}) {
        after = frame;
        edit.apply(strength, after, workspace);
        EXPECT_EQ(after, applied(larger_anew, frame, strength));
    }
}

TEST(CarriedEdit, AnEditThatMovesNothingChangesNothing) {
    const CarriedEdit edit(kTube.triangles, kTube.positions, kTube.positions);
    EXPECT_TRUE(edit.moved().empty());
    const std::vector<Vec3> frame = test::bent(kTube, 1.3);
    EXPECT_EQ(applied(edit, frame), frame);
    EXPECT_EQ(applied(edit, frame, 0.5), frame);
}

TEST(CarriedEdit, RefusesWhatItCannotUse) {
    const std::vector<Vec3>& good = kTube.positions;
    std::vector<Vec3> bad = good;
    bad[5].y() = std::numeric_limits<double>::quiet_NaN();
    std::vector<Vec3> shorter(good.begin(), good.end() - 1);
    const auto& t = kTube.triangles;
    EXPECT_THROW(CarriedEdit(t, good, bad), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, bad, good), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, good, shorter), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, shorter, shorter), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, good, good, {.rule = EditRule::Printed}), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, good, good, {.mask = {1, 0}}), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, good, good, {.pull_length = 0}), InvalidInput);
    EXPECT_THROW(CarriedEdit(t, good, good, {.tolerance = -1}), InvalidInput);
    CarriedEdit::Workspace workspace;
    EXPECT_THROW(turned_tube().apply(1, shorter, workspace), InvalidInput);
    try {
        CarriedEdit(t, good, bad);
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("Vertex 5"), std::string::npos);
    }
}

}  // namespace
}  // namespace toile
