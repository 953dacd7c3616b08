// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/odd is unusual, and read all the same.
#include "support/broken_files.h"
#include "support/captured_log.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

class OddMesh : public testing::TestWithParam<std::string> {};

TEST_P(OddMesh, IsReadWithAllThatItHolds) {
    const test::CapturedLog log;
    for (const test::OddFile& file : test::odd_files(GetParam())) {
        const TriangleMesh mesh = read_mesh(file.path);
        EXPECT_EQ(mesh.n_vertices(), file.n_vertices) << file.path;
        EXPECT_EQ(mesh.n_triangles(), file.n) << file.path;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, OddMesh, testing::Values("obj", "ply", "stl", "off"),
                         [](const auto& format) { return format.param; });

class OddSequence : public testing::TestWithParam<std::string> {};

TEST_P(OddSequence, IsReadWithAllThatItHolds) {
    const test::CapturedLog log;
    for (const test::OddFile& file : test::odd_files(GetParam())) {
        const OpenedSequence opened = open_sequence(file.path.string());
        EXPECT_EQ(opened.frames->n_vertices(), file.n_vertices) << file.path;
        std::vector<Vec3> positions = frame_buffer(*opened.frames);
        int n_frames = 0;
        while (opened.frames->next(positions)) ++n_frames;
        EXPECT_EQ(n_frames, file.n) << file.path;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, OddSequence, testing::Values("pc2", "mdd"),
                         [](const auto& format) { return format.param; });

// The same square, however its file is laid out.
TEST(OddFiles, LayoutChangesNothing) {
    const test::CapturedLog log;
    const std::string folder = TOILE_TEST_DATA_DIR "/odd/off/";
    const TriangleMesh square = read_mesh(folder + "crlf.off");
    for (const char* name : {"counts_on_first_line", "comments", "no_newline_at_end", "colours",
                             "normals", "all_prefixes"}) {
        const TriangleMesh other = read_mesh(folder + name + ".off");
        EXPECT_EQ(other.positions, square.positions) << name;
        EXPECT_EQ(other.triangles, square.triangles) << name;
    }
    const std::string ply = TOILE_TEST_DATA_DIR "/odd/ply/";
    EXPECT_EQ(read_mesh(ply + "big_endian.ply").positions, read_mesh(ply + "crlf.ply").positions);
    EXPECT_EQ(read_mesh(ply + "more_elements.ply").positions,
              (std::vector<Vec3>{{1, 0, 0}, {2, 0, 0}, {1, 1, 0}}));
    const std::string obj = TOILE_TEST_DATA_DIR "/odd/obj/";
    EXPECT_EQ(read_mesh(obj + "negative_indices.obj").triangles,
              (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
    EXPECT_EQ(read_mesh(obj + "normals_only.obj").triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_EQ(read_mesh(obj + "inconsistent_orientation.obj").triangles,
              (std::vector<Triangle>{{0, 1, 2}, {0, 3, 2}, {0, 1, 2}}));
}

}  // namespace
}  // namespace toile
