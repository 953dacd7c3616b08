// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/candidates.h"

#include "contact/contact_scene.h"
#include "toile/contact/separation.h"
#include "toile/core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

namespace toile {
namespace {

using test::Scene;

std::vector<ContactStencil> sorted(std::vector<ContactStencil> stencils) {
    std::sort(stencils.begin(), stencils.end());
    return stencils;
}

void keep(const ContactStencil& stencil, const StencilGap&, std::vector<ContactStencil>& piece) {
    piece.push_back(stencil);
}

std::vector<ContactStencil> find(const Scene& scene, const CandidateReach& reach) {
    CandidateFinder finder;
    finder.begin(scene.surface, scene.start, scene.end, reach);
    std::vector<ContactStencil> stencils;
    finder.collect<ContactStencil>(keep, stencils);
    return sorted(stencils);
}

/// Two sheets and a moving box.
Scene moving_scene(unsigned seed) {
    std::mt19937_64 random(seed);
    test::SceneBody other = test::cloth_grid(6, 1, 0.02);
    test::translate(other.positions, {0.1, 0.3, 0});
    test::SceneBody box = test::box_obstacle({0.5, 0.2, 0.5}, 0.01);
    test::translate(box.positions, {0, -0.4, 0});
    Scene scene = test::make_scene({test::cloth_grid(7, 1, 0.04), other, box, box});
    for (Vec3& x : scene.end) x += Vec3(0, -1, 0) + test::uniform_in_cube(random, 0.2);
    for (const int b : {2, 3}) {
        const auto& body = scene.surface.bodies[b];
        std::copy_n(scene.start.begin() + body.first_vertex, body.n_vertices,
                    scene.end.begin() + body.first_vertex);
        test::translate(test::of_body(scene.end, body), {0, 0.2, 0});
    }
    return scene;
}

/// Smallest distance of a pair over sampled times of the step.
double sampled_gap(const Scene& scene, const ContactStencil& stencil) {
    double smallest = 1e300;
    for (int i = 0; i <= 20; ++i) {
        StencilPoints x;
        for (int k = 0; k < 4; ++k) {
            const int v = stencil.vertices[k];
            x[k] = scene.start[v] + 0.05 * i * (scene.end[v] - scene.start[v]);
        }
        smallest = std::min(smallest, measure_gap(stencil.kind, x).distance);
    }
    return smallest;
}

bool share(const ContactStencil& s) {
    return std::set<int>(s.vertices.begin(), s.vertices.end()).size() < 4;
}

/// Pairs that come nearer than their thickness but are not in `found`; `out_near` counts them all.
int count_missing(const Scene& scene, const std::vector<ContactStencil>& found,
                  int* out_near = nullptr) {
    const ContactSurface& surface = scene.surface;
    int n_near = 0, n_missing = 0;
    const auto look = [&](const ContactStencil& s) {
        const int v = s.vertices[0], w = s.vertices[3];
        const bool prescribed = surface.bodies[surface.body_of_vertex[v]].prescribed &&
                                surface.bodies[surface.body_of_vertex[w]].prescribed;
        if (prescribed || share(s) || sampled_gap(scene, s) > surface.pair_thickness(v, w)) return;
        ++n_near;
        n_missing += !std::binary_search(found.begin(), found.end(), s);
    };
    for (int p = 0; p < surface.n_vertices(); ++p) {
        for (const Triangle& t : surface.triangles) {
            look({StencilKind::PointTriangle, {p, t[0], t[1], t[2]}});
        }
    }
    for (size_t e = 0; e < surface.edges.size(); ++e) {
        for (size_t f = e + 1; f < surface.edges.size(); ++f) {
            const Edge &a = surface.edges[e], &b = surface.edges[f];
            look({StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}});
        }
    }
    if (out_near) *out_near = n_near;
    return n_missing;
}

TEST(Candidates, HoldEveryPairThatComesWithinReach) {
    const Scene scene = moving_scene(1);
    int n_near = 0;
    EXPECT_EQ(count_missing(scene, find(scene, {}), &n_near), 0);
    EXPECT_GT(n_near, 100);
}

TEST(Candidates, NamePairsOnceAndLeaveOutNeighboursAndObstaclePairs) {
    const Scene scene = moving_scene(2);
    const std::vector<ContactStencil> found = find(scene, {});
    EXPECT_FALSE(found.empty());
    std::set<std::set<int>> edge_pairs;
    for (size_t i = 0; i < found.size(); ++i) {
        const ContactStencil& s = found[i];
        EXPECT_TRUE(i == 0 || s != found[i - 1]);
        EXPECT_FALSE(share(s));
        const auto& bodies = scene.surface.bodies;
        const auto& body_of = scene.surface.body_of_vertex;
        EXPECT_FALSE(bodies[body_of[s.vertices[0]]].prescribed &&
                     bodies[body_of[s.vertices[3]]].prescribed);
        const ContactStencil turned{s.kind,
                                    {s.vertices[2], s.vertices[3], s.vertices[0], s.vertices[1]}};
        if (s.kind == StencilKind::EdgeEdge) {
            EXPECT_FALSE(std::binary_search(found.begin(), found.end(), turned));
        }
    }
}

TEST(Candidates, FallingTogetherIsAsCheapAsStanding) {
    Scene scene = test::make_scene({test::cloth_grid(12, 1, 1e-3)});
    const size_t standing = find(scene, {}).size();
    test::translate(scene.end, {0.7, -3, 0.2});
    const size_t falling = find(scene, {}).size();
    EXPECT_LE(falling, standing * 11 / 10);
}

TEST(Candidates, WidenedTubesFindWhatAFreshLookFinds) {
    Scene scene = moving_scene(3);
    std::mt19937_64 random(3);
    CandidateFinder finder;
    const CandidateReach reach{.way_margin = 0.25};
    finder.begin(scene.surface, scene.start, scene.end, reach);
    std::vector<ContactStencil> kept;
    finder.collect<ContactStencil>(keep, kept);
    EXPECT_TRUE(finder.covers(scene.end));
    for (int v = 0; v < 20; ++v) scene.end[v] += test::uniform_in_cube(random, 0.5);
    EXPECT_FALSE(finder.covers(scene.end));

    finder.widen(scene.end);
    EXPECT_TRUE(finder.covers(scene.end));
    std::erase_if(kept, [&](const ContactStencil& s) { return finder.escaped(s); });
    finder.collect_escaped<ContactStencil>(keep, kept);
    std::vector<ContactStencil> all;
    finder.collect<ContactStencil>(keep, all);
    EXPECT_EQ(sorted(kept), sorted(all));
    kept = sorted(kept);
    EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
    for (const ContactStencil& stencil : find(scene, {})) {
        if (sampled_gap(scene, stencil) > 0.01) continue;
        EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), stencil));
    }
}

