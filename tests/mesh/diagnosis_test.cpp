// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/diagnosis.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/mesh/shapes/shape_catalogue.h"
#include "toile/mesh/shapes/sphere.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

MeshDiagnosis diagnose(const TriangleMesh& mesh) {
    return toile::diagnose(mesh.positions, mesh.triangles);
}

TriangleMesh torus(int n, int m) {
    TriangleMesh mesh;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            const double u = 2 * std::numbers::pi * i / n;
            const double v = 2 * std::numbers::pi * j / m;
            const double r = 2 + std::cos(v);
            mesh.positions.emplace_back(r * std::cos(u), r * std::sin(u), std::sin(v));
            const int a = i * m + j;
            const int b = (i + 1) % n * m + j;
            const int c = (i + 1) % n * m + (j + 1) % m;
            const int d = i * m + (j + 1) % m;
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
        }
    }
    return mesh;
}

TEST(Diagnosis, AgreesWithWhatIsKnownOfTheBattery) {
    for (const auto& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const MeshDiagnosis d = diagnose(battery.mesh);
        EXPECT_EQ(d.n_edges, battery.n_edges);
        EXPECT_EQ(d.n_boundary_loops, battery.n_boundary_loops);
        EXPECT_EQ(d.n_components + static_cast<int>(d.unreferenced_vertices.size()),
                  battery.n_components);
        EXPECT_EQ(d.genus.has_value(), battery.closed);
        EXPECT_EQ(d.non_manifold_edges.empty(), battery.manifold);
        EXPECT_EQ(d.is_oriented(), battery.oriented);
        EXPECT_EQ(!d.degenerate_triangles.empty() || !d.triangles_naming_a_vertex_twice.empty(),
                  battery.degenerate);
        EXPECT_TRUE(d.coincident_vertices.empty());
        EXPECT_TRUE(d.duplicate_triangles.empty());
    }
}

TEST(Diagnosis, ShapesHaveNoProblems) {
    for (const ShapeDescription& shape : shape_catalogue()) {
        SCOPED_TRACE(shape.name);
        const MeshDiagnosis d = diagnose(make_shape(shape.name, {}));
        EXPECT_FALSE(d.has_problems());
        EXPECT_TRUE(d.coincident_vertices.empty());
        const bool is_cloth = d.n_boundary_edges > 0;
        EXPECT_LT(d.max_aspect_ratio, is_cloth ? 8 : 100);
    }
}

TEST(Diagnosis, CountsHandlesOfClosedSurfaces) {
    EXPECT_EQ(diagnose(make_sphere({})).genus, 0);
    const MeshDiagnosis d = diagnose(torus(12, 8));
    EXPECT_EQ(d.genus, 1);
    EXPECT_EQ(d.euler_number, 0);
    ASSERT_TRUE(d.volume.has_value());
    EXPECT_GT(*d.volume, 0);
}

TEST(Diagnosis, NamesEveryKindOfProblem) {
    TriangleMesh mesh;
    const double nan = std::nan("");
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},   {1, 1, 0}, {2, 0, 0},
                      {0, 0, 1}, {0, 1, 0}, {nan, 0, 0}, {9, 9, 9}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {2, 1, 0}, {0, 1, 4}, {0, 0, 5}, {3, 5, 7}, {0, 1, 5}};
    const MeshDiagnosis d = diagnose(mesh);
    EXPECT_EQ(d.duplicate_triangles, (std::vector<std::array<int, 2>>{{2, 0}}));
    EXPECT_EQ(d.degenerate_triangles, std::vector<int>{3});
    EXPECT_EQ(d.triangles_naming_a_vertex_twice, std::vector<int>{4});
    EXPECT_EQ(d.unreferenced_vertices, (std::vector<int>{6, 8}));
    EXPECT_EQ(d.coincident_vertices, (std::vector<std::array<int, 2>>{{6, 2}}));
    EXPECT_EQ(d.non_finite_vertices, std::vector<int>{7});
    EXPECT_EQ(d.non_manifold_edges, (std::vector<Edge>{{0, 1}, {1, 2}}));
    EXPECT_EQ(d.inconsistently_oriented_edges, (std::vector<Edge>{{0, 1}, {1, 2}}));
    EXPECT_TRUE(d.has_problems());
    EXPECT_FALSE(d.volume.has_value());
    EXPECT_TRUE(std::isfinite(d.area) && std::isfinite(d.edge_lengths.max));
}

TEST(Diagnosis, TwoFansInOneVertexAreNotManifold) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 3, 4}};
    const MeshDiagnosis d = diagnose(mesh);
    EXPECT_EQ(d.non_manifold_vertices, std::vector<int>{0});
    EXPECT_TRUE(d.non_manifold_edges.empty());
    EXPECT_FALSE(d.is_manifold());
}

TEST(Diagnosis, DegenerateIsJudgedRelativeToTheTriangle) {
    for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
        SCOPED_TRACE(scale);
        TriangleMesh mesh;
        mesh.triangles = {{0, 1, 2}};
        mesh.positions = {{0, 0, 0}, {scale, 0, 0}, {0, 2e-6 * scale, 0}};
        EXPECT_TRUE(diagnose(mesh).degenerate_triangles.empty());
        mesh.positions[2].y() = 1e-7 * scale;
        EXPECT_EQ(diagnose(mesh).degenerate_triangles, std::vector<int>{0});
        mesh.positions = {{scale, 0, 0}, {scale, 0, 0}, {scale, 0, 0}};
        EXPECT_EQ(diagnose(mesh).degenerate_triangles, std::vector<int>{0});
    }
}

TEST(Diagnosis, AspectRatioOfAnEquilateralTriangleIsOne) {
    TriangleMesh mesh;
    mesh.triangles = {{0, 1, 2}};
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.5 * std::numbers::sqrt3, 0}};
    EXPECT_NEAR(diagnose(mesh).max_aspect_ratio, 1, 1e-15);
    mesh.positions[2] = {0, 1, 0};
    EXPECT_NEAR(diagnose(mesh).mean_aspect_ratio, std::numbers::sqrt3, 1e-14);
}

TEST(Diagnosis, AnIndexThatNamesNoVertexIsRefused) {
    TriangleMesh mesh;
    mesh.triangles = {{0, 1, 2}};
    EXPECT_THROW(diagnose(mesh), InvalidInput);
}

}  // namespace
}  // namespace toile
