// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/bvh.h"

#include "collision/random_geometry.h"
#include "toile/collision/brute_force.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

std::vector<Aabb> random_boxes(RandomGeometry& random, int n, double size) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < n; ++i) boxes.push_back(random.box(size));
    return boxes;
}

/// Unit cells of a grid: every one touches its 26 neighbours and overlaps none.
std::vector<Aabb> touching_cells(int n) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k) boxes.push_back({Vec3(i, j, k), Vec3(i + 1, j + 1, k + 1)});
        }
    }
    return boxes;
}

std::vector<Aabb> odd_boxes() {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {{Vec3::Zero(), Vec3::Ones()},
            {},
            {Vec3::Constant(-inf), Vec3::Constant(inf)},
            {Vec3::Constant(nan), Vec3::Constant(nan)},
            {Vec3(0, nan, 0), Vec3::Ones()},
            {Vec3(0.5, 0.5, 0.5), Vec3(inf, 0.5, 0.5)},
            {Vec3(1, 1, 1), Vec3(0, 2, 2)},
            {Vec3::Constant(inf), Vec3::Constant(inf)},
            {Vec3::Constant(1e300), Vec3::Constant(2e300)},
            {Vec3::Constant(-2e300), Vec3::Constant(2e300)},
            {Vec3::Constant(1e-320), Vec3::Constant(1e-310)},
            {Vec3::Constant(2), Vec3::Constant(3)}};
}

void expect_twin_agrees(const std::vector<Aabb>& a, const std::vector<Aabb>& b) {
    const Bvh tree_a(a);
    const Bvh tree_b(b);
    std::vector<ElementPair> found, expected;
    tree_a.pairs(tree_b, found);
    brute_force::pairs(a, b, expected);
    EXPECT_EQ(found, expected);
    tree_a.self_pairs(found);
    brute_force::self_pairs(a, expected);
    EXPECT_EQ(found, expected);
    for (const Aabb& box : b) {
        std::vector<int> hits, slow;
        tree_a.query(box, hits);
        brute_force::query(a, box, slow);
        EXPECT_EQ(hits, slow);
    }
}

TEST(Bvh, FindsWhatBruteForceFindsAmongRandomBoxes) {
    RandomGeometry random(3);
    for (const int n : {0, 1, 2, 3, 7, 50, 400}) {
        for (const double size : {0.02, 0.3, 2.0}) {
            expect_twin_agrees(random_boxes(random, n, size),
                               random_boxes(random, n / 2 + 1, size));
        }
    }
}

TEST(Bvh, CountsBoxesThatOnlyTouch) {
    expect_twin_agrees(touching_cells(5), touching_cells(3));
}

TEST(Bvh, FindsAllPairsOfIdenticalBoxes) {
    const std::vector<Aabb> boxes(150, Aabb{Vec3::Zero(), Vec3::Zero()});
    expect_twin_agrees(boxes, boxes);
}

TEST(Bvh, DefinesEmptyInfiniteAndNaNBoxesAsItsTwinDoes) {
    expect_twin_agrees(odd_boxes(), odd_boxes());
}

TEST(Bvh, RefittedIsAsGoodAsBuilt) {
    RandomGeometry random(4);
    Bvh tree(random_boxes(random, 300, 0.2));
    const std::vector<Aabb> moved = random_boxes(random, 300, 0.2);
    tree.refit(moved);
    std::vector<ElementPair> found, expected;
    tree.self_pairs(found);
    brute_force::self_pairs(moved, expected);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(tree.bounds().min, Bvh(moved).bounds().min);
}

TEST(Bvh, RefusesToBeRefittedWithAnotherNumberOfBoxes) {
    RandomGeometry random(5);
    Bvh tree(random_boxes(random, 3, 0.2));
    EXPECT_THROW(tree.refit(random_boxes(random, 4, 0.2)), InvalidInput);
}

TEST(Bvh, CollectsTheSameListOnAnyNumberOfThreads) {
    RandomGeometry random(6);
    const Bvh tree(random_boxes(random, 5000, 0.1));
    const auto keep_odd = [](int i, int j, std::vector<int>& out) {
        if ((i + j) % 2) out.push_back(i - j);
    };
    std::vector<std::vector<int>> lists(3);
    for (const int n_threads : {1, 2, 5}) {
        const ThreadLimit limit(n_threads);
        tree.collect_self_pairs(keep_odd, lists[static_cast<size_t>(n_threads / 2)]);
    }
    EXPECT_GT(lists[0].size(), 500u);
    EXPECT_EQ(lists[0], lists[1]);
    EXPECT_EQ(lists[0], lists[2]);
}

TEST(Bvh, VisitsEveryPairOnce) {
    RandomGeometry random(7);
    const std::vector<Aabb> a = random_boxes(random, 200, 0.3);
    const std::vector<Aabb> b = random_boxes(random, 100, 0.3);
    std::vector<ElementPair> visited, expected;
    Bvh(a).visit_pairs(Bvh(b), [&](int i, int j) { visited.emplace_back(i, j); });
    std::sort(visited.begin(), visited.end());
    brute_force::pairs(a, b, expected);
    EXPECT_EQ(visited, expected);
    visited.clear();
    Bvh(a).visit_self_pairs([&](int i, int j) { visited.emplace_back(i, j); });
    std::sort(visited.begin(), visited.end());
    brute_force::self_pairs(a, expected);
    EXPECT_EQ(visited, expected);
}

TEST(BvhNode, ComparesBoxesAsItsScalarTwinDoes) {
    RandomGeometry random(8);
    std::vector<Aabb> boxes = random_boxes(random, 60, 1.0);
    const std::vector<Aabb> odd = odd_boxes();
    boxes.insert(boxes.end(), odd.begin(), odd.end());
    for (const Aabb& a : boxes) {
        for (const Aabb& b : boxes) {
            BvhNode node_a{}, node_b{};
            node_a.set_box(a);
            node_b.set_box(b);
            EXPECT_EQ(nodes_overlap(node_a, node_b), nodes_overlap_scalar(node_a, node_b));
        }
    }
}

TEST(BvhNode, IsRoundedOutwards) {
    RandomGeometry random(9);
    for (const double scale : {1e-300, 1e-42, 1e-3, 1.0, 1e3, 1e300}) {
        for (int i = 0; i < 200; ++i) {
            Aabb box = random.box(0.5);
            box.min *= scale;
            box.max *= scale;
            BvhNode node{};
            node.set_box(box);
            for (int k = 0; k < 3; ++k) {
                EXPECT_LE(static_cast<double>(node.min[k]), box.min[k]);
                EXPECT_GE(static_cast<double>(node.max[k]), box.max[k]);
            }
        }
    }
}

/// Elements in a line at ever smaller distances make the worst tree by costs.
TEST(Bvh, OfAGeometricSequenceStaysShallowEnough) {
    std::vector<Aabb> boxes;
    double x = 1;
    for (int i = 0; i < 900; ++i) {
        boxes.push_back({Vec3(x, 0, 0), Vec3(x, 0, 0)});
        x *= 0.5;
    }
    expect_twin_agrees(boxes, boxes);
}

}  // namespace
}  // namespace toile
