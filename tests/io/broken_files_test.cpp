// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/broken is refused with a sentence that names it.
#include "support/broken_files.h"

#include "support/captured_log.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr long long kMostMemory = 100'000'000;  // bytes that a file of a few hundred may cost

void read_file(const fs::path& path) {
    if (find_mesh_format(path)) {
        read_mesh(path);
        return;
    }
    const OpenedSequence opened = open_sequence(path.string());
    std::vector<Vec3> positions = frame_buffer(*opened.frames);
    while (opened.frames->next(positions)) {
    }
}

class BrokenFile : public testing::TestWithParam<std::string> {};

TEST_P(BrokenFile, IsRefusedWithItsSentence) {
    const test::CapturedLog log;
    const long long memory_before = peak_memory_bytes();
    const std::vector<test::BrokenFile> files = test::broken_files(GetParam());
    ASSERT_GE(files.size(), 10u);
    for (const test::BrokenFile& file : files) {
        try {
            read_file(file.path);
            ADD_FAILURE() << file.path << " was read";
        } catch (const InvalidInput& e) {
            const std::string message = e.what();
            EXPECT_EQ(message, file.path.parent_path().string() + "/" + file.sentence);
            EXPECT_TRUE(message.ends_with(".") || message.ends_with("?")) << message;
        }
    }
    EXPECT_LT(peak_memory_bytes() - memory_before, kMostMemory);
}

INSTANTIATE_TEST_SUITE_P(Formats, BrokenFile,
                         testing::Values("obj", "ply", "stl", "off", "pc2", "mdd"),
                         [](const auto& format) { return format.param; });

// Every prefix of a good file, and the file with any one byte changed, is read or refused, and
// nothing else.
class DamagedMesh : public testing::TestWithParam<std::pair<std::string, MeshEncoding>> {};

TEST_P(DamagedMesh, IsReadOrRefused) {
    const test::CapturedLog log;
    const auto& [extension, encoding] = GetParam();
    const MeshFormat& format = mesh_format_of("mesh" + extension);
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.polygon_of_triangle = {0, 0};
    mesh.uvs = {{0, 0}, {1, 0}, {1, 1}};
    mesh.uv_triangles = {{0, 1, 2}, {0, 2, 1}};
    const std::string good = format.write(mesh, {.encoding = encoding});
    int n_refused = 0;
    const auto check = [&](const std::string& bytes) {
        try {
            const TriangleMesh read = format.read(bytes, "damaged");
            for (const Triangle& triangle : read.triangles) {
                for (const int v : triangle) ASSERT_TRUE(v >= 0 && v < read.n_vertices());
            }
            for (const Triangle& triangle : read.uv_triangles) {
                for (const int v : triangle) {
                    ASSERT_TRUE(v >= 0 && v < static_cast<int>(read.uvs.size()));
                }
            }
            for (const Vec3& p : read.positions) ASSERT_TRUE(p.allFinite());
        } catch (const InvalidInput&) {
            ++n_refused;
        }
    };
    for (size_t n = 0; n < good.size(); ++n) check(good.substr(0, n));
    for (size_t at = 0; at < good.size(); ++at) {
        for (const int change : {1, 2, 16, 64, 128, 255}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ change);
            check(bad);
        }
    }
    EXPECT_GT(n_refused, 100);
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedMesh,
                         testing::Values(std::pair{".obj", MeshEncoding::Ascii},
                                         std::pair{".off", MeshEncoding::Ascii},
                                         std::pair{".ply", MeshEncoding::Ascii},
                                         std::pair{".ply", MeshEncoding::Binary},
                                         std::pair{".stl", MeshEncoding::Ascii},
                                         std::pair{".stl", MeshEncoding::Binary}));

}  // namespace
}  // namespace toile
