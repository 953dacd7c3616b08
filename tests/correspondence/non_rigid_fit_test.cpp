// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/non_rigid_fit.h"

#include "correspondence/blobs.h"
#include "support/captured_log.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/correspondence/correspondence.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

const std::vector<Marker>& markers() {
    static const std::vector<Marker> list = test::blob_markers();
    return list;
}

FitResult fit(const TriangleMesh& source, const TriangleMesh& target,
              const std::vector<Marker>& with = markers(), FitKind kind = FitKind::Plate) {
    return fit_to_surface(source, target, with, fit_options(kind));
}

void expect_near(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    double worst = 0;
    for (size_t v = 0; v < a.size(); ++v) worst = std::max(worst, (a[v] - b[v]).norm());
    EXPECT_LT(worst, tolerance);
}

class NonRigidFit : public testing::TestWithParam<FitKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, NonRigidFit,
                         testing::Values(FitKind::Plate, FitKind::Full, FitKind::Classic),
                         [](const auto& kind) { return std::string(fit_kind_name(kind.param)); });

TEST_P(NonRigidFit, LaysTheSourceOnTheTargetAndHoldsTheMarkers) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    const Correspondence c =
        correspond(source, target, markers(), correspondence_options(GetParam()));
    EXPECT_LT(c.quality.mean, 0.25);
    EXPECT_LT(c.quality.max, 2);
    EXPECT_EQ(c.quality.n_folds, 0);
    EXPECT_GT(c.quality.covered_area, 99.9);
    const double diagonal = bounding_box(target.positions).diagonal();
    for (const Marker& m : markers()) {
        const Vec3 off = c.fit.positions[static_cast<size_t>(m.source)] -
                         target.positions[static_cast<size_t>(m.target)];
        EXPECT_LT(off.norm(), 1e-12 * diagonal);
    }
    // What is matched lies in one direction from the middle of both bodies.
    double worst = 1;
    const auto direction = [](const TriangleMesh& mesh, int t, double stretch) {
        Vec3 sum = Vec3::Zero();
        for (const int v : mesh.triangles[static_cast<size_t>(t)]) {
            sum += mesh.positions[static_cast<size_t>(v)];
        }
        return Vec3(sum.x(), sum.y() / stretch, sum.z()).normalized();
    };
    for (int t = 0; t < target.n_triangles(); ++t) {
        if (c.pairs.sources_of(t).empty()) continue;
        worst = std::min(
            worst, direction(target, t, 1.3).dot(direction(source, c.pairs.sources_of(t)[0], 1)));
    }
    EXPECT_GT(worst, std::cos(radians(30)));
}

TEST_P(NonRigidFit, DoesNotDependOnUnitPlaceAndOrientationOfTheSource) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    const std::vector<Vec3> expected = fit(source, target, markers(), GetParam()).positions;
    for (const double scale : {1e-3, 1e3}) {
        TriangleMesh moved = source;
        transform_points({rotation_about_axis({1, 2, 3}, 2.5), scale * Vec3(40, -3, 8), scale},
                         moved.positions);
        expect_near(fit(moved, target, markers(), GetParam()).positions, expected, 1e-6);
    }
}

TEST_P(NonRigidFit, MovesWithTheTarget) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    std::vector<Vec3> expected = fit(source, target, markers(), GetParam()).positions;
    const Transform motion{rotation_about_axis({3, -1, 2}, 2), Vec3(4e3, 5e2, -6e3), 1e3};
    transform_points(motion, expected);
    TriangleMesh moved = target;
    transform_points(motion, moved.positions);
    expect_near(fit(source, moved, markers(), GetParam()).positions, expected, 1e-6 * 1e3);
}

TEST_P(NonRigidFit, GivesTheSameBitsOnAnyNumberOfThreads) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    const std::vector<Vec3> expected = fit(source, target, markers(), GetParam()).positions;
    for (const int n : {1, 3}) {
        const ThreadLimit limit(n);
        EXPECT_EQ(fit(source, target, markers(), GetParam()).positions, expected);
    }
}

TEST_P(NonRigidFit, OfAMeshOnItselfIsTheMesh) {
    const TriangleMesh mesh = test::blob_source();
    std::vector<Marker> own;
    for (const Marker& m : markers()) own.push_back({m.source, m.source});
    expect_near(fit(mesh, mesh, own, GetParam()).positions, mesh.positions, 1e-9);
}

