// SPDX-License-Identifier: Apache-2.0
#include "toile/io/off.h"

#include "support/captured_log.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

const std::vector<Vec3> kSquare = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

TEST(Off, CountsStandOnTheFirstLineOrOnALaterOne) {
    const std::string body = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3";
    for (const std::string head :
         {"OFF 4 2 0\n", "OFF\n4 2 0\n", "# a\n\nOFF # b\n# c\n\n4 2 5 # d\n", "OFF\n4 2\n"}) {
        const TriangleMesh mesh = read_off(head + body, "a.off");
        EXPECT_EQ(mesh.positions, kSquare) << head;
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})) << head;
        EXPECT_TRUE(mesh.polygon_of_triangle.empty());
    }
}

TEST(Off, CommentsBlankLinesAndAnyLineEndsAreRead) {
    const std::string text =
        "OFF\n4 1 0\n0 0 0 # first\n\n  # between\n1 0 0\n1 1 0\n0 1 0\n#\n4 0 1 2 3 #end\n#\n";
    const TriangleMesh mesh = read_off(text, "a.off");
    EXPECT_EQ(mesh.positions, kSquare);
    EXPECT_EQ(mesh.polygon_of_triangle, (std::vector<int>{0, 0}));
    for (const std::string end : {"\r\n", "\r"}) {
        std::string other;
        for (const char c : text) other += c == '\n' ? end : std::string(1, c);
        EXPECT_EQ(read_off(other, "a.off").positions, mesh.positions);
        EXPECT_EQ(read_off(other, "a.off").triangles, mesh.triangles);
    }
}

TEST(Off, NormalsAndColoursAreLeftOutAndToldOnceEach) {
    const test::CapturedLog log;
    const std::string faces = "3 0 1 2 255 0 0\n3 0 2 1\n";
    const TriangleMesh colours =
        read_off("COFF\n3 2 0\n0 0 0 255 0 0 255\n1 0 0 1 1 1 1\n1 1 0 0 0 0 1\n" + faces, "a.off");
    EXPECT_EQ(colours.positions, (std::vector<Vec3>(kSquare.begin(), kSquare.begin() + 3)));
    EXPECT_EQ(colours.n_triangles(), 2);
    EXPECT_EQ(log.warnings, (std::vector<std::string>{
                                "a.off:3: normals or colours of vertices left out (3 times).",
                                "a.off:6: colours of faces left out."}));
    const TriangleMesh normals =
        read_off("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n3 0 1 2\n", "b.off");
    EXPECT_EQ(normals.positions, colours.positions);
    EXPECT_EQ(log.warnings.size(), 3u);
}

TEST(Off, TextureCoordinatesOfVerticesAreKept) {
    const test::CapturedLog log;
    const TriangleMesh mesh = read_off(
        "STNOFF\n3 1 0\n0 0 0 0 0 1 0.25 0\n1 0 0 0 0 1 0.5 0.125\n1 1 0 0 0 1 1 1\n3 0 1 2\n",
        "a.off");
    EXPECT_EQ(mesh.uvs, (std::vector<Vec2>{{0.25, 0}, {0.5, 0.125}, {1, 1}}));
    EXPECT_EQ(mesh.uv_triangles, mesh.triangles);
    EXPECT_EQ(log.warnings.size(), 1u);
}

TEST(Off, IsWrittenWithPolygonsAndEveryBit) {
    TriangleMesh mesh;
    mesh.positions = {{0.1, -0.0, 1e-300}, {1.0 / 3, 0, 0}, {1, 1e300, 0}, {0, 1, 0}, {2, 2, 2}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 2}};
    mesh.polygon_of_triangle = {0, 0, 1};
    const std::string text = write_off(mesh, {});
    EXPECT_TRUE(text.starts_with("OFF\n# Written by Toile\n5 2 0\n")) << text;
    EXPECT_TRUE(text.ends_with("\n4 0 1 2 3\n3 1 4 2\n")) << text;
    const TriangleMesh back = read_off(text, "a.off");
    EXPECT_EQ(write_off(back, {}), text);
    EXPECT_EQ(back.positions, mesh.positions);
    EXPECT_TRUE(std::signbit(back.positions[0].y()));
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.polygon_of_triangle, mesh.polygon_of_triangle);
}

TEST(Off, AMeshWithoutFacesIsAPointCloud) {
    EXPECT_EQ(read_off("OFF 1 0 0\n1 2 3", "a.off").positions, std::vector<Vec3>{Vec3(1, 2, 3)});
    EXPECT_EQ(read_off("OFF 0 0 0", "a.off").n_vertices(), 0);
}

}  // namespace
}  // namespace toile
