// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/deformation_transfer.h"

#include "support/captured_log.h"
#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/alignment.h"
#include "toile/mesh/shapes/append.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/transfer/thesis_transfer.h"
#include "transfer/transfer_scene.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace toile {
namespace {

using test::bent;
using test::diagonal;
using test::largest_distance;
using test::nearest_pairs;

/// Accuracy of what is exact in theory, as a part of the diagonal.
constexpr double kExact = 1e-9;

TriangleMesh column() {
    return make_cylinder({.segments = 12, .height_divisions = 10});
}

/// As the column, of other triangles, thicker at the top.
TriangleMesh other_column() {
    TriangleMesh mesh = make_cylinder({.segments = 17, .height_divisions = 7});
    for (Vec3& p : mesh.positions) {
        p.x() *= 1 + 0.3 * p.y();
        p.z() *= 1 + 0.3 * p.y();
    }
    return mesh;
}

TEST(DeformationTransfer, OntoTheSameMeshIsTheIdentityAtEveryScaleAndPlace) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (const Vec3& place : {Vec3(0, 0, 0), Vec3(20, -30, 10)}) {
            TriangleMesh mesh = column();
            std::vector<Vec3> pose = bent(mesh.positions, 1.5);
            for (Vec3& p : mesh.positions) p = scale * (p + place);
            for (Vec3& p : pose) p = scale * (p + 2 * place);
            const DeformationTransfer transfer(mesh, mesh, identity_pairs(mesh.n_triangles()));
            EXPECT_LT(largest_distance(transfer.apply(pose), pose), kExact * diagonal(mesh));
        }
    }
}

TEST(DeformationTransfer, IsTheThesisSystemWithFourthVerticesAsUnknowns) {
    const TriangleMesh source = column(), target = other_column();
    const std::vector<Vec3> pose = bent(source.positions, 1.2);
    for (const size_t n_each : {1u, 3u}) {
        const TrianglePairs pairs = nearest_pairs(source, target, n_each);
        const auto fast = DeformationTransfer(source, target, pairs).apply(pose);
        auto slow = thesis_transfer(source, pose, target, pairs, PairWeights::AreaOverPairs);
        const Vec3 shift = fast[0] - slow[0];
        for (Vec3& p : slow) p += shift;
        EXPECT_LT(largest_distance(fast, slow), 1e-10 * diagonal(target));
        // The thesis's own weights are near, but not the same.
        const auto plain = thesis_transfer(source, pose, target, pairs, PairWeights::One);
        const double rms = align(plain, fast, Alignment::Translation).rms / diagonal(target);
        EXPECT_GT(rms, 1e-6);
        EXPECT_LT(rms, 0.2);
    }
}

/// Checks that `result` is the rest mesh under `motion`'s rotation and scale, and that its paired
/// mean moved as the source's, times `scale`.
void expect_similarity(const TriangleMesh& target, std::span<const Vec3> result,
                       const Transform& motion) {
    Vec3 shift = result[0] - motion.scale * (motion.rotation * target.positions[0]);
    std::vector<Vec3> expected;
    for (const Vec3& p : target.positions) {
        expected.push_back(motion.scale * (motion.rotation * p) + shift);
    }
    EXPECT_LT(largest_distance(result, expected), kExact * diagonal(target));
}

TEST(DeformationTransfer, ReproducesTurnScaleAndShiftOfTheSourceOnAnyTarget) {
    const TriangleMesh source = column();
    std::vector<TriangleMesh> targets = {other_column(), make_sphere({.subdivisions = 2})};
    for (const test::BatteryMesh& item : test::mesh_battery()) {
        if (!item.degenerate && item.mesh.n_triangles() > 0) targets.push_back(item.mesh);
    }
    const Transform motion{.rotation = rotation_about_axis(Vec3(1, 2, -1), 2.5),
                           .translation = Vec3(3, -1, 2),
                           .scale = 1.7};
    std::vector<Vec3> pose = source.positions;
    transform_points(motion, pose);
    for (const double size : {1e-3, 1.0, 1e3}) {
        for (TriangleMesh target : targets) {
            for (Vec3& p : target.positions) p *= size;
            const DeformationTransfer transfer(source, target, nearest_pairs(source, target, 3),
                                               {.axes = Axes::World});
            expect_similarity(target, transfer.apply(pose), motion);
        }
    }
}