TEST_P(NonRigidFit, CopesWithWhatHasNoAreaNoTriangleOrNoMarker) {
    TriangleMesh source = test::blob_source();
    const int n = source.n_vertices();
    const Vec3 lone(0.1, 0.2, 0.3);
    source.positions.push_back(lone);                 // of no triangle
    source.positions.push_back(source.positions[5]);  // of a triangle without area
    for (const Vec3& p : {Vec3(0.9, 0, 0), Vec3(0.9, 0.1, 0), Vec3(0.9, 0, 0.1)}) {
        source.positions.push_back(p);  // an eye without a marker
    }
    source.triangles.push_back({0, 0, 1});
    source.triangles.push_back({5, n + 1, 6});
    source.triangles.push_back({n + 2, n + 3, n + 4});
    TriangleMesh target = test::blob_target();
    target.triangles.push_back({2, 2, 3});
    target.positions.emplace_back(0, 0, 0);
    const FitResult result = fit(source, target, markers(), GetParam());
    for (const Vec3& p : result.positions) EXPECT_TRUE(p.allFinite());
    EXPECT_LT((result.positions[static_cast<size_t>(n)] - result.alignment(lone)).norm(), 1e-9);
    const TriangleMesh clean = test::blob_source();
    std::vector<Vec3> body = result.positions;
    body.resize(static_cast<size_t>(n));
    expect_near(body, fit(clean, test::blob_target(), markers(), GetParam()).positions, 0.02);
}

TEST(NonRigidFitMarkers, ThatAreWrongAreNamedWithWhereTheyBelong) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    for (const MarkerResidual& residual : fit(source, target).markers) {
        EXPECT_FALSE(residual.implausible);
    }
    std::vector<Marker> wrong = markers();
    const int right_target = wrong[4].target;
    wrong[4] = {wrong[4].source, wrong[9].target + 41, 5};
    test::CapturedLog log;
    const Correspondence c =
        correspond(source, target, wrong, correspondence_options(FitKind::Plate));
    EXPECT_TRUE(c.fit.markers[4].implausible) << c.fit.markers[4].distance;
    const Vec3& belongs = target.positions[static_cast<size_t>(right_target)];
    EXPECT_LT((c.fit.markers[4].predicted - belongs).norm(), 0.3);
    ASSERT_FALSE(log.warnings.empty());
    EXPECT_NE(log.warnings[0].find("(line 5) is implausible"), std::string::npos)
        << log.warnings[0];
}

TEST(NonRigidFitMarkers, OfOneOrTwoAreEnoughForAnAnswerWithAWarning) {
    const TriangleMesh source = test::blob_source(2);
    const TriangleMesh target = test::blob_target(20);
    const std::vector<Marker> all = test::blob_markers(2, 20);
    for (const size_t n : {1U, 2U}) {
        test::CapturedLog log;
        const FitResult result =
            fit(source, target, std::vector<Marker>(all.begin(), all.begin() + n));
        for (const Vec3& p : result.positions) EXPECT_TRUE(p.allFinite());
        ASSERT_EQ(log.warnings.size(), 1U);
        EXPECT_NE(log.warnings[0].find("how the source is turned"), std::string::npos);
    }
}

TEST(NonRigidFitInput, WithoutMarkersTrianglesOrFiniteCoordinatesIsRefused) {
    const TriangleMesh source = test::blob_source(1);
    const TriangleMesh target = test::blob_target(8);
    EXPECT_THROW((void)fit(source, target, {}), InvalidInput);
    EXPECT_THROW((void)fit({}, target, {{0, 0}}), InvalidInput);
    EXPECT_THROW((void)fit(source, {}, {{0, 0}}), InvalidInput);
    TriangleMesh broken = source;
    broken.positions[3].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)fit(broken, target, {{0, 0}}), InvalidInput);
    TriangleMesh point = source;
    for (Vec3& p : point.positions) p.setZero();
    EXPECT_THROW((void)fit(point, target, {{0, 0}}), InvalidInput);
    EXPECT_THROW((void)parse_fit_kind("plat"), InvalidInput);
}

