// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/subdivision.h"

#include "support/mesh_battery.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TEST(Subdivide, KeepsSurfaceNormalsAndTopologyOfEveryKindOfMesh) {
    for (const test::BatteryMesh& item : test::mesh_battery()) {
        const TriangleMesh& mesh = item.mesh;
        const TriangleMesh fine = subdivide(mesh);
        ASSERT_EQ(fine.n_triangles(), 4 * mesh.n_triangles()) << item.name;
        EXPECT_EQ(fine.n_vertices(), mesh.n_vertices() + item.n_edges) << item.name;
        for (int v = 0; v < mesh.n_vertices(); ++v) EXPECT_EQ(fine.positions[v], mesh.positions[v]);
        EXPECT_NEAR(total_area(fine.positions, fine.triangles),
                    total_area(mesh.positions, mesh.triangles), 1e-13)
            << item.name;
        for (int t = 0; t < fine.n_triangles(); ++t) {
            const auto vector = [](const TriangleMesh& m, int i) {
                const Triangle& c = m.triangles[i];
                return triangle_area_vector(m.positions[c[0]], m.positions[c[1]],
                                            m.positions[c[2]]);
            };
            EXPECT_LT((4 * vector(fine, t) - vector(mesh, t / 4)).norm(), 1e-13) << item.name;
        }
        if (item.closed) {
            const EdgeTopology edges = build_edges(fine.triangles, fine.n_vertices());
            for (int e = 0; e < edges.n_edges(); ++e) {
                EXPECT_EQ(edges.triangles_of_edge(e).size(), 2u) << item.name;
            }
        }
    }
}

}  // namespace
}  // namespace toile
