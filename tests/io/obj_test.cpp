// SPDX-License-Identifier: Apache-2.0
#include "toile/io/obj.h"

#include "support/captured_log.h"
#include "support/test_data.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>

namespace toile {
namespace {

TriangleMesh read(std::string_view text) {
    return read_obj(text, "mesh.obj");
}

std::string error_of(std::string_view text) {
    try {
        read(text);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "no error";
}

constexpr const char* kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(Obj, ReadsEveryFormOfACorner) {
    const std::string points = std::string(kSquare) + "vt 0 0\nvt 1 0\nvt 0.5 1\nvn 0 0 1\n";
    for (const char* face : {"f 1 2 3", "f 1//1 2//1 3//1", "f 1/1 2/2 3/3", "f 1/1/1 2/2/1 3/3/1",
                             "f -4 -3 -2", "f -4/-3/-1 -3/-2/-1 -2/-1/-1", "f 1/ 2/ 3/"}) {
        const TriangleMesh mesh = read(points + face);
        ASSERT_EQ(mesh.n_triangles(), 1) << face;
        EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2})) << face;
        EXPECT_EQ(mesh.n_vertices(), 4);
        EXPECT_TRUE(mesh.polygon_of_triangle.empty());
        const bool corners_agree = !mesh.has_uvs() || mesh.uv_triangles[0] == mesh.triangles[0];
        EXPECT_TRUE(corners_agree) << face;
    }
    EXPECT_TRUE(read(points + "f 1/1 2/2 3/3").has_uvs());
    EXPECT_FALSE(read(points + "f 1//1 2//1 3//1").has_uvs());
}

TEST(Obj, NegativeIndicesCountFromTheLineTheyStandOn) {
    const TriangleMesh mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -1 -2\n");
    EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2}));
    EXPECT_EQ(mesh.triangles[1], (Triangle{0, 3, 2}));
}

TEST(Obj, FacesMayStandBeforeTheirVertices) {
    EXPECT_EQ(read(std::string("f 1 2 3\n") + kSquare).triangles[0], (Triangle{0, 1, 2}));
    EXPECT_EQ(error_of("# first\nf 1 2 9\nv 0 0 0\nv 1 0 0\n"),
              "mesh.obj:2: a face names vertex 9, but the file has only 2.");
}

TEST(Obj, LayoutOfTheTextDoesNotMatter) {
    const TriangleMesh plain = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    for (const char* text : {"\xEF\xBB\xBFv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n",
                             "v 0 0 0\rv 1 0 0\rv 1 1 0\rf 1 2 3",
                             "# c\n\n\tv\t0\t0\t0\nv 1 0 0 # here\n  v +1 1e0 0.0  \nf 1 2 3 # end",
                             "v 0 \\\n0 0\nv 1 0 0\nv 1 1\\\r\n 0\nf 1 2\\\n3"}) {
        const TriangleMesh mesh = read(text);
        EXPECT_EQ(mesh.positions, plain.positions) << text;
        EXPECT_EQ(mesh.triangles, plain.triangles) << text;
    }
}

TEST(Obj, PolygonsBecomeFansAndAreWrittenBackAsPolygons) {
    const std::string text = std::string(kSquare) + "v 2 2 0\nf 1 2 3\nf 1 2 3 4\nf 1 2 5 3 4\n";
    const TriangleMesh mesh = read(text);
    EXPECT_EQ(mesh.polygon_of_triangle, (std::vector<int>{0, 1, 1, 2, 2, 2}));
    EXPECT_EQ(mesh.triangles[2], (Triangle{0, 2, 3}));
    EXPECT_EQ(write_obj(mesh, {}), "# Written by Toile\n" + text);
}

TEST(Obj, NamesAreCarriedThrough) {
    const std::string text =
        "# Written by Toile\nmtllib cloth.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
        "f 1 2 3\no shirt\ng left sleeve\nusemtl red\nf 1 2 3 4\ng\nf 2 3 4\nusemtl blue\nf 3 4 "
        "1\n";
    const TriangleMesh mesh = read(text);
    EXPECT_EQ(mesh.material_library, "cloth.mtl");
    EXPECT_EQ(mesh.groups.names, (std::vector<std::string>{"left sleeve"}));
    EXPECT_EQ(mesh.groups.of_triangle, (std::vector<int>{-1, 0, 0, -1, -1}));
    EXPECT_EQ(mesh.materials.of_triangle, (std::vector<int>{-1, 0, 0, 0, 1}));
    EXPECT_EQ(write_obj(mesh, {}), text);
}