TEST(NonRigidFitJob, TellsItsProgressAndStopsWhenAsked) {
    const TriangleMesh source = test::blob_source(2);
    const TriangleMesh target = test::blob_target(20);
    const std::vector<Marker> list = test::blob_markers(2, 20);
    Cancellation cancellation;
    int calls = 0;
    JobControl control;
    control.cancellation = &cancellation;
    control.progress = [&](int done, int total, const std::string&) {
        EXPECT_EQ(done, calls++);
        EXPECT_EQ(total, 5);
    };
    (void)fit_to_surface(source, target, list, fit_options(FitKind::Plate), control);
    EXPECT_EQ(calls, 6);
    control.progress = [&](int done, int, const std::string&) {
        if (done == 2) cancellation.request();
    };
    EXPECT_THROW((void)fit_to_surface(source, target, list, fit_options(FitKind::Plate), control),
                 Interrupted);
}

TEST(NonRigidFitPartial, LeavesUnmatchedWhatTheSourceDoesNotCover) {
    // The source is a patch of the target: a mask on a head.
    const TriangleMesh target = test::blob_target();
    TriangleMesh source = test::blob_source();
    std::erase_if(source.triangles, [&](const Triangle& t) {
        return source.positions[static_cast<size_t>(t[0])].x() < 0.2;
    });
    std::vector<Marker> some;
    for (const Marker& m : markers()) {
        if (source.positions[static_cast<size_t>(m.source)].x() > 0.3) some.push_back(m);
    }
    some = require_holdable(some, source, target);
    ASSERT_GE(some.size(), 3U);
    test::CapturedLog log;
    const Correspondence c =
        correspond(source, target, some, correspondence_options(FitKind::Plate));
    for (int t = 0; t < target.n_triangles(); ++t) {
        const int v = target.triangles[static_cast<size_t>(t)][0];
        if (target.positions[static_cast<size_t>(v)].x() > -0.4) continue;
        EXPECT_TRUE(c.pairs.sources_of(t).empty());
    }
    EXPECT_GT(c.quality.n_unmatched, target.n_triangles() / 4);
    ASSERT_FALSE(c.quality.unmatched.empty());
    EXPECT_GT(c.quality.unmatched[0].n_triangles, target.n_triangles() / 4);
    EXPECT_NE(log.warnings.back().find("have no source triangle"), std::string::npos);
}

TEST(NonRigidFitResolution, MayDifferEightfoldEitherWay) {
    for (const auto& [subdivisions, segments] : {std::pair{2, 80}, std::pair{4, 16}}) {
        const TriangleMesh source = test::blob_source(subdivisions);
        const TriangleMesh target = test::blob_target(segments);
        const Correspondence c =
            correspond(source, target, test::blob_markers(subdivisions, segments),
                       correspondence_options(FitKind::Plate));
        EXPECT_GT(c.quality.covered_area, 97);
        EXPECT_LT(c.quality.mean, 0.6);
    }
}

TEST(NonRigidFitResolution, CopesWithThinTriangles) {
    // Triangles of 1 : 60 at the equator, thinner at the poles; markers at the horns' tips.
    const TriangleMesh sphere = make_uv_sphere({.radius = 1, .segments = 500, .rings = 8});
    const TriangleMesh source = test::blob_of(sphere, 0.7, 1);
    const TriangleMesh target = test::blob_target();
    const TriangleMesh target_sphere = make_uv_sphere({.radius = 1, .segments = 40, .rings = 20});
    std::vector<Marker> list;
    for (const Vec3& d : test::horn_directions()) {
        list.push_back(
            {test::nearest_in_direction(sphere, d), test::nearest_in_direction(target_sphere, d)});
    }
    const Correspondence c =
        correspond(source, target, list, correspondence_options(FitKind::Plate));
    for (const Vec3& p : c.fit.positions) EXPECT_TRUE(p.allFinite());
    EXPECT_LT(c.quality.mean, 3);
    EXPECT_LT(c.quality.max, 15);
}

TEST(MatchColors, AreEqualWhereMatchedAndGreyWhereNot) {
    const TriangleMesh mesh = test::blob_source(1);
    TrianglePairs pairs = identity_pairs(mesh.n_triangles());
    pairs.source_list.pop_back();
    --pairs.first_source.back();
    const MatchColors colors = match_colors(mesh, pairs);
    for (int t = 0; t + 1 < mesh.n_triangles(); ++t) {
        const auto i = static_cast<size_t>(t);
        EXPECT_EQ(colors.source[i], colors.target[i]);
        EXPECT_GE(colors.source[i].minCoeff(), 0);
        EXPECT_LE(colors.source[i].maxCoeff(), 1);
    }
    EXPECT_EQ(colors.target.back(), Vec3(0.5, 0.5, 0.5));
}

}  // namespace
}  // namespace toile