TEST(DeformationTransfer, ScalesTheSourcesTranslationToTheTarget) {
    const TriangleMesh source = column();
    TriangleMesh target = source;
    for (Vec3& p : target.positions) p = 5 * p + Vec3(100, 0, 0);
    const DeformationTransfer transfer(source, target, identity_pairs(source.n_triangles()));
    EXPECT_NEAR(transfer.facts().scale, 5, 1e-12);
    std::vector<Vec3> pose = source.positions, expected = target.positions;
    for (Vec3& p : pose) p += Vec3(0, 1, 2);
    for (Vec3& p : expected) p += 5 * Vec3(0, 1, 2);
    EXPECT_LT(largest_distance(transfer.apply(pose), expected), kExact * diagonal(target));
}

TEST(DeformationTransfer, ReproducesAnAffineMotionOnTheMeshItself) {
    const TriangleMesh mesh = other_column();
    Mat3 a;
    a << 1.3, 0.4, -0.2, 0.1, 0.7, 0.5, -0.3, 0.2, 1.1;
    std::vector<Vec3> pose;
    for (const Vec3& p : mesh.positions) pose.push_back(a * p + Vec3(1, 2, 3));
    const DeformationTransfer transfer(mesh, mesh, identity_pairs(mesh.n_triangles()));
    EXPECT_LT(largest_distance(transfer.apply(pose), pose), kExact * diagonal(mesh));
}

TEST(DeformationTransfer, TurnsWithATargetThatStandsTurned) {
    const TriangleMesh source = column();
    const Mat3 q = rotation_about_axis(Vec3(1, 0, 0), radians(90));
    TriangleMesh target = source;
    for (Vec3& p : target.positions) p = q * p;
    const std::vector<Vec3> pose = bent(source.positions, 1);
    std::vector<Vec3> expected;
    for (const Vec3& p : pose) expected.push_back(q * p);
    const DeformationTransfer transfer(source, target, identity_pairs(source.n_triangles()));
    EXPECT_TRUE(transfer.facts().is_turned);
    EXPECT_LT(largest_distance(transfer.apply(pose), expected), kExact * diagonal(target));
    const DeformationTransfer plain(source, target, identity_pairs(source.n_triangles()),
                                    {.axes = Axes::World});
    EXPECT_GT(largest_distance(plain.apply(pose), expected), 0.01 * diagonal(target));
}

/// A column with two balls inside, near its top, as eyes in a head.
TriangleMesh column_with_eyes() {
    TriangleMesh mesh = column();
    for (const double x : {-0.1, 0.1}) {
        TriangleMesh eye = make_sphere({.radius = 0.05, .subdivisions = 1});
        for (Vec3& p : eye.positions) p += Vec3(x, 0.45, 0.15);
        detail::append_part(eye, mesh);
    }
    return mesh;
}

TEST(DeformationTransfer, KeepsLoosePartsInTheirPlaceOntoTheSameMesh) {
    const TriangleMesh mesh = column_with_eyes();
    const std::vector<Vec3> pose = bent(mesh.positions, 1.5);
    const DeformationTransfer transfer(mesh, mesh, identity_pairs(mesh.n_triangles()));
    EXPECT_EQ(transfer.facts().n_parts, 3);
    EXPECT_LT(largest_distance(transfer.apply(pose), pose), kExact * diagonal(mesh));
}

TEST(DeformationTransfer, MovesUnmatchedLoosePartsWithWhatTheySitIn) {
    const TriangleMesh source = column(), target = column_with_eyes();
    TrianglePairs pairs = identity_pairs(source.n_triangles());
    while (pairs.n_target_triangles() < target.n_triangles()) {
        pairs.first_source.push_back(pairs.first_source.back());
    }
    const std::vector<Vec3> pose = bent(source.positions, 1.5);
    const auto result = DeformationTransfer(source, target, pairs).apply(pose);
    const std::vector<Vec3> expected = bent(target.positions, 1.5);
    // The eyes are rigid where the column swells, so they agree only nearly.
    EXPECT_LT(largest_distance(result, expected), 0.03 * diagonal(target));
}

