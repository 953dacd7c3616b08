// SPDX-License-Identifier: Apache-2.0
#include "edit/bent_tube.h"
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace toile {
namespace {

namespace fs = std::filesystem;

// A tube that bends in 9 frames; frame 4 with a turned end is edited.obj.
class Edit : public testing::Test {
  protected:
    Edit() {
        mesh_.groups.names = {"upper", "lower"};
        for (const auto& [a, b, c] : mesh_.triangles) {
            const double y = mesh_.positions[a].y() + mesh_.positions[b].y();
            mesh_.groups.of_triangle.push_back(y + mesh_.positions[c].y() > 1.05 ? 0 : 1);
        }
        motion_ = test::bending(mesh_, 9);
        for (int k = 0; k < 9; ++k) write(fmt::format("in_{}.obj", k), motion_.frames[k]);
        edited_ = test::with_turned_end(mesh_, motion_.frames[4], 0.7);
        write("edited.obj", edited_);
    }

    void write(const std::string& name, const std::vector<Vec3>& positions) {
        TriangleMesh mesh = mesh_;
        mesh.positions = positions;
        write_mesh(path(name), mesh, {.overwrite = true});
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    [[nodiscard]] test::ProgramResult edit(const std::string& output,
                                           std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {
            "edit", "--sequence", path("in_*.obj"), "--frame", "4", "--edited", path("edited.obj"),
            "-o",   path(output)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_toile(arguments);
    }

    [[nodiscard]] std::vector<Vec3> frame(const std::string& name) const {
        return read_mesh(path(name)).positions;
    }

    test::TemporaryFolder folder_;
    TriangleMesh mesh_ = test::tube();
    FramesInMemory motion_;
    std::vector<Vec3> edited_;
};

TEST_F(Edit, CarriesOneFrameThroughAll) {
    const test::ProgramResult result = edit("out/", {"--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["frames"], 9);
    EXPECT_EQ(json["changed_frames"], 9);
    EXPECT_EQ(json["edits"][0]["frame"], 4);
    EXPECT_GT(json["edits"][0]["largest_turn_degrees"], 35);
    EXPECT_LT(json["edits"][0]["largest_turn_degrees"], 70);
    EXPECT_TRUE(json["warnings"].empty());
    EXPECT_EQ(read_bytes(path("out/frame_0004.obj")), read_bytes(path("edited.obj")));
    EXPECT_NE(frame("out/frame_0000.obj"), motion_.frames[0]);
    EXPECT_EQ(frame("out/frame_0000.obj")[0], motion_.frames[0][0]);
}

TEST_F(Edit, NeverWritesOverWhatItReads) {
    const std::string before = read_bytes(path("in_4.obj"));
    for (const char* output : {"in_*.obj", "edited.obj"}) {
        const test::ProgramResult result = edit(output, {"--force"});
        EXPECT_EQ(result.exit_code, 4) << result.errors;
        EXPECT_NE(result.errors.find("would destroy"), std::string::npos) << result.errors;
    }
    EXPECT_EQ(read_bytes(path("in_4.obj")), before);
    EXPECT_EQ(frame("edited.obj"), edited_);
}

TEST_F(Edit, NumbersThatAreNoneAreRefusedByTheirOption) {
    for (const auto& [option, value] : std::map<std::string, std::string>{{"--strength", "nan"},
                                                                          {"--tolerance", "nan"},
                                                                          {"--pull", "inf"},
                                                                          {"--rate", "nan"},
                                                                          {"--frame", "-1"}}) {
        const test::ProgramResult result = edit("out/", {option + "=" + value});
        EXPECT_EQ(result.exit_code, 2) << option;
        EXPECT_NE(result.errors.find(option + ": expected a"), std::string::npos) << result.errors;
        EXPECT_LT(result.errors.size(), 300u) << result.errors;
    }
}

TEST_F(Edit, TheWindowLeavesFilesOutsideItEqualToTheByte) {
    ASSERT_EQ(edit("out/", {"--from", "2", "--to", "6", "--ease-in", "1", "--ease-out", "0.25s",
                            "--rate", "4"})
                  .exit_code,
              0);
    for (const int k : {0, 1, 2, 6, 7, 8}) {
        EXPECT_EQ(read_bytes(path(fmt::format("out/frame_{:04}.obj", k))),
                  read_bytes(path(fmt::format("in_{}.obj", k))));
    }
    EXPECT_NE(frame("out/frame_0003.obj"), motion_.frames[3]);
    EXPECT_NE(frame("out/frame_0005.obj"), motion_.frames[5]);
}

TEST_F(Edit, TakesSeveralEditedFrames) {
    const std::vector<Vec3> other = test::with_turned_end(mesh_, motion_.frames[8], -0.4);
    write("other.obj", other);
    const test::ProgramResult result =
        edit("out/", {"--frame", "8", "--edited", path("other.obj")});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(frame("out/frame_0004.obj"), edited_);
    EXPECT_EQ(frame("out/frame_0008.obj"), other);
}

TEST_F(Edit, ReadsAndWritesPc2WithItsMesh) {
    ASSERT_EQ(test::run_toile({"convert", path("in_*.obj"), "-o", path("run.pc2")}).exit_code, 0);
    const test::ProgramResult result =
        test::run_toile({"edit", "--sequence", path("run.pc2"), "--frame", "4", "--edited",
                         path("edited.obj"), "-o", path("out.pc2")});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.errors.find("float32"), std::string::npos);
    EXPECT_TRUE(fs::exists(path("out.obj")));
    OpenedSequence opened = open_sequence(path("out.pc2"));
    std::vector<Vec3> positions = frame_buffer(*opened.frames);
    for (int k = 0; k < 5; ++k) opened.frames->next(positions);
    EXPECT_LE(test::largest_distance(positions, edited_), 1e-6);
}

TEST_F(Edit, MasksByGroupAndByList) {
    ASSERT_EQ(edit("a/", {"--mask-group", "upper"}).exit_code, 0);
    ASSERT_EQ(edit("b/", {"--mask-group", "lower"}).exit_code, 0);
    EXPECT_NE(frame("a/frame_0000.obj"), motion_.frames[0]);
    EXPECT_NE(frame("a/frame_0000.obj"), frame("b/frame_0000.obj"));
    write_file(path("mask.txt"), "0 1 2");
    ASSERT_EQ(edit("c/", {"--mask", path("mask.txt")}).exit_code, 0);
    EXPECT_EQ(frame("c/frame_0000.obj"), motion_.frames[0]);
    const test::ProgramResult unknown = edit("d/", {"--mask-group", "uper"});
    EXPECT_EQ(unknown.exit_code, 3);
    EXPECT_NE(unknown.errors.find("Did you mean 'upper'?"), std::string::npos);
}

TEST_F(Edit, OtherRulesNeedWhatTheyNeed) {
    EXPECT_EQ(edit("a/", {"--rule", "printed"}).exit_code, 3);
    EXPECT_EQ(edit("b/", {"--rule", "printed", "--rest", path("in_0.obj")}).exit_code, 0);
    EXPECT_EQ(edit("c/", {"--rule", "conjugated", "--rest", path("in_0.obj")}).exit_code, 0);
    EXPECT_EQ(edit("d/", {"--rule", "stretch"}).exit_code, 0);
    EXPECT_LE(test::largest_distance(frame("c/frame_0008.obj"), frame("d/frame_0008.obj")), 1e-8);
    EXPECT_EQ(edit("e/", {"--rule", "wild"}).exit_code, 2);
}

TEST_F(Edit, ARoundedFileIsNoEditOfEveryVertex) {
    std::string text;
    for (const Vec3& p : edited_)
        text += fmt::format("v {:.4f} {:.4f} {:.4f}\n", p.x(), p.y(), p.z());
    for (const auto& [a, b, c] : mesh_.triangles) {
        text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    write_file(path("edited.obj"), text, {.overwrite = true});
    const test::ProgramResult result = edit("out/", {"--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.errors.find("4 decimals"), std::string::npos) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_DOUBLE_EQ(json["edits"][0]["tolerance_m"].get<double>(), 1e-4);
    EXPECT_LT(json["edits"][0]["moved_vertices"], mesh_.n_vertices() / 2);
    const auto all = nlohmann::json::parse(edit("all/", {"--json", "--tolerance", "0"}).output);
    EXPECT_GT(all["edits"][0]["moved_vertices"], mesh_.n_vertices() / 2);
}

TEST_F(Edit, OverwritesOnlyByForce) {
    ASSERT_EQ(edit("out.pc2").exit_code, 0);
    const std::string before = read_bytes(path("out.pc2"));
    EXPECT_EQ(edit("out.pc2", {"--strength", "0.5"}).exit_code, 4);
    EXPECT_EQ(read_bytes(path("out.pc2")), before);
    EXPECT_EQ(edit("out.pc2", {"--strength", "0.5", "--force"}).exit_code, 0);
    EXPECT_NE(read_bytes(path("out.pc2")), before);
}

TEST_F(Edit, ExitCodesAndSentencesTellWhatIsWrong) {
    const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
        const test::ProgramResult result = edit("out.pc2", more);
        EXPECT_EQ(result.exit_code, 3) << words;
        EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
        EXPECT_FALSE(fs::exists(path("out.pc2")));
    };
    refused({"--frame", "5"}, "Each --frame needs its --edited");
    refused({"--frame", "40", "--edited", path("edited.obj")}, "no frame 40");
    refused({"--from", "x"}, "expected frames such as '12'");
    refused({"--from", "1s"}, "give --rate");
    refused({"--from", "5", "--to", "2"}, "is after");
    write("moved.obj", [&] {
        std::vector<Vec3> moved = motion_.frames[5];
        for (Vec3& p : moved) p += Vec3(1, 0, 0);
        return moved;
    }());
    refused({"--frame", "5", "--edited", path("moved.obj")}, "--allow-placement");
    TriangleMesh flipped = mesh_;
    std::swap(flipped.triangles[3][0], flipped.triangles[3][1]);
    write_mesh(path("flipped.obj"), flipped);
    refused({"--frame", "5", "--edited", path("flipped.obj")}, "triangle 3 is");
    EXPECT_EQ(edit("out.pc2", {"--frame", "5", "--edited", path("none.obj")}).exit_code, 4);
    EXPECT_EQ(edit("no/such/out.pc2").exit_code, 4);
    EXPECT_EQ(test::run_toile({"edit", "--frame", "1"}).exit_code, 2);
}

TEST_F(Edit, SaysThatAnEditMovesNothing) {
    write("edited.obj", motion_.frames[4]);
    const test::ProgramResult result = edit("out/");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.errors.find("moves no vertex"), std::string::npos);
    EXPECT_EQ(read_bytes(path("out/frame_0007.obj")), read_bytes(path("in_7.obj")));
}

}  // namespace
}  // namespace toile