TEST(Candidates, ApproachIsBoundedByTheTubes) {
    const Scene scene = moving_scene(4);
    CandidateFinder finder;
    finder.begin(scene.surface, scene.start, scene.end, {});
    for (const ContactStencil& stencil : find(scene, {})) {
        const double at_start = measure_gap(stencil.kind, gather(stencil, scene.start)).distance;
        EXPECT_LE(at_start - sampled_gap(scene, stencil), finder.largest_approach(stencil) + 1e-12);
    }
}

TEST(Candidates, KnowTheLargestRoundingGapOfAnyMotionInTheTubes) {
    Scene scene = moving_scene(6);
    std::mt19937_64 random(6);
    CandidateFinder finder;
    finder.begin(scene.surface, scene.start, scene.end, {.way_margin = 0.25});
    for (int v = 0; v < 20; ++v) scene.end[v] += test::uniform_in_cube(random, 2);
    finder.widen(scene.end);
    for (const ContactStencil& s : find(scene, {})) {
        const double own = rounding_gap(gather(s, scene.start), gather(s, scene.end));
        EXPECT_GE(finder.largest_rounding_gap(s), own);
        EXPECT_LE(finder.largest_rounding_gap(s), own + rounding_gap(2));
    }
}

TEST(Candidates, WithinRoundingGapsDependOnNothingFarAway) {
    Scene scene = moving_scene(7);
    const CandidateReach reach{.rounding_gaps = 3};
    const std::vector<ContactStencil> alone = find(scene, reach);
    const auto& box = scene.surface.bodies[3];
    test::translate(test::of_body(scene.start, box), {3e5, -1e5, 2e5});
    test::translate(test::of_body(scene.end, box), {1e5, -1e6, 2e5});
    std::vector<ContactStencil> without;
    for (const ContactStencil& s : alone) {
        const auto in_box = [&](int v) { return scene.surface.body_of_vertex[v] == 3; };
        if (!in_box(s.vertices[0]) && !in_box(s.vertices[3])) without.push_back(s);
    }
    EXPECT_LT(without.size(), alone.size());
    EXPECT_EQ(find(scene, reach), without);
}

