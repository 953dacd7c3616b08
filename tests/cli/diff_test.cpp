// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/transform.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace toile {
namespace {

using test::ProgramResult;
using test::TemporaryFolder;

class Diff : public testing::Test {
  protected:
    Diff() {
        // Diagonal 5 m; vertex 7 of b stands 0.5 m above that of a.
        const TriangleMesh a = make_rectangle({.width = 3, .length = 4});
        TriangleMesh b = a;
        b.positions[7].y() += 0.5;
        TriangleMesh moved = a;
        transform_points({rotation_about_axis({1, 2, 3}, 1), {4, 5, 6}, 2}, moved.positions);
        write_mesh(folder_ / "a.obj", a);
        write_mesh(folder_ / "b.obj", b);
        write_mesh(folder_ / "moved.obj", moved);
        write_mesh(folder_ / "small.obj", make_rectangle({.width_divisions = 1}));
    }
    ProgramResult diff(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "diff");
        return test::run_toile(arguments, folder_.path());
    }
    TemporaryFolder folder_;
};

TEST_F(Diff, TellsMaximumMeanRmsAndTheWorstVertex) {
    const ProgramResult result = diff({"a.obj", "b.obj", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_DOUBLE_EQ(json["max"]["m"], 0.5);
    EXPECT_DOUBLE_EQ(json["max"]["percent"], 10);
    EXPECT_DOUBLE_EQ(json["mean"]["m"], 0.5 / 256);
    EXPECT_DOUBLE_EQ(json["rms"]["m"], 0.5 / 16);
    EXPECT_EQ(json["worst_vertex"], 7);
    EXPECT_EQ(json["same_triangles"], true);
    const ProgramResult text = diff({"a.obj", "b.obj"});
    EXPECT_NE(text.output.find("at vertex 7"), std::string::npos) << text.output;
    EXPECT_NE(text.output.find("10 %"), std::string::npos) << text.output;
}

TEST_F(Diff, ToleranceDecidesTheExitCode) {
    EXPECT_EQ(diff({"a.obj", "b.obj"}).exit_code, 0);
    EXPECT_EQ(diff({"a.obj", "b.obj", "--tolerance", "0.4999"}).exit_code, 1);
    EXPECT_EQ(diff({"a.obj", "b.obj", "--tolerance", "0.5"}).exit_code, 0);
    EXPECT_EQ(diff({"a.obj", "a.obj", "--tolerance", "0"}).exit_code, 0);
}

TEST_F(Diff, AlignmentTakesMotionsAway) {
    const auto exit_code = [&](const char* kind) {
        return diff({"a.obj", "moved.obj", "--align", kind, "--tolerance", "1e-12"}).exit_code;
    };
    EXPECT_EQ(exit_code("none"), 1);
    EXPECT_EQ(exit_code("translation"), 1);
    EXPECT_EQ(exit_code("rigid"), 1);
    EXPECT_EQ(exit_code("similarity"), 0);
}

TEST_F(Diff, SequencesAreComparedFrameByFrame) {
    const TriangleMesh a = read_mesh(folder_ / "a.obj");
    TriangleMesh b = a;
    for (int k = 0; k < 3; ++k) {
        b.positions[5].y() = 0.25 * k;
        write_mesh(folder_ / ("still_" + std::to_string(k) + ".obj"), a);
        write_mesh(folder_ / ("rising_" + std::to_string(k) + ".obj"), b);
    }
    write_mesh(folder_ / "still_3.obj", a);
    const ProgramResult lengths = diff({"still_*.obj", "rising_*.obj"});
    EXPECT_EQ(lengths.exit_code, 3);
    EXPECT_NE(lengths.errors.find("found 4 and 3"), std::string::npos) << lengths.errors;
    write_mesh(folder_ / "rising_3.obj", a);
    const ProgramResult result = diff({"still_*.obj", "rising_*.obj", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["worst_frame"], 2);
    EXPECT_EQ(json["worst_vertex"], 5);
    EXPECT_DOUBLE_EQ(json["max"]["m"], 0.5);
    ASSERT_EQ(json["frames"].size(), 4u);
    EXPECT_DOUBLE_EQ(json["frames"][1]["max"]["m"], 0.25);
    const ProgramResult text = diff({"still_*.obj", "rising_*.obj", "--tolerance", "0.4"});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_NE(text.output.find("at vertex 5 of frame 2"), std::string::npos) << text.output;
}

TEST_F(Diff, MistakesHaveTheirExitCodes) {
    const ProgramResult counts = diff({"a.obj", "small.obj"});
    EXPECT_EQ(counts.exit_code, 3);
    EXPECT_NE(counts.errors.find("found 256 and 32"), std::string::npos) << counts.errors;
    EXPECT_EQ(diff({"a.obj", "missing.obj"}).exit_code, 4);
    EXPECT_EQ(diff({"a.obj"}).exit_code, 2);
    EXPECT_EQ(diff({"a.obj", "b.obj", "--align", "rigidly"}).exit_code, 2);
    EXPECT_EQ(diff({"a.obj", "b.obj", "--tolerance", "-1"}).exit_code, 2);
}

}  // namespace
}  // namespace toile
