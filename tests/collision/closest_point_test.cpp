// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/closest_point.h"

#include "collision/random_geometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

struct Soup {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;
};

Soup random_soup(RandomGeometry& random, int n_triangles, double scale) {
    Soup soup;
    for (int t = 0; t < n_triangles; ++t) {
        const Vec3 center = random.point();
        for (int k = 0; k < 3; ++k)
            soup.positions.push_back(scale * (center + 0.2 * random.point()));
        soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    return soup;
}

void expect_equal(const SurfacePoint& found, const SurfacePoint& expected) {
    EXPECT_EQ(found.triangle, expected.triangle);
    EXPECT_EQ(found.barycentric, expected.barycentric);
    EXPECT_EQ(found.distance, expected.distance);
}

TEST(ClosestPoint, IsWhatBruteForceFinds) {
    RandomGeometry random(1);
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const Soup soup = random_soup(random, 300, scale);
        const ClosestPointQuery query(soup.positions, soup.triangles);
        for (int i = 0; i < 300; ++i) {
            const Vec3 p = 1.5 * scale * random.point();
            expect_equal(query.closest(p),
                         brute_force::closest_on_surface(p, soup.positions, soup.triangles));
        }
    }
}

TEST(ClosestPoint, RespectsReachAndFilter) {
    RandomGeometry random(2);
    const Soup soup = random_soup(random, 200, 1);
    const ClosestPointQuery query(soup.positions, soup.triangles);
    const ClosestPointOptions options{.max_distance = 0.1,
                                      .filter = [](int triangle) { return triangle % 3 == 0; }};
    int n_found = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = random.point();
        const SurfacePoint found = query.closest(p, options);
        expect_equal(found,
                     brute_force::closest_on_surface(p, soup.positions, soup.triangles, options));
        if (found.triangle < 0) continue;
        ++n_found;
        EXPECT_LE(found.distance, 0.1);
        EXPECT_EQ(found.triangle % 3, 0);
    }
    EXPECT_GT(n_found, 10);
    EXPECT_LT(n_found, 290);
}

TEST(ClosestPoint, OfEquallyNearTrianglesIsTheFirst) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<Triangle> triangles(5, Triangle{0, 1, 2});
    EXPECT_EQ(ClosestPointQuery(positions, triangles).closest({0.2, 0.2, 1}).triangle, 0);
}

TEST(ClosestPoint, FollowsARefit) {
    RandomGeometry random(3);
    const Soup before = random_soup(random, 100, 1);
    const Soup after = random_soup(random, 100, 1);
    ClosestPointQuery query(before.positions, before.triangles);
    query.refit(after.positions);
    const Vec3 p(0.1, 0.2, 0.3);
    expect_equal(query.closest(p),
                 brute_force::closest_on_surface(p, after.positions, after.triangles));
}

TEST(ClosestPoint, IsNothingOnAnEmptySurfaceOrForNaN) {
    EXPECT_EQ(ClosestPointQuery({}, {}).closest(Vec3::Zero()).triangle, -1);
    const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<Triangle> triangles = {{0, 1, 2}};
    const ClosestPointQuery query(positions, triangles);
    EXPECT_EQ(query.closest(Vec3::Constant(std::nan(""))).triangle, -1);
}

}  // namespace
}  // namespace toile