TEST(Candidates, AreTheSameOnAnyNumberOfThreads) {
    const Scene scene = moving_scene(5);
    auto one = std::make_unique<ThreadLimit>(1);
    const std::vector<ContactStencil> expected = find(scene, {});
    one.reset();
    for (const int n : {2, 3}) {
        const ThreadLimit limit(n);
        EXPECT_EQ(find(scene, {}), expected);
    }
}

TEST(Candidates, HoweverManyNoneIsDropped) {
    std::mt19937_64 random(13);
    constexpr size_t n = 200;  // triangles, all of them within the reach of each other
    test::SceneBody soup = test::triangle_soup(static_cast<int>(n), 0.02, 1, 1e-3, random);
    soup.thickness = 10;
    const std::vector<ContactStencil> found = find(test::make_scene({soup}), {});
    const size_t n_points = 3 * n * (n - 1);
    const size_t n_edges = 3 * n * (3 * n - 1) / 2 - 3 * n;
    EXPECT_EQ(found.size(), n_points + n_edges);
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
}

TEST(Candidates, OfNothingAreNone) {
    EXPECT_TRUE(find(test::make_scene({}), {}).empty());
    EXPECT_TRUE(find(test::make_scene({test::box_obstacle({1, 1, 1}, 0)}), {}).empty());
}

TEST(Candidates, AFinderThatHasSeenAnotherSurfaceFindsTheSame) {
    const test::SceneBody cloth = test::cloth_grid(7, 1, 0.01);
    test::SceneBody box = test::box_obstacle({0.5, 0.2, 0.5}, 0.01);
    test::translate(box.positions, {0, -0.105, 0});
    test::SceneBody reordered = box;
    std::reverse(reordered.triangles.begin(), reordered.triangles.end());
    test::SceneBody thicker = box;
    thicker.thickness = 0.3;
    const CandidateReach reach{.rounding_gaps = 200};
    CandidateFinder finder;
    for (const test::SceneBody& obstacle : {box, reordered, thicker}) {
        const Scene scene = test::make_scene({cloth, obstacle});
        finder.begin(scene.surface, scene.start, scene.end, reach);
        std::vector<ContactStencil> found;
        finder.collect<ContactStencil>(keep, found);
        EXPECT_EQ(sorted(found), find(scene, reach));
        EXPECT_FALSE(found.empty());
    }
}

