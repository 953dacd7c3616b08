// SPDX-License-Identifier: Apache-2.0
#include "correspondence/blobs.h"
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/correspondence/triangle_pairs.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace toile {
namespace {

using test::ProgramResult;
using test::TemporaryFolder;

class Correspond : public testing::Test {
  protected:
    Correspond() : source_(test::blob_source(2)), target_(test::blob_target(24)) {
        write_mesh(folder_ / "s.obj", source_);
        write_mesh(folder_ / "t.obj", target_);
        std::string text;
        for (const Marker& m : test::blob_markers(2, 24)) {
            text += std::to_string(m.source) + ", " + std::to_string(m.target) + "\r\n";
        }
        write_file(folder_ / "m.cons", text);
    }
    ProgramResult correspond(std::vector<std::string> arguments) const {
        std::vector<std::string> all = {"correspond", "s.obj", "t.obj", "--markers", "m.cons"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return test::run_toile(all, folder_.path());
    }
    TriangleMesh source_;
    TriangleMesh target_;
    TemporaryFolder folder_;
};

TEST_F(Correspond, WritesPairsAndTellsHowGoodTheyAre) {
    const ProgramResult result = correspond({"-o", "p.pairs", "--json", "--quiet"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["fit"], "plate");
    EXPECT_LT(json["distance_percent"]["mean"], 1);
    EXPECT_EQ(json["markers"].size(), 10U);
    EXPECT_LE(json["unmatched_target_triangles"], 5);
    const TrianglePairs pairs =
        read_triangle_pairs(read_bytes(folder_ / "p.pairs"), "p.pairs", source_, target_);
    EXPECT_EQ(json["pairs"], pairs.source_list.size());
    const ProgramResult text = correspond({"-o", "q.pairs", "--fit", "full"});
    EXPECT_NE(text.output.find("fit        full"), std::string::npos) << text.output;
}

TEST_F(Correspond, NeverOverwritesUnlessForced) {
    write_file(folder_ / "p.pairs", "mine");
    EXPECT_EQ(correspond({"-o", "p.pairs"}).exit_code, 4);
    EXPECT_EQ(read_bytes(folder_ / "p.pairs"), "mine");
    EXPECT_EQ(correspond({"-o", "p.pairs", "--force"}).exit_code, 0);
    EXPECT_NE(read_bytes(folder_ / "p.pairs"), "mine");
}

TEST_F(Correspond, RefusesBadMarkersAndWritesNothing) {
    write_file(folder_ / "m.cons", "3, 4\n3, 5\n", {.overwrite = true});
    ProgramResult result = correspond({"-o", "p.pairs"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("two places"), std::string::npos) << result.errors;
    write_file(folder_ / "m.cons", "3, 4\n300000, 5\n", {.overwrite = true});
    result = correspond({"-o", "p.pairs"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("m.cons:2"), std::string::npos) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "p.pairs"));
    EXPECT_EQ(correspond({"-o", "p.pairs", "--fit", "plat"}).exit_code, 3);
}

TEST_F(Correspond, WritesBothMeshesInMatchingColours) {
    const ProgramResult result =
        correspond({"-o", "p.pairs", "--colors", "c", "--fitted", "laid.obj"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const TriangleMesh source = read_mesh(folder_ / "c-source.ply");
    const TriangleMesh target = read_mesh(folder_ / "c-target.ply");
    EXPECT_EQ(source.triangles, source_.triangles);
    ASSERT_EQ(source.triangle_colors.size(), source_.triangles.size());
    ASSERT_EQ(target.triangle_colors.size(), target_.triangles.size());
    const TrianglePairs pairs =
        read_triangle_pairs(read_bytes(folder_ / "p.pairs"), "p.pairs", source_, target_);
    for (int t = 0; t < target_.n_triangles(); ++t) {
        if (pairs.sources_of(t).empty()) continue;
        EXPECT_EQ(target.triangle_colors[static_cast<size_t>(t)],
                  source.triangle_colors[static_cast<size_t>(pairs.sources_of(t)[0])]);
    }
    EXPECT_EQ(read_mesh(folder_ / "laid.obj").triangles, source_.triangles);
#ifdef TOILE_WITH_EMBREE
    EXPECT_TRUE(std::filesystem::exists(folder_ / "c.png"));
#endif
}

}  // namespace
}  // namespace toile
