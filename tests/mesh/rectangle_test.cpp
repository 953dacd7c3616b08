// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/rectangle.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace toile {
namespace {

constexpr Diagonals kAllDiagonals[] = {Diagonals::Forward, Diagonals::Backward,
                                       Diagonals::Alternating, Diagonals::AlternatingRows};

TEST(Rectangle, HasTheCountsOfItsDivisions) {
    const TriangleMesh mesh = make_rectangle({.width_divisions = 15, .length_divisions = 15});
    EXPECT_EQ(mesh.n_vertices(), 256);
    EXPECT_EQ(mesh.n_triangles(), 450);
}

TEST(Rectangle, VerticesStandRowByRow) {
    const TriangleMesh mesh = make_rectangle({.width = 2,
                                              .length = 3,
                                              .width_divisions = 2,
                                              .length_divisions = 3,
                                              .center = {10, 20, 30}});
    EXPECT_EQ(mesh.positions[0], Vec3(9, 20, 31.5));
    EXPECT_EQ(mesh.positions[1], Vec3(10, 20, 31.5));
    EXPECT_EQ(mesh.positions[3], Vec3(9, 20, 30.5));
    EXPECT_EQ(mesh.positions[11], Vec3(11, 20, 28.5));
    EXPECT_EQ(mesh.uvs[11], Vec2(2, 3));
}

TEST(Rectangle, PatternIsTheRestShapeAndTrianglesLookUp) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (const Plane plane : {Plane::Horizontal, Plane::Upright}) {
            for (const Diagonals diagonals : kAllDiagonals) {
                const TriangleMesh mesh = make_rectangle({.width = 2 * scale,
                                                          .length = scale,
                                                          .width_divisions = 5,
                                                          .length_divisions = 4,
                                                          .plane = plane,
                                                          .diagonals = diagonals});
                const Vec3 up = plane == Plane::Horizontal ? Vec3::UnitY() : Vec3::UnitZ();
                for (const Vec3& n : triangle_normals(mesh.positions, mesh.triangles)) {
                    EXPECT_LT((n - up).norm(), 1e-14);
                }
                const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
                for (const auto& [a, b] : topology.edges) {
                    const double in_space = (mesh.positions[a] - mesh.positions[b]).norm();
                    EXPECT_NEAR((mesh.uvs[a] - mesh.uvs[b]).norm(), in_space, 1e-14 * scale);
                }
                EXPECT_NEAR(total_area(mesh.positions, mesh.triangles), 2 * scale * scale,
                            1e-14 * scale * scale);
            }
        }
    }
}

TEST(Rectangle, DiagonalsGoTheWayTheySay) {
    const auto has_edge = [](Diagonals diagonals, int a, int b) {
        const TriangleMesh mesh =
            make_rectangle({.width_divisions = 2, .length_divisions = 2, .diagonals = diagonals});
        const auto edges = build_edges(mesh.triangles, mesh.n_vertices()).edges;
        return std::find(edges.begin(), edges.end(), Edge{a, b}) != edges.end();
    };
    EXPECT_TRUE(has_edge(Diagonals::Forward, 0, 4) && has_edge(Diagonals::Forward, 1, 5));
    EXPECT_TRUE(has_edge(Diagonals::Backward, 1, 3) && has_edge(Diagonals::Backward, 2, 4));
    EXPECT_TRUE(has_edge(Diagonals::Alternating, 0, 4) && has_edge(Diagonals::Alternating, 2, 4));
    EXPECT_TRUE(has_edge(Diagonals::AlternatingRows, 1, 5));
    EXPECT_TRUE(has_edge(Diagonals::AlternatingRows, 4, 6));
}

TEST(Rectangle, BadSizesAreRefusedInASentence) {
    try {
        make_rectangle({.width = -1});
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(), "The rectangle's width must be above 0 m; found -1.");
    }
    EXPECT_THROW(make_rectangle({.length = std::numeric_limits<double>::quiet_NaN()}),
                 InvalidInput);
    EXPECT_THROW(make_rectangle({.width_divisions = 0}), InvalidInput);
    EXPECT_THROW(make_rectangle({.length_divisions = 2000000}), InvalidInput);
}

}  // namespace
}  // namespace toile
