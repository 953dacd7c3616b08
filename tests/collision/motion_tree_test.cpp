// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/motion_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

namespace toile {
namespace {

using Pairs = std::set<std::pair<int, int>>;

struct Mover {
    Vec3 place;
    Aabb ways;
    double radius;
};

std::vector<Mover> movers(int n, double scale, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](double size) {
        return Vec3(size * unit(random), size * unit(random), size * unit(random));
    };
    std::vector<Mover> all;
    for (int i = 0; i < n; ++i) {
        const Vec3 place = vector(scale), way = vector(0.3 * scale);
        Aabb ways{way, way};
        ways.enlarge(0.01 * scale);
        all.push_back({place, ways, 0.05 * scale * std::abs(unit(random))});
    }
    return all;
}

/// In double, by the definition.
bool meet(const Mover& a, const Mover& b) {
    const double radius = a.radius + b.radius;
    for (int k = 0; k < 3; ++k) {
        const double up = std::max(a.ways.max[k] - b.ways.min[k], 0.0);
        const double down = std::min(a.ways.min[k] - b.ways.max[k], 0.0);
        if (a.place[k] + up + radius < b.place[k]) return false;
        if (a.place[k] + down - radius > b.place[k]) return false;
    }
    return true;
}

MotionBox box_of(const Mover& mover) {
    MotionBox box = MotionBox::of(mover.place, mover.ways, mover.radius);
    box.take_radius();
    return box;
}

struct Tree {
    MotionTree tree;
    std::vector<MotionBox> boxes;

    explicit Tree(const std::vector<Mover>& all) {
        std::vector<Aabb> places;
        for (const Mover& mover : all) {
            places.push_back({mover.place, mover.place});
            boxes.push_back(box_of(mover));
        }
        tree.set_shape(places);
        tree.refit(boxes, std::vector<char>(all.size(), 1));
    }
};

Pairs found(const MotionTree& one, const MotionTree& other) {
    Pairs pairs;
    std::vector<NodePair> work;
    one.split_work(other, work);
    for (const NodePair& piece : work) {
        one.visit(other, piece, [&](int i, int j) {
            const auto pair =
                &one == &other ? std::pair(std::min(i, j), std::max(i, j)) : std::pair(i, j);
            EXPECT_TRUE(pairs.insert(pair).second);
        });
    }
    return pairs;
}

TEST(MotionBox, MeetsWhatMeetsInDoubleAndHardlyMore) {
    std::mt19937_64 random(1);
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const std::vector<Mover> all = movers(200, scale, random);
        for (const Mover& a : all) {
            for (const Mover& b : all) {
                const MotionBox one = box_of(a), other = box_of(b);
                EXPECT_EQ(may_meet(one, other), may_meet_scalar(one, other));
                EXPECT_TRUE(!meet(a, b) || may_meet(one, other));
                Mover larger = a;
                larger.radius += 1e-5 * scale;
                EXPECT_TRUE(!may_meet(one, other) || meet(larger, b));
            }
        }
    }
}

TEST(MotionBox, OfNumbersThatAreNoneMeetsNothing) {
    const Aabb still{Vec3::Zero(), Vec3::Zero()};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const MotionBox box = MotionBox::of(Vec3::Zero(), still, 1);
    EXPECT_TRUE(may_meet(box, box));
    EXPECT_FALSE(may_meet(box, MotionBox::of({0, nan, 0}, still, 1)));
    EXPECT_FALSE(may_meet(box, MotionBox::of(Vec3::Zero(), {{nan, 0, 0}, {0, 0, 0}}, 1)));
    EXPECT_FALSE(may_meet(box, MotionBox::nothing()));
    EXPECT_TRUE(may_meet(box, MotionBox::of({1e200, 0, 0}, still, 1)));
}

TEST(MotionBox, WhatMovesAlikeIsAsFarApartAsAtRest) {
    const Aabb still{Vec3::Zero(), Vec3::Zero()}, fast{{9, -9, 5}, {9, -9, 5}};
    for (const double distance : {0.19, 0.21}) {
        const Vec3 place(distance, 0, 0);
        const auto box = [](const Vec3& x, const Aabb& ways) {
            MotionBox of = MotionBox::of(x, ways, 0.1);
            of.take_radius();
            return of;
        };
        EXPECT_EQ(may_meet(box(Vec3::Zero(), fast), box(place, fast)), distance < 0.2);
        EXPECT_EQ(may_meet(box(Vec3::Zero(), still), box(place, still)), distance < 0.2);
    }
}

TEST(MotionTree, FindsThePairsOfBruteForce) {
    std::mt19937_64 random(2);
    const std::vector<Mover> first = movers(150, 1, random), second = movers(70, 1, random);
    const Tree one(first), other(second);
    const auto boxes_meet = [](const Tree& a, size_t i, const Tree& b, size_t j) {
        return may_meet(a.boxes[i], b.boxes[j]);
    };
    Pairs own, both;
    for (size_t i = 0; i < first.size(); ++i) {
        for (size_t j = i + 1; j < first.size(); ++j) {
            if (boxes_meet(one, i, one, j)) own.emplace(i, j);
        }
        for (size_t j = 0; j < second.size(); ++j) {
            if (boxes_meet(one, i, other, j)) both.emplace(i, j);
        }
    }
    EXPECT_GT(own.size(), 20u);
    EXPECT_EQ(found(one.tree, one.tree), own);
    EXPECT_EQ(found(one.tree, other.tree), both);
}

TEST(MotionTree, LeavesOutPairsWithoutAMark) {
    std::mt19937_64 random(3);
    std::vector<Mover> all = movers(150, 1, random);
    Tree tree(all);
    std::vector<char> marks(all.size(), 0);
    for (size_t i = 0; i < all.size(); i += 7) {
        marks[i] = 1;
        all[i].place += Vec3(0.2, 0.1, -0.3);
        tree.boxes[i] = box_of(all[i]);
    }
    tree.tree.refit(tree.boxes, marks);
    Pairs expected;
    for (size_t i = 0; i < all.size(); ++i) {
        for (size_t j = i + 1; j < all.size(); ++j) {
            if ((marks[i] || marks[j]) && may_meet(tree.boxes[i], tree.boxes[j])) {
                expected.emplace(i, j);
            }
        }
    }
    EXPECT_EQ(found(tree.tree, tree.tree), expected);
    tree.tree.refit(tree.boxes, std::vector<char>(all.size(), 0));
    EXPECT_TRUE(found(tree.tree, tree.tree).empty());
}

TEST(MotionTree, OfNothingFindsNothing) {
    std::mt19937_64 random(4);
    const Tree none({}), some(movers(3, 1, random));
    EXPECT_TRUE(found(none.tree, none.tree).empty());
    EXPECT_TRUE(found(some.tree, none.tree).empty());
    EXPECT_TRUE(found(none.tree, some.tree).empty());
}

}  // namespace
}  // namespace toile
