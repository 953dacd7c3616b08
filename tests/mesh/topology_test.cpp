// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/topology.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace toile {
namespace {

using test::BatteryMesh;
using test::mesh_battery;

/// The slow obvious twin: every unordered pair of different corners, and the triangles that have
/// it.
std::map<Edge, std::set<int>> edges_by_map(const std::vector<Triangle>& triangles) {
    std::map<Edge, std::set<int>> edges;
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            const auto [a, b] = std::minmax(triangles[t][i], triangles[t][(i + 1) % 3]);
            if (a != b) edges[{a, b}].insert(static_cast<int>(t));
        }
    }
    return edges;
}

TEST(Topology, EdgesAndTheirTrianglesAreThoseOfASlowSearch) {
    for (const BatteryMesh& battery : mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const EdgeTopology topology =
            build_edges(battery.mesh.triangles, battery.mesh.n_vertices());
        const auto expected = edges_by_map(battery.mesh.triangles);
        ASSERT_EQ(topology.edges.size(), expected.size());
        EXPECT_EQ(topology.n_edges(), battery.n_edges);
        int e = 0;
        for (const auto& [edge, triangles] : expected) {
            EXPECT_EQ(topology.edges[e], edge);
            const auto found = topology.triangles_of_edge(e);
            EXPECT_TRUE(std::equal(found.begin(), found.end(), triangles.begin(), triangles.end()));
            ++e;
        }
    }
}

TEST(Topology, EdgeOfTriangleIsOppositeToItsCorner) {
    for (const BatteryMesh& battery : mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const auto& triangles = battery.mesh.triangles;
        const EdgeTopology topology = build_edges(triangles, battery.mesh.n_vertices());
        for (size_t t = 0; t < triangles.size(); ++t) {
            for (int i = 0; i < 3; ++i) {
                const int a = triangles[t][(i + 1) % 3];
                const int b = triangles[t][(i + 2) % 3];
                const int e = topology.edges_of_triangle[t][i];
                if (a == b) {
                    EXPECT_EQ(e, -1);
                } else {
                    EXPECT_EQ(topology.edges.at(e), (Edge{std::min(a, b), std::max(a, b)}));
                }
            }
        }
    }
}

TEST(Topology, ComponentsAndBoundaryLoopsAreCountedOnTheBattery) {
    for (const BatteryMesh& battery : mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const auto component = vertex_components(battery.mesh.triangles, battery.mesh.n_vertices());
        const int n =
            component.empty() ? 0 : 1 + *std::max_element(component.begin(), component.end());
        EXPECT_EQ(n, battery.n_components);
        const EdgeTopology topology =
            build_edges(battery.mesh.triangles, battery.mesh.n_vertices());
        EXPECT_EQ(static_cast<int>(boundary_loops(topology, battery.mesh.n_vertices()).size()),
                  battery.n_boundary_loops);
    }
}

TEST(Topology, ComponentsAreNumberedByTheirFirstVertex) {
    const std::vector<Triangle> triangles = {{5, 3, 4}, {2, 0, 6}};
    EXPECT_EQ(vertex_components(triangles, 7), (std::vector<int>{0, 1, 0, 2, 2, 2, 0}));
}

TEST(Topology, TrianglesRoundAVertexAreAscendingAndComplete) {
    for (const BatteryMesh& battery : mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const auto& triangles = battery.mesh.triangles;
        const VertexTriangles around = build_vertex_triangles(triangles, battery.mesh.n_vertices());
        for (int v = 0; v < battery.mesh.n_vertices(); ++v) {
            std::vector<int> expected;
            for (size_t t = 0; t < triangles.size(); ++t) {
                if (std::count(triangles[t].begin(), triangles[t].end(), v)) {
                    expected.push_back(static_cast<int>(t));
                }
            }
            const auto found = around.triangles_of_vertex(v);
            EXPECT_EQ(std::vector<int>(found.begin(), found.end()), expected);
        }
    }
}

TEST(Topology, BoundaryLoopWalksRoundASquare) {
    const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
    const auto loops = boundary_loops(build_edges(triangles, 4), 4);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0], (std::vector<int>{0, 1, 2, 3}));
}

TEST(Topology, IndexOutsideTheMeshIsRefusedWithItsTriangle) {
    const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 7, 2}};
    try {
        build_edges(triangles, 3);
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(),
                     "Triangle 1 names vertex 7, but there are only 3 vertices (0 to 2).");
    }
    const std::vector<Triangle> negative = {{0, -1, 2}};
    EXPECT_THROW(vertex_components(negative, 3), InvalidInput);
    EXPECT_THROW(build_vertex_triangles(negative, 3), InvalidInput);
}

}  // namespace
}  // namespace toile
