// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/tshirt.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

double signed_area(const Vec2& a, const Vec2& b, const Vec2& c) {
    return 0.5 * ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x()));
}

const TshirtOptions kShirts[] = {{},
                                 {.edge_length = 0.1},
                                 {.edge_length = 0.012},
                                 {.sleeve_length = 0.5, .sleeve_opening = 0.1, .edge_length = 0.03},
                                 {.shoulder_drop = 0, .sleeve_angle = 0}};

TEST(Tshirt, IsOneOrientedManifoldSurfaceWithFourOpenings) {
    for (const TshirtOptions& options : kShirts) {
        const TriangleMesh mesh = make_tshirt(options);
        const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
        for (int e = 0; e < topology.n_edges(); ++e) {
            EXPECT_LE(topology.triangles_of_edge(e).size(), 2u);
        }
        EXPECT_EQ(boundary_loops(topology, mesh.n_vertices()).size(), 4u);
        EXPECT_EQ(mesh.n_vertices() - topology.n_edges() + mesh.n_triangles(), 2 - 4);
        const auto component = vertex_components(mesh.triangles, mesh.n_vertices());
        EXPECT_EQ(*std::max_element(component.begin(), component.end()), 0);
    }
}

// Front and back lie in two half spaces and each is the graph of a function over its flat pattern;
// so they can meet only where vertices are shared, which this test shows piece by piece.
TEST(Tshirt, LayersMeetOnlyInTheirSeams) {
    for (const TshirtOptions& options : kShirts) {
        const TriangleMesh mesh = make_tshirt(options);
        const int half = mesh.n_triangles() / 2;
        for (int t = 0; t < mesh.n_triangles(); ++t) {
            const double side = t < half ? 1 : -1;
            const auto& corners = mesh.triangles[t];
            int on_seam = 0;
            for (const int v : corners) {
                EXPECT_GE(side * mesh.positions[v].z(), 0);
                on_seam += mesh.positions[v].z() == 0;
            }
            EXPECT_LE(on_seam, 2);
            const auto flat = [&](int v) -> Vec2 { return mesh.positions[v].head<2>(); };
            EXPECT_GT(side * signed_area(flat(corners[0]), flat(corners[1]), flat(corners[2])), 0);
        }
    }
}

TEST(Tshirt, OnlySewnEdgesLieInTheMiddlePlane) {
    for (const TshirtOptions& options : kShirts) {
        const TriangleMesh mesh = make_tshirt(options);
        const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
        const int half = mesh.n_triangles() / 2;
        for (int e = 0; e < topology.n_edges(); ++e) {
            const auto& [a, b] = topology.edges[e];
            if (mesh.positions[a].z() != 0 || mesh.positions[b].z() != 0) continue;
            const auto around = topology.triangles_of_edge(e);
            ASSERT_EQ(around.size(), 2u);
            EXPECT_TRUE(around[0] < half && around[1] >= half);
        }
    }
}

TEST(Tshirt, PatternIsFlatPositiveAndNearlyTheShape) {
    const TriangleMesh mesh = make_tshirt({});
    double pattern_area = 0;
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        const auto& uv = mesh.uv_triangles[t];
        const double flat = signed_area(mesh.uvs[uv[0]], mesh.uvs[uv[1]], mesh.uvs[uv[2]]);
        EXPECT_GT(flat, 0);
        pattern_area += flat;
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            const double in_space =
                (mesh.positions[mesh.triangles[t][i]] - mesh.positions[mesh.triangles[t][j]])
                    .norm();
            const double in_pattern = (mesh.uvs[uv[i]] - mesh.uvs[uv[j]]).norm();
            EXPECT_NEAR(in_space / in_pattern, 1, 0.12);
        }
    }
    EXPECT_NEAR(total_area(mesh.positions, mesh.triangles) / pattern_area, 1, 0.03);
}

TEST(Tshirt, HasTheMeasuresAskedFor) {
    const TriangleMesh mesh = make_tshirt({.chest_width = 0.6, .length = 0.8, .center = {1, 2, 3}});
    const BoundingBox box = bounding_box(mesh.positions);
    EXPECT_NEAR(box.size().y(), 0.8, 1e-12);
    EXPECT_NEAR(box.center().x(), 1, 1e-12);
    EXPECT_NEAR(box.center().y(), 2, 1e-12);
    EXPECT_NEAR(box.center().z(), 3, 1e-12);
    EXPECT_GT(box.size().x(), 0.6 + 2 * 0.17);
    EXPECT_LE(box.size().z(), 2 * 0.03 + 1e-12);
}

TEST(Tshirt, MeasuresThatFitNoShirtAreRefused) {
    EXPECT_THROW(make_tshirt({.chest_width = 0}), InvalidInput);
    EXPECT_THROW(make_tshirt({.neck_width = 0.5}), InvalidInput);
    EXPECT_THROW(make_tshirt({.armhole = 0.7}), InvalidInput);
    EXPECT_THROW(make_tshirt({.neck_depth_front = 0.3}), InvalidInput);
    EXPECT_THROW(make_tshirt({.sleeve_length = 0.02}), InvalidInput);
    EXPECT_THROW(make_tshirt({.sleeve_angle = 1.5}), InvalidInput);
    EXPECT_THROW(make_tshirt({.edge_length = 1e-6}), InvalidInput);
    EXPECT_THROW(make_tshirt({.inflation = std::nan("")}), InvalidInput);
}

}  // namespace
}  // namespace toile
