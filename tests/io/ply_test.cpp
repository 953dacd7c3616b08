// SPDX-License-Identifier: Apache-2.0
#include "toile/io/ply.h"

#include "support/captured_log.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace toile {
namespace {

TriangleMesh read(std::string_view bytes) {
    return read_ply(bytes, "mesh.ply");
}

TriangleMesh square() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 1.0 / 3.0}, {1, 1, -0.0}, {0, 1, 5e-324}, {9, 9, 9}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 2, 3}};
    mesh.polygon_of_triangle = {0, 0, 1};
    return mesh;
}

template <class T>
void put(std::string& out, T value, std::endian order) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    out += order == std::endian::native ? raw : std::string(raw.rbegin(), raw.rend());
}

class PlyEncodings : public testing::TestWithParam<MeshEncoding> {};

TEST_P(PlyEncodings, KeepPolygonsAndEveryBit) {
    const TriangleMesh mesh = square();
    const TriangleMesh back = read(write_ply(mesh, {.encoding = GetParam()}));
    ASSERT_EQ(back.n_vertices(), mesh.n_vertices());
    EXPECT_EQ(std::memcmp(back.positions.data(), mesh.positions.data(),
                          mesh.positions.size() * sizeof(Vec3)),
              0);
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.polygon_of_triangle, mesh.polygon_of_triangle);
    EXPECT_FALSE(back.has_uvs());
}

TEST_P(PlyEncodings, KeepTextureCoordinatesOfVertices) {
    TriangleMesh mesh = square();
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 0.1}, {2, 2}};
    mesh.uv_triangles = mesh.triangles;
    const std::string bytes = write_ply(mesh, {.encoding = GetParam()});
    EXPECT_NE(bytes.find("property double s\n"), std::string::npos);
    const TriangleMesh back = read(bytes);
    EXPECT_EQ(back.uvs, mesh.uvs);
    EXPECT_EQ(back.uv_triangles, mesh.uv_triangles);
}

TEST_P(PlyEncodings, KeepTextureCoordinatesOfCornersAcrossSeams) {
    TriangleMesh mesh = square();
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 0.1}, {2, 2}, {3, 3}};
    mesh.uv_triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 3}};
    const TriangleMesh back = read(write_ply(mesh, {.encoding = GetParam()}));
    ASSERT_EQ(back.uv_triangles.size(), 3u);
    for (size_t t = 0; t < 3; ++t) {
        for (size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(back.uvs[static_cast<size_t>(back.uv_triangles[t][i])],
                      mesh.uvs[static_cast<size_t>(mesh.uv_triangles[t][i])]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Both, PlyEncodings,
                         testing::Values(MeshEncoding::Ascii, MeshEncoding::Binary));

TEST(Ply, ReadsAnyTypesOrderAndByteOrder) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        std::string bytes = "ply\r\nformat ";
        bytes += order == std::endian::little ? "binary_little_endian" : "binary_big_endian";
        bytes +=
            " 1.0\r\ncomment end_header comes later\r\nobj_info x\r\nelement material 1\r\n"
            "property list uchar short numbers\r\nproperty double shine\r\n"
            "element face 2\r\nproperty uchar red\r\nproperty list ushort uint8 vertex_index\r\n"
            "element vertex 4\r\nproperty short z\r\nproperty list char float weights\r\n"
            "property double y\r\nproperty float32 x\r\nend_header\r\n";
        put<std::uint8_t>(bytes, 2, order);
        put<std::int16_t>(bytes, 1, order);
        put<std::int16_t>(bytes, 2, order);
        put<double>(bytes, 0.5, order);
        for (const int n : {3, 4}) {
            put<std::uint8_t>(bytes, 255, order);
            put<std::uint16_t>(bytes, static_cast<std::uint16_t>(n), order);
            for (int i = 0; i < n; ++i)
                put<std::uint8_t>(bytes, static_cast<std::uint8_t>(i), order);
        }
        for (int v = 0; v < 4; ++v) {
            put<std::int16_t>(bytes, static_cast<std::int16_t>(-300 * v), order);
            put<std::int8_t>(bytes, static_cast<std::int8_t>(v), order);
            for (int i = 0; i < v; ++i) put<float>(bytes, 0.1f, order);
            put<double>(bytes, 0.1 * v, order);
            put<float>(bytes, 0.5f * static_cast<float>(v), order);
        }
        const test::CapturedLog log;
        const TriangleMesh mesh = read(bytes);
        ASSERT_EQ(mesh.n_vertices(), 4);
        EXPECT_EQ(mesh.positions[3], Vec3(1.5, 0.1 * 3, -900));
        EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
        EXPECT_EQ(log.warnings,
                  (std::vector<std::string>{"mesh.ply: properties red, weights left out.",
                                            "mesh.ply: elements material left out."}));
    }
}