TEST(DeformationTransfer, PinsAnchorsAndLetsTheRestFollow) {
    const TriangleMesh mesh = column();
    const std::vector<Vec3> pose = bent(mesh.positions, 1);
    const Vec3 place(0.3, -0.6, 0.1);
    const DeformationTransfer transfer(
        mesh, mesh, identity_pairs(mesh.n_triangles()),
        {.anchors = {{.vertex = 40, .position = place}, {.vertex = 3}}});
    const auto result = transfer.apply(pose);
    EXPECT_EQ(result[40], place);
    EXPECT_EQ(result[3], mesh.positions[3]);
    for (const Vec3& p : result) EXPECT_TRUE(p.allFinite());

    const DeformationTransfer one(mesh, mesh, identity_pairs(mesh.n_triangles()),
                                  {.anchors = {{.vertex = 7}}});
    std::vector<Vec3> expected = pose;
    for (Vec3& p : expected) p += mesh.positions[7] - pose[7];
    EXPECT_LT(largest_distance(one.apply(pose), expected), kExact * diagonal(mesh));
}

TEST(DeformationTransfer, TurnsUnmatchedTrianglesWithTheirSurroundingsOrNotAtAll) {
    const TriangleMesh mesh = column();
    TrianglePairs pairs{.n_source_triangles = mesh.n_triangles()};
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        if (t < 60 || t > 100) pairs.source_list.push_back(t);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    std::vector<Vec3> pose = mesh.positions;
    transform_points({.rotation = rotation_about_axis(Vec3(0, 1, 1), 2), .scale = 1.5}, pose);
    const DeformationTransfer follow(mesh, mesh, pairs);
    EXPECT_EQ(follow.facts().unmatched_triangles.size(), 41u);
    EXPECT_LT(largest_distance(follow.apply(pose), pose), kExact * diagonal(mesh));
    const DeformationTransfer stay(mesh, mesh, pairs, {.unmatched = UnmatchedRule::Identity});
    EXPECT_GT(largest_distance(stay.apply(pose), pose), 0.01 * diagonal(mesh));
}

TEST(DeformationTransfer, MovesLargeRegionsWithoutPairsAsTheWhole) {
    const TriangleMesh mesh = column();
    TrianglePairs pairs{.n_source_triangles = mesh.n_triangles()};
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        if (3 * t < 2 * mesh.n_triangles()) pairs.source_list.push_back(t);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    const DeformationTransfer transfer(mesh, mesh, pairs);
    std::vector<Vec3> turned = mesh.positions;
    transform_points({.rotation = rotation_about_axis(Vec3(0, 1, 1), 2), .scale = 1.5}, turned);
    EXPECT_LT(largest_distance(transfer.apply(turned), turned), kExact * diagonal(mesh));

    // Twisted about its axis the more the higher: at the border of the region by most.
    std::vector<Vec3> twisted = mesh.positions;
    for (Vec3& p : twisted) p = rotation_about_axis(Vec3(0, 1, 0), p.y()) * p;
    const DeformationTransfer by_border(mesh, mesh, pairs,
                                        {.unmatched = UnmatchedRule::Surroundings});
    EXPECT_GT(largest_distance(transfer.apply(twisted), by_border.apply(twisted)),
              1e-3 * diagonal(mesh));
}

/// What files in the wild hold beside a sound surface.
struct Spoilt {
    std::string name;
    TriangleMesh mesh;
};

