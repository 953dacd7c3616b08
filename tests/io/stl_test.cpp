// SPDX-License-Identifier: Apache-2.0
#include "toile/io/stl.h"

#include "support/captured_log.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/mesh/shapes/sphere.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

constexpr const char* kTwoFacets =
    "solid simple cloth\n"
    " facet normal 0 0 1\n  outer loop\n"
    "   vertex 0.5 0.5 1.2\n   vertex -0.5 0.5 1.2\n   vertex -0.5 -0.5 1.2\n"
    "  endloop\n endfacet\n"
    " FACET NORMAL nan nan nan\r\n  outer loop\r\n"
    "   vertex 0.5 0.5 1.2\n   vertex -0.5 -0.5 1.2\n   vertex 0.5 -0.5 1.2\n"
    "  endloop\n endfacet\n"
    "endsolid simple cloth\n";

TEST(Stl, WeldsEqualCornersInOrderOfFirstAppearance) {
    const StlMesh stl = read_stl_with_corners(kTwoFacets, "a.stl");
    EXPECT_EQ(stl.mesh.positions,
              (std::vector<Vec3>{
                  {0.5, 0.5, 1.2}, {-0.5, 0.5, 1.2}, {-0.5, -0.5, 1.2}, {0.5, -0.5, 1.2}}));
    EXPECT_EQ(stl.mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(stl.first_corner_of_vertex, (std::vector<int>{0, 1, 2, 5}));
    EXPECT_EQ(stl.mesh.objects.names, std::vector<std::string>{"simple cloth"});
}

TEST(Stl, BothZerosAreOnePlaceButNeighboursOfOneBitAreTwo) {
    const double next = std::nextafter(1.0, 2.0);
    TriangleMesh mesh;
    mesh.positions = {{0.0, 1, 1}, {-0.0, 1, 1}, {next, 1, 1}, {1, 1, 1}};
    mesh.triangles = {{0, 2, 3}, {1, 3, 2}};
    const TriangleMesh back = read_stl(write_stl(mesh, {}), "a.stl");
    EXPECT_EQ(back.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}}));
    EXPECT_EQ(back.positions[1].x(), next);
}

TEST(Stl, AsciiKeepsEveryBitAndBinaryEveryFloat) {
    const TriangleMesh sphere = make_uv_sphere({.radius = 0.3, .segments = 7, .rings = 5});
    const TriangleMesh ascii = read_stl(write_stl(sphere, {}), "a.stl");
    const TriangleMesh binary =
        read_stl(write_stl(sphere, {.encoding = MeshEncoding::Binary}), "b.stl");
    ASSERT_EQ(ascii.n_vertices(), sphere.n_vertices());
    ASSERT_EQ(binary.n_vertices(), sphere.n_vertices());
    ASSERT_EQ(ascii.triangles, binary.triangles);
    for (size_t t = 0; t < sphere.triangles.size(); ++t) {
        for (size_t i = 0; i < 3; ++i) {
            const Vec3& p = sphere.positions[static_cast<size_t>(sphere.triangles[t][i])];
            EXPECT_EQ(ascii.positions[static_cast<size_t>(ascii.triangles[t][i])], p);
            EXPECT_EQ(binary.positions[static_cast<size_t>(binary.triangles[t][i])],
                      p.cast<float>().cast<double>());
        }
    }
    EXPECT_EQ(write_stl(ascii, {}), write_stl(read_stl(write_stl(ascii, {}), "c.stl"), {}));
}

TEST(Stl, BinaryThatBeginsWithSolidIsBinary) {
    const TriangleMesh sphere = make_uv_sphere({.segments = 5, .rings = 3});
    std::string bytes = write_stl(sphere, {.encoding = MeshEncoding::Binary});
    EXPECT_FALSE(bytes.starts_with("solid"));
    bytes.replace(0, 12, "solid exotic");
    EXPECT_EQ(read_stl(bytes, "b.stl").n_triangles(), sphere.n_triangles());
}

TEST(Stl, BytesAfterTheLastFacetAreToldAndLeftOut) {
    const test::CapturedLog log;
    const TriangleMesh sphere = make_uv_sphere({.segments = 5, .rings = 3});
    const std::string bytes = write_stl(sphere, {.encoding = MeshEncoding::Binary});
    EXPECT_EQ(read_stl(bytes + "xyz", "b.stl").n_triangles(), sphere.n_triangles());
    EXPECT_EQ(log.warnings,
              std::vector<std::string>{"b.stl: 3 bytes after the last facet left out."});
}

TEST(Stl, SolidsKeepTheirNames) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    mesh.objects = {{"left sleeve", "right sleeve"}, {0, 1}};
    const TriangleMesh back = read_stl(write_stl(mesh, {}), "a.stl");
    EXPECT_EQ(back.objects.names, mesh.objects.names);
    EXPECT_EQ(back.objects.of_triangle, mesh.objects.of_triangle);
    EXPECT_TRUE(write_stl(mesh, {.solid_name = "shirt"}).starts_with("solid shirt\n"));
}

TEST(Stl, NormalsAreUnitAtEveryScaleAndZeroWithoutArea) {
    for (const double scale : {1e-160, 1e-3, 1.0, 1e3}) {
        TriangleMesh mesh;
        mesh.positions = {{0, 0, 0}, {scale, 0, 0}, {0, scale, 0}};
        mesh.triangles = {{0, 1, 2}};
        EXPECT_NE(write_stl(mesh, {}).find("facet normal 0 0 1\n"), std::string::npos) << scale;
        mesh.triangles = {{0, 1, 1}};
        EXPECT_NE(write_stl(mesh, {}).find("facet normal 0 0 0\n"), std::string::npos) << scale;
    }
}

TEST(Stl, NoFacetsAreNoTriangles) {
    EXPECT_EQ(read_stl("solid\nendsolid\n", "a.stl").n_vertices(), 0);
    EXPECT_EQ(read_stl(write_stl({}, {}), "a.stl").n_vertices(), 0);
    EXPECT_EQ(read_stl(write_stl({}, {.encoding = MeshEncoding::Binary}), "a.stl").n_vertices(), 0);
}

TEST(Stl, WhatFloatCannotHoldIsRefused) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1e39, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    EXPECT_THROW(write_stl(mesh, {.encoding = MeshEncoding::Binary}), InvalidInput);
    EXPECT_EQ(read_stl(write_stl(mesh, {}), "a.stl").positions, mesh.positions);
}

TEST(Stl, AFileOfAnyNameIsRead) {
    const test::TemporaryFolder folder;
    write_file(folder / "dpo_cloth", kTwoFacets);
    EXPECT_EQ(read_stl_file(folder / "dpo_cloth").n_triangles(), 2);
}

}  // namespace
}  // namespace toile
