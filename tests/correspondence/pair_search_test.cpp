// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/pair_search.h"

#include "correspondence/blobs.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TrianglePairs pairs_of(const TriangleMesh& source, const TriangleMesh& target,
                       const PairSearchOptions& options = {}) {
    return find_pairs(source.positions, source.triangles, target.positions, target.triangles,
                      options);
}

void expect_same(const TrianglePairs& a, const TrianglePairs& b) {
    EXPECT_EQ(a.first_source, b.first_source);
    EXPECT_EQ(a.source_list, b.source_list);
}

/// Two parallel sheets, one looking up and one, below, looking down: a pair of lips.
TriangleMesh lips(double gap) {
    TriangleMesh mesh = make_rectangle({.width_divisions = 8, .length_divisions = 8});
    const int n = mesh.n_vertices();
    const size_t n_triangles = mesh.triangles.size();
    for (int v = 0; v < n; ++v) {
        mesh.positions.push_back(mesh.positions[static_cast<size_t>(v)] - Vec3(0, gap, 0));
    }
    for (size_t t = 0; t < n_triangles; ++t) {
        const Triangle up = mesh.triangles[t];
        mesh.triangles.push_back({up[0] + n, up[2] + n, up[1] + n});
    }
    return mesh;
}

TEST(PairSearch, AgreesWithItsSlowTwin) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    for (const bool both : {false, true}) {
        for (const int n : {1, 10}) {
            const PairSearchOptions options{
                .n_nearest = n, .max_distance = 0.1, .both_directions = both};
            expect_same(pairs_of(source, target, options),
                        brute_force::find_pairs(source.positions, source.triangles,
                                                target.positions, target.triangles, options));
        }
    }
}

TEST(PairSearch, PairsAMeshWithItself) {
    const TriangleMesh mesh = test::blob_source();
    const TrianglePairs pairs = pairs_of(mesh, mesh);
    for (int t = 0; t < mesh.n_triangles(); ++t) EXPECT_EQ(pairs.sources_of(t)[0], t);
}

TEST(PairSearch, GivesTheSameOnAnyNumberOfThreads) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    const TrianglePairs here = pairs_of(source, target);
    for (const int n : {1, 3}) {
        const ThreadLimit limit(n);
        expect_same(pairs_of(source, target), here);
    }
}

TEST(PairSearch, DoesNotPairLayersThatLookApart) {
    const TriangleMesh source = lips(1e-3);
    TriangleMesh target = source;
    // The target's lips are pressed past each other, so that each is nearest to the wrong one.
    for (int v = 0; v < target.n_vertices(); ++v) {
        target.positions[static_cast<size_t>(v)].y() += v < target.n_vertices() / 2 ? -1e-3 : 1e-3;
    }
    const TrianglePairs pairs = pairs_of(source, target);
    const int half = source.n_triangles() / 2;
    for (int t = 0; t < target.n_triangles(); ++t) {
        ASSERT_FALSE(pairs.sources_of(t).empty());
        for (const int s : pairs.sources_of(t)) EXPECT_EQ(s < half, t < half);
    }
}

TEST(PairSearch, LeavesUnmatchedWhatIsFarOrHasNoArea) {
    const TriangleMesh source = make_rectangle({.width = 1, .length = 1});
    TriangleMesh target = make_rectangle({.width = 3, .length = 1, .width_divisions = 45});
    target.triangles.push_back({0, 0, 1});
    const TrianglePairs pairs = pairs_of(source, target);
    EXPECT_TRUE(pairs.sources_of(target.n_triangles() - 1).empty());
    int n_far = 0;
    for (int t = 0; t + 1 < target.n_triangles(); ++t) {
        Vec3 centroid = Vec3::Zero();
        for (const int v : target.triangles[static_cast<size_t>(t)]) {
            centroid += target.positions[static_cast<size_t>(v)] / 3;
        }
        const bool is_far = std::abs(centroid.x()) > 0.5 + 0.05 * std::sqrt(10.0);
        n_far += is_far;
        if (is_far || std::abs(centroid.x()) < 0.5) {
            EXPECT_EQ(pairs.sources_of(t).empty(), is_far);
        }
    }
    EXPECT_GT(n_far, 100);
}

TEST(PairSearch, DoesNotDependOnTheUnit) {
    const TriangleMesh source = test::blob_source();
    const TriangleMesh target = test::blob_target();
    const TrianglePairs metres = pairs_of(source, target);
    for (const double scale : {1.0 / 1024, 1024.0}) {
        TriangleMesh s = source;
        TriangleMesh t = target;
        for (Vec3& p : s.positions) p *= scale;
        for (Vec3& p : t.positions) p *= scale;
        expect_same(pairs_of(s, t), metres);
    }
}

TEST(PairSearch, TakesEmptyMeshesAndRefusesSenselessOptions) {
    const TriangleMesh mesh = test::blob_source(1);
    EXPECT_EQ(pairs_of({}, mesh).source_list.size(), 0U);
    EXPECT_EQ(pairs_of(mesh, {}).n_target_triangles(), 0);
    EXPECT_THROW((void)pairs_of(mesh, mesh, {.n_nearest = 0}), InvalidInput);
    EXPECT_THROW((void)pairs_of(mesh, mesh, {.max_distance = -1}), InvalidInput);
}

}  // namespace
}  // namespace toile