std::vector<Spoilt> spoilt_columns() {
    const auto spoil = [](const std::string& name, const auto& change) {
        Spoilt result{name, column()};
        change(result.mesh);
        return result;
    };
    const auto& triangle_on = [](TriangleMesh& m, const Vec3& p) {
        const int v = m.n_vertices();
        for (const Vec3& d : {Vec3(0, 0, 0), Vec3(0.1, 0, 0), Vec3(0, 0.1, 0)}) {
            m.positions.push_back(p + d);
        }
        m.triangles.push_back({v, v + 1, v + 2});
    };
    return {
        spoil("unreferenced vertex", [](auto& m) { m.positions.emplace_back(0.3, 0.2, 0.1); }),
        spoil("unreferenced vertex far away", [](auto& m) { m.positions.emplace_back(9, 9, 9); }),
        spoil("vertex used twice",
              [](auto& m) {
                  m.triangles.push_back({3, 3, 9});
              }),
        spoil("triangle of one vertex",
              [](auto& m) {
                  m.triangles.push_back({5, 5, 5});
              }),
        spoil("repeated position",
              [](auto& m) {
                  m.positions.push_back(m.positions[4]);
                  m.triangles.push_back({4, m.n_vertices() - 1, 11});
              }),
        spoil("no area between vertices of a line",
              [](auto& m) {
                  m.positions.push_back(0.5 * (m.positions[20] + m.positions[33]));
                  m.triangles.push_back({20, 33, m.n_vertices() - 1});
              }),
        spoil("very thin triangle",
              [](auto& m) {
                  m.positions.push_back(0.5 * (m.positions[20] + m.positions[33]) +
                                        Vec3(1e-9, 0, 0));
                  m.triangles.push_back({20, 33, m.n_vertices() - 1});
              }),
        spoil("second component", [&](auto& m) { triangle_on(m, Vec3(2, 0, 0)); }),
        spoil(
            "third triangle on an edge",
            [](auto& m) {
                m.positions.emplace_back(0.5, 0.5, 0.5);
                m.triangles.push_back({m.triangles[50][0], m.triangles[50][1], m.n_vertices() - 1});
            }),
        spoil("parts joined at one vertex",
              [](auto& m) {
                  m.positions.emplace_back(0.7, 0.1, 0);
                  m.positions.emplace_back(0.7, -0.1, 0.1);
                  m.triangles.push_back({30, m.n_vertices() - 2, m.n_vertices() - 1});
              }),
    };
}

TEST(DeformationTransfer, GivesFiniteAndExactPosesForSpoiltMeshes) {
    for (const Spoilt& item : spoilt_columns()) {
        const std::vector<Vec3> pose = bent(item.mesh.positions, 0.8);
        const DeformationTransfer transfer(item.mesh, item.mesh,
                                           identity_pairs(item.mesh.n_triangles()));
        const std::vector<Vec3> result = transfer.apply(pose);
        const size_t n_sound = column().positions.size();
        EXPECT_LT(
            largest_distance(std::span(result).first(n_sound), std::span(pose).first(n_sound)),
            kExact * diagonal(item.mesh))
            << item.name;
        for (size_t v = n_sound; v < result.size(); ++v) {
            // What the surface does not decide follows what is near it.
            const double reach = transfer.facts().loose_vertices.empty() ? kExact : 2;
            EXPECT_LT((result[v] - pose[v]).norm(), reach * diagonal(item.mesh)) << item.name;
        }
    }
}

TEST(DeformationTransfer, NamesTheWeakPlacesOfATarget) {
    TriangleMesh mesh = column();
    mesh.positions.emplace_back(0, 0, 0);
    mesh.triangles.push_back({3, 3, 9});
    const DeformationTransfer transfer(mesh, mesh, identity_pairs(mesh.n_triangles()));
    EXPECT_EQ(transfer.facts().loose_vertices, std::vector<int>{mesh.n_vertices() - 1});
    EXPECT_EQ(transfer.facts().degenerate_triangles, std::vector<int>{mesh.n_triangles() - 1});
    test::CapturedLog log;
    warn_of(transfer.facts(), "T.obj");
    ASSERT_EQ(log.warnings.size(), 3u);
    EXPECT_NE(log.warnings[0].find(std::to_string(mesh.n_triangles() - 1)), std::string::npos);
    EXPECT_NE(log.warnings[1].find(std::to_string(mesh.n_vertices() - 1)), std::string::npos);
    EXPECT_NE(log.warnings[2].find("no source triangle"), std::string::npos);
}