TEST(Ply, BinaryBodyMayBeginWithABlankOrLineEnd) {
    std::string bytes =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n"
        "property uchar y\nproperty uchar z\nend_header\n";
    EXPECT_EQ(read(bytes + "\n\r ").positions[0], Vec3(10, 13, 32));
}

TEST(Ply, ReadsTextWithAnyLineEndsAndNoneAtTheEnd) {
    for (const char* end : {"\n", "\r\n", "\r"}) {
        std::string text;
        for (const char* line : {"ply", "format ascii 1.0", "element vertex 2", "property float x",
                                 "property float y", "property float z", "property float u",
                                 "property float v", "end_header", "0\t0  0 0.5 0.25", ""}) {
            text += std::string(line) + end;
        }
        const TriangleMesh mesh = read(text + "1 2 3 0 0");
        EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{0, 0, 0}, {1, 2, 3}}));
        EXPECT_EQ(mesh.uvs[0], Vec2(0.5, 0.25));
        EXPECT_EQ(mesh.n_triangles(), 0);
    }
}

TEST(Ply, ColoursOfFacesAreWrittenAsBytesAndReadBack) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {2, 1, 3}};
    mesh.triangle_colors = {{1, 0, 51.0 / 255}, {0, 0.5, 1}};
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
        const TriangleMesh back = read(write_ply(mesh, {.encoding = encoding}));
        ASSERT_EQ(back.triangle_colors.size(), 2U);
        EXPECT_EQ(back.triangle_colors[0], mesh.triangle_colors[0]);
        EXPECT_EQ(back.triangle_colors[1], Vec3(0, 128.0 / 255, 1));
    }
}

TEST(Ply, ColoursOfFacesMayBeFloatsAndEachTriangleOfAPolygonHasThem) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
        "property float red\nproperty float green\nproperty float blue\nend_header\n"
        "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 ";
    const TriangleMesh mesh = read(head + "0.25 1 0\n");
    EXPECT_EQ(mesh.triangle_colors, (std::vector<Vec3>{{0.25, 1, 0}, {0.25, 1, 0}}));
    EXPECT_THROW(read(head + "0.25 1.5 0\n"), InvalidInput);
    EXPECT_THROW(read(head + "0.25 nan 0\n"), InvalidInput);
    EXPECT_THROW(read(head + "0.25 1\n"), InvalidInput);
}

TEST(Ply, ErrorsNameLineOrByteFoundAndExpected) {
    const auto error_of = [](const std::string& text) -> std::string {
        try {
            read(text);
        } catch (const InvalidInput& e) {
            return e.what();
        }
        return "no error";
    };
    EXPECT_EQ(error_of("plx\n"), "mesh.ply:1: expected the line 'ply', found 'plx\\x0a'.");
    EXPECT_EQ(error_of("ply\nformat ascii 1.0\nelement vertex 1\nproperty flot x\nend_header\n"),
              "mesh.ply:4: expected a type, found 'flot'. Did you mean 'float'?");
    const std::string header =
        "element vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    EXPECT_EQ(error_of("ply\nformat ascii 1.0\n" + header + "0 0 0\n0 0 x\n"),
              "mesh.ply:9: expected a number, found 'x'.");
    EXPECT_EQ(error_of("ply\nformat binary_little_endian 1.0\n" + header + "0123456789"),
              "mesh.ply: byte 115: the header counts 2 rows of element 'vertex', which need 12 "
              "bytes or more each; only 10 bytes are left.");
}

}  // namespace
}  // namespace toile
