// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_region.h"

#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

// A grid of 5 x 5 vertices; vertex 12 is in the middle.
const TriangleMesh kGrid = make_rectangle({.width_divisions = 4, .length_divisions = 4});
constexpr int kMiddle = 12;

TEST(EditRegion, MovedVerticesMoveByMoreThanTheToleranceAndAreInTheMask) {
    std::vector<Vec3> edited = kGrid.positions;
    edited[3].x() += 1e-3;
    edited[7].y() -= 1e-5;
    EXPECT_EQ(moved_vertices(kGrid.positions, edited, 0), (std::vector<int>{3, 7}));
    EXPECT_EQ(moved_vertices(kGrid.positions, edited, 1e-4), std::vector<int>{3});
    std::vector<char> mask(25, 1);
    mask[3] = 0;
    EXPECT_EQ(moved_vertices(kGrid.positions, edited, 0, mask), std::vector<int>{7});
}

TEST(EditRegion, HoldsFreeVerticesThenTheBorderAndAllTrianglesBetween) {
    const EditRegion region = make_edit_region(kGrid.triangles, 25, std::vector<int>{kMiddle}, 0);
    EXPECT_EQ(region.n_free, 1);
    EXPECT_EQ(region.vertices.front(), kMiddle);
    for (size_t k = 0; k < region.triangles.size(); ++k) {
        const Triangle& t = kGrid.triangles[region.triangles[k]];
        EXPECT_TRUE(t[0] == kMiddle || t[1] == kMiddle || t[2] == kMiddle);
        for (int c = 0; c < 3; ++c) EXPECT_EQ(region.vertices[region.local_triangles[k][c]], t[c]);
    }
    EXPECT_EQ(region.around.triangles_of_vertex(0).size(), region.triangles.size());
}

TEST(EditRegion, RingsFreeTheNeighbours) {
    const EditRegion one = make_edit_region(kGrid.triangles, 25, std::vector<int>{kMiddle}, 1);
    EXPECT_EQ(
        one.n_free,
        static_cast<int>(
            make_edit_region(kGrid.triangles, 25, std::vector<int>{kMiddle}, 0).vertices.size()));
    const EditRegion all = make_edit_region(kGrid.triangles, 25, std::vector<int>{kMiddle}, 9);
    EXPECT_EQ(all.n_free, 25);
    EXPECT_EQ(all.vertices.size(), 25U);
}

TEST(EditRegion, NothingMovedIsAnEmptyRegion) {
    const EditRegion region = make_edit_region(kGrid.triangles, 25, {}, 3);
    EXPECT_EQ(region.n_free, 0);
    EXPECT_TRUE(region.vertices.empty());
    EXPECT_TRUE(region.triangles.empty());
}

}  // namespace
}  // namespace toile