TEST(DeformationTransfer, ForgetsSourceTrianglesThatSayNothing) {
    TriangleMesh source = column();
    const int n = source.n_triangles();
    source.triangles.push_back({0, 0, 1});
    std::vector<Vec3> pose = source.positions;
    transform_points({.rotation = rotation_about_axis(Vec3(0, 1, 1), 2)}, pose);
    const TriangleMesh target = column();
    TrianglePairs pairs{.n_source_triangles = source.n_triangles()};
    for (int t = 0; t < n; ++t) {
        if (t != 50) pairs.source_list.push_back(t);
        pairs.source_list.push_back(n);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    const DeformationTransfer transfer(source, target, pairs);
    EXPECT_EQ(transfer.facts().unmatched_triangles, std::vector<int>{50});
    expect_similarity(target, transfer.apply(pose),
                      {.rotation = rotation_about_axis(Vec3(0, 1, 1), 2)});
}

TEST(DeformationTransfer, FollowsASmoothBendFromCoarseToFine) {
    const TriangleMesh coarse = make_cylinder({.segments = 10, .height_divisions = 8});
    const TriangleMesh fine = make_cylinder({.segments = 40, .height_divisions = 32});
    const auto result = DeformationTransfer(coarse, fine, nearest_pairs(coarse, fine, 4))
                            .apply(bent(coarse.positions, 1));
    EXPECT_LT(largest_distance(result, bent(fine.positions, 1)), 0.04 * diagonal(fine));
}

TEST(DeformationTransfer, GivesTheSameBitsOnAnyNumberOfThreads) {
    const TriangleMesh source = make_sphere({.subdivisions = 4});
    TriangleMesh target = make_sphere({.subdivisions = 5});
    TrianglePairs pairs{.n_source_triangles = source.n_triangles()};
    for (int t = 0; t < target.n_triangles(); ++t) {
        if (t % 7) pairs.source_list.push_back(t / 4);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    const std::vector<Vec3> pose = bent(source.positions, 1);
    const auto all = DeformationTransfer(source, target, pairs).apply(pose);
    const ThreadLimit limit(1);
    EXPECT_EQ(DeformationTransfer(source, target, pairs).apply(pose), all);
}

template <class Call>
void expect_refused(const Call& call, const std::string& part) {
    try {
        call();
        FAIL() << "accepted; expected '" << part << "'";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
}

TEST(DeformationTransfer, RefusesWhatCannotBe) {
    const TriangleMesh mesh = column();
    const TrianglePairs pairs = identity_pairs(mesh.n_triangles());
    const auto build = [&](const TriangleMesh& source, const TriangleMesh& target,
                           const TrianglePairs& p, const TransferOptions& options = {}) {
        return [=] { DeformationTransfer(source, target, p, options); };
    };
    expect_refused(build(mesh, mesh, identity_pairs(5)), "5");
    TriangleMesh broken = mesh;
    broken.positions[17].y() = std::numeric_limits<double>::quiet_NaN();
    expect_refused(build(mesh, broken, pairs), "Vertex 17 of the target");
    expect_refused(build(broken, mesh, pairs), "Vertex 17 of the source");
    TriangleMesh wild = mesh;
    wild.triangles[8][1] = 100000;
    expect_refused(build(mesh, wild, pairs), "100000");
    expect_refused(build(mesh, mesh, pairs, {.anchors = {{.vertex = 5}, {.vertex = 5}}}), "twice");
    expect_refused(build(mesh, mesh, pairs, {.anchors = {{.vertex = -1}}}), "-1");
    TrianglePairs none{.n_source_triangles = mesh.n_triangles()};
    none.first_source.assign(static_cast<size_t>(mesh.n_triangles()) + 1, 0);
    expect_refused(build(mesh, mesh, none), "paired");
    expect_refused(build({}, {}, identity_pairs(0)), "paired");
    expect_refused([&] { static_cast<void>(DeformationTransfer(mesh, mesh, pairs).apply({})); },
                   "0 vertices");
}

}  // namespace
}  // namespace toile