TEST(Obj, EveryBitOfACoordinateSurvives) {
    const std::vector<double> values = {
        0.1, -0.0, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 123456789.123456789, -2.5e-17, 1e22};
    TriangleMesh mesh;
    for (const double a : values) mesh.positions.emplace_back(a, -a, a / 3.0);
    const TriangleMesh back = read(write_obj(mesh, {}));
    ASSERT_EQ(back.n_vertices(), mesh.n_vertices());
    EXPECT_EQ(std::memcmp(back.positions.data(), mesh.positions.data(),
                          mesh.positions.size() * sizeof(Vec3)),
              0);
}

TEST(Obj, WhatIsLeftOutIsToldOncePerKind) {
    const test::CapturedLog log;
    read(std::string(kSquare) +
         "v 1 2 3 0.5 0.5 0.5\nvn 0 0 1\nvn 0 1 0\ns off\nl 1 2 \\\n3\np 1\ncurv2 1 2\nf 1 2 3\n");
    ASSERT_EQ(log.warnings.size(), 6u);
    EXPECT_EQ(log.warnings[0], "mesh.obj:5: colours of 'v' left out.");
    EXPECT_EQ(log.warnings[1], "mesh.obj:6: 'vn' (vertex normals) left out (2 times).");
    EXPECT_EQ(log.warnings[5], "mesh.obj:12: unknown statement 'curv2' left out.");
}

TEST(Obj, FacesWithoutTextureCoordinatesAmongOthersGetOneMore) {
    const test::CapturedLog log;
    const TriangleMesh mesh =
        read(std::string(kSquare) + "vt 1 1\nf 1 2 3\nf 1/1 2/1 3/1\nf 2 3 4\n");
    EXPECT_EQ(mesh.uvs.size(), 2u);
    EXPECT_EQ(mesh.uv_triangles, (std::vector<Triangle>{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}}));
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_EQ(
        log.warnings[0],
        "mesh.obj:6: 2 of 3 faces have no texture coordinates; these get one more at (0, 0).");
}

TEST(Obj, ErrorsNameLineFoundAndExpected) {
    EXPECT_EQ(error_of("v 0 0\n"),
              "mesh.obj:1: expected the z coordinate of a vertex (a number), found nothing.");
    EXPECT_EQ(error_of("v 0 nan 0\n"),
              "mesh.obj:1: expected the y coordinate of a vertex (a finite number), found 'nan'.");
    EXPECT_EQ(error_of("v 0 0 0\nf 1 1\n"),
              "mesh.obj:2: a face needs 3 corners or more, this one has 2.");
    EXPECT_EQ(error_of("v 0 0 0\nf 0 1 1\n"),
              "mesh.obj:2: a corner has index 0; indices start at 1.");
    EXPECT_EQ(error_of("v 0 0 0\nf -2 1 1\n"),
              "mesh.obj:2: a corner has index -2, but there are only 1 before it.");
    EXPECT_EQ(error_of("v 0 0 0\nf 1 1 x\n"),
              "mesh.obj:2: expected an index of a corner, found 'x'.");
}

TEST(Obj, PointCloudsAndVerticesOfNoFaceAreKept) {
    EXPECT_EQ(read(kSquare).n_vertices(), 4);
    EXPECT_EQ(read("# nothing\n").n_vertices(), 0);
}

TEST(Obj, RealMeshesComeBackBitForBit) {
    TOILE_REQUIRE_TEST_DATA(folder, "transfer");
    for (const char* name : {"horse-camel/camel-01.obj", "face-head/face-reference.obj",
                             "cylinder/reference.obj", "seq-samba/mesh_0000.obj"}) {
        const TriangleMesh mesh = read_mesh(folder / name);
        const TriangleMesh back = read(write_obj(mesh, {}));
        EXPECT_GT(mesh.n_triangles(), 0) << name;
        EXPECT_EQ(back.positions, mesh.positions) << name;
        EXPECT_EQ(back.triangles, mesh.triangles) << name;
        EXPECT_EQ(back.uvs, mesh.uvs) << name;
        EXPECT_EQ(back.uv_triangles, mesh.uv_triangles) << name;
        EXPECT_EQ(back.polygon_of_triangle, mesh.polygon_of_triangle) << name;
    }
}

TEST(Obj, KnowsTheCountsOfARealMesh) {
    TOILE_REQUIRE_TEST_DATA(file, "transfer/horse-camel/horse-reference.obj");
    const TriangleMesh mesh = read_mesh(file);
    EXPECT_EQ(mesh.n_vertices(), 8431);  // SOURCES.md of the data
    EXPECT_EQ(mesh.n_triangles(), 16843);
}

}  // namespace
}  // namespace toile