/// A finder that went through a motion step by step, some vertices fast and most slow, finds at any
/// step what a fresh one finds; also where ends leave their ways within the step.
TEST(Candidates, AFinderWithAPastFindsWhatAFreshOneFinds) {
    const test::SceneBody cloth = test::cloth_grid(9, 1, 0.01);
    test::SceneBody other = test::cloth_grid(7, 1, 0.02),
                    box = test::box_obstacle({0.4, 0.2, 0.4}, 0.01);
    test::translate(other.positions, {0.03, 0.06, 0.01});
    test::translate(box.positions, {0, -0.25, 0});
    Scene scene = test::make_scene({cloth, other, box});
    const CandidateReach reach{.rounding_gaps = 3, .way_margin = 0.25};
    std::mt19937_64 random(17);
    CandidateFinder past;
    size_t n_found = 0;
    for (int step = 0; step < 40; ++step) {
        const double pace = step % 8 < 5 ? 0.002 : 0.03;
        for (size_t v = 0; v < scene.end.size(); ++v) {
            const bool fast = v % 11 == static_cast<size_t>(step % 11);
            scene.end[v] = scene.start[v] + Vec3(0.001, -0.004, 0.002) +
                           test::uniform_in_cube(random, fast ? 0.03 : pace);
        }
        past.begin(scene.surface, scene.start, scene.end, reach);
        CandidateFinder fresh;
        fresh.begin(scene.surface, scene.start, scene.end, reach);
        for (const bool widened : {false, true}) {
            if (widened) {
                for (size_t v = 0; v < scene.end.size(); v += 5) {
                    scene.end[v] += test::uniform_in_cube(random, 0.02);
                }
                past.widen(scene.end);
                fresh.widen(scene.end);
            }
            std::vector<ContactStencil> expected, found, escaped, escaped_of_past;
            fresh.collect<ContactStencil>(keep, expected);
            past.collect<ContactStencil>(keep, found);
            EXPECT_EQ(found, expected) << "step " << step;
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
            fresh.collect_escaped<ContactStencil>(keep, escaped);
            past.collect_escaped<ContactStencil>(keep, escaped_of_past);
            EXPECT_EQ(escaped_of_past, escaped) << "step " << step;
            n_found += found.size();
        }
        scene.start = scene.end;
    }
    EXPECT_GT(n_found, 10000u);
}

/// The same against every pair of the surface.
TEST(Candidates, AfterManyStepsNoPairThatComesNearIsMissing) {
    Scene scene = moving_scene(21);
    CandidateFinder finder;
    std::mt19937_64 random(21);
    for (int step = 0; step < 30; ++step) {
        for (size_t v = 0; v < scene.end.size(); ++v) {
            scene.end[v] = scene.start[v] + test::uniform_in_cube(random, 0.003);
        }
        finder.begin(scene.surface, scene.start, scene.end, {});
        if (step % 10 == 9) {
            std::vector<ContactStencil> found;
            finder.collect<ContactStencil>(keep, found);
            const int n_missing = count_missing(scene, found);
            EXPECT_EQ(n_missing, 0) << "step " << step;
        }
        scene.start = scene.end;
    }
}

TEST(Candidates, BodiesFarApartAreNeverCompared) {
    Scene scene =
        test::make_scene({test::cloth_grid(7, 1, 0.01), test::box_obstacle({1, 1, 1}, 0.01)});
    test::translate(test::of_body(scene.start, scene.surface.bodies[0]), {0, 9, 0});
    scene.end = scene.start;
    CandidateFinder finder;
    finder.begin(scene.surface, scene.start, scene.end, {.way_margin = 0.25});
    EXPECT_EQ(find(scene, {}).size(), 0u);
    // A fall that ends in the box: looked up within the step.
    test::translate(test::of_body(scene.end, scene.surface.bodies[0]), {0, -8.8, 0});
    finder.widen(scene.end);
    std::vector<ContactStencil> found;
    finder.collect<ContactStencil>(keep, found);
    for (const ContactStencil& stencil : find(scene, {})) {
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), stencil));
    }
    EXPECT_FALSE(found.empty());
}

}  // namespace
}  // namespace toile
