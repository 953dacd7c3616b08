// SPDX-License-Identifier: Apache-2.0
#include "toile/io/numbered.h"

#include "support/captured_log.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

/// Frames of the mesh, each lifted by its number and `lift`.
void write_frames(const fs::path& folder, int n_frames, double lift, bool overwrite) {
    const TriangleMesh mesh = make_rectangle({});
    const auto pattern = parse_numbered_pattern((folder / "m_%02d.obj").string());
    MeshWriteOptions options;
    options.overwrite = overwrite;
    NumberedSink sink(*pattern, mesh, options);
    for (int k = 0; k < n_frames; ++k) {
        std::vector<Vec3> frame = mesh.positions;
        for (Vec3& p : frame) p.y() += lift + k;
        sink.write(frame);
    }
    sink.finish();
}

TEST(Numbered, ASourceRefusesToReadIntoWhatIsTooSmallOrTooLarge) {
    const test::TemporaryFolder folder;
    write_frames(folder.path(), 2, 0, false);
    NumberedSource source(find_numbered_files(find_numbered_pattern(folder.path())));
    const auto n = static_cast<size_t>(source.n_vertices());
    std::vector<Vec3> positions(n + 1);
    EXPECT_THROW(source.next(std::span(positions).first(n - 1)), InvalidInput);
    EXPECT_THROW(source.next(positions), InvalidInput);
    positions.resize(n);
    EXPECT_TRUE(source.next(positions));  // still the first frame
    EXPECT_EQ(positions[0].y(), 0);
}

TEST(Numbered, AShorterSequenceOverALongerOneTellsWhoReadsTheRest) {
    const test::TemporaryFolder folder;
    write_frames(folder.path(), 3, 0, false);
    const test::CapturedLog log;
    write_frames(folder.path(), 2, 10, true);
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_NE(log.warnings[0].find("1 files"), std::string::npos) << log.warnings[0];
    EXPECT_NE(log.warnings[0].find("reads them too"), std::string::npos) << log.warnings[0];
    const auto files = find_numbered_files(find_numbered_pattern(folder.path()));
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(read_mesh(files[1]).positions[0].y(), 11);
    EXPECT_EQ(read_mesh(files[2]).positions[0].y(), 2);
}

}  // namespace
}  // namespace toile
