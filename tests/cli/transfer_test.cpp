// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>

namespace toile {
namespace {

namespace fs = std::filesystem;

/// A column whose frames 1, 2 and 10 are moved up by 1, 2 and 10 m.
class Transfer : public testing::Test {
  protected:
    Transfer() {
        write_mesh(path("rest.obj"), column_);
        for (const int frame : {1, 2, 10}) write_mesh(frame_path(frame), raised(frame));
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }
    [[nodiscard]] std::string frame_path(int frame) const {
        return path("move_" + std::to_string(frame) + ".obj");
    }
    [[nodiscard]] TriangleMesh raised(double height) const {
        TriangleMesh mesh = column_;
        for (Vec3& p : mesh.positions) p.y() += height;
        return mesh;
    }
    test::ProgramResult transfer(std::vector<std::string> more) const {
        std::vector<std::string> arguments = {"transfer", "--source-rest", path("rest.obj")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_toile(arguments);
    }
    /// As above with the usual source, target and pairs.
    test::ProgramResult transfer_to(const std::string& output,
                                    std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {
            "--source", path("move_*.obj"), "--target", path("rest.obj"),
            "--pairs",  "identity",         "-o",       path(output)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return transfer(arguments);
    }
    [[nodiscard]] std::vector<double> heights(const std::string& name) const {
        const OpenedSequence opened = open_sequence(path(name));
        std::vector<Vec3> positions(static_cast<size_t>(opened.frames->n_vertices()));
        std::vector<double> result;
        while (opened.frames->next(positions)) {
            result.push_back(positions[5].y() - column_.positions[5].y());
        }
        return result;
    }

    test::TemporaryFolder folder_;
    TriangleMesh column_ = make_cylinder({.segments = 8, .height_divisions = 5});
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance);
}

TEST_F(Transfer, TakesFramesInTheOrderOfTheirNumbersAndKeepsTheirPlace) {
    const test::ProgramResult result = transfer_to("out_%02d.obj");
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    expect_near(heights("out_*.obj"), {1, 2, 10}, 1e-9);
    EXPECT_NE(result.output.find("3 frames"), std::string::npos);
    EXPECT_EQ(transfer_to("out_%02d.obj").exit_code, 4);  // never overwritten unasked
    EXPECT_EQ(transfer_to("out_%02d.obj", {"--force"}).exit_code, 0);
}

TEST_F(Transfer, WritesPc2WithItsMeshBesideAndReportsInJson) {
    const test::ProgramResult result = transfer_to("out.pc2", {"--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    expect_near(heights("out.pc2"), {1, 2, 10}, 1e-5);
    EXPECT_EQ(read_mesh(path("out.obj")).triangles, column_.triangles);
    const auto report = nlohmann::json::parse(result.output);
    EXPECT_EQ(report[0]["frames"], 3);
    EXPECT_EQ(report[0]["parts"], 1);
    EXPECT_EQ(report[0]["scale"], 1.0);
    EXPECT_TRUE(report[0]["unmatched_triangles"].empty());
}

TEST_F(Transfer, ServesManyTargetsAndSourcesInOneRun) {
    TriangleMesh large = column_;
    for (Vec3& p : large.positions) p *= 3;
    write_mesh(path("large.obj"), large);
    const std::vector<std::string> batch = {"--source",
                                            path("move_*.obj"),
                                            path("move_2.obj"),
                                            "--target",
                                            path("rest.obj"),
                                            "--pairs",
                                            "identity",
                                            "--target",
                                            path("large.obj"),
                                            "--pairs",
                                            "identity",
                                            "-o",
                                            path("{target}-{source}.pc2")};
    const test::ProgramResult result = transfer(batch);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    expect_near(heights("rest-move.pc2"), {1, 2, 10}, 1e-5);
    expect_near(heights("rest-move_2.pc2"), {2}, 1e-5);
    const OpenedSequence opened = open_sequence(path("large-move_2.pc2"));
    std::vector<Vec3> positions(large.positions.size());
    ASSERT_TRUE(opened.frames->next(positions));
    EXPECT_NEAR(positions[5].y(), large.positions[5].y() + 6, 1e-5);
}

TEST_F(Transfer, PlantsAnchorsWhereTheyAreOrWhereItIsTold) {
    ASSERT_EQ(transfer_to("out_%d.obj", {"--anchor", "5"}).exit_code, 0);
    expect_near(heights("out_*.obj"), {0, 0, 0}, 1e-9);
    ASSERT_EQ(transfer_to("set_%d.obj", {"--anchor", "5=1,-2,0.5"}).exit_code, 0);
    EXPECT_EQ(read_mesh(path("set_0.obj")).positions[5], Vec3(1, -2, 0.5));
    for (const char* wrong : {"x", "5=1,2", "5=1,2,q", "-3", "5=", "99999"}) {
        const test::ProgramResult refused =
            transfer_to("no_%d.obj", {std::string("--anchor=") + wrong});
        EXPECT_EQ(refused.exit_code, 3) << wrong;
        EXPECT_NE(refused.errors.find("nchor"), std::string::npos) << refused.errors;
    }
}

TEST_F(Transfer, KeepsTextureCoordinatesGroupsAndQuadsOfTheTarget) {
    TriangleMesh cloth = make_rectangle({.width_divisions = 3, .length_divisions = 2});
    write_mesh(path("cloth.obj"), cloth);
    std::string text = read_bytes(path("cloth.obj"));
    const size_t first_face = text.find("\nf ");
    text.insert(first_face, "\nmtllib m.mtl\ng front\nusemtl wool");
    text += "v 0 5 0\nv 1 5 0\nv 1 6 0\nv 0 6 0\ng back\nf -4 -3 -2 -1\n";
    write_file(path("dressed.obj"), text);
    const TriangleMesh dressed = read_mesh(path("dressed.obj"));
    const test::ProgramResult result = test::run_toile(
        {"transfer", "--source-rest", path("dressed.obj"), "--source", path("dressed.obj"),
         "--target", path("dressed.obj"), "--pairs", "identity", "-o", path("out.obj")});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const TriangleMesh out = read_mesh(path("out.obj"));
    EXPECT_EQ(out.uvs, dressed.uvs);
    EXPECT_EQ(out.uv_triangles, dressed.uv_triangles);
    EXPECT_EQ(out.groups.names, dressed.groups.names);
    EXPECT_EQ(out.groups.of_triangle, dressed.groups.of_triangle);
    EXPECT_EQ(out.materials.names, dressed.materials.names);
    EXPECT_EQ(out.material_library, "m.mtl");
    EXPECT_EQ(out.polygon_of_triangle, dressed.polygon_of_triangle);
}

TEST_F(Transfer, RefusesASequenceWhoseConnectivityChangesNamingTheFile) {
    TriangleMesh other = make_cylinder({.segments = 9, .height_divisions = 5});
    write_mesh(frame_path(3), other);
    const test::ProgramResult result = transfer_to("out.pc2");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("move_3.obj"), std::string::npos) << result.errors;
    EXPECT_FALSE(fs::exists(path("out.pc2")));
}

TEST_F(Transfer, RefusesASequenceOfOtherTriangles) {
    for (const int frame : {1, 2, 10}) {
        TriangleMesh mesh = raised(frame);
        std::swap(mesh.triangles[7], mesh.triangles[8]);
        write_mesh(frame_path(frame), mesh, {.overwrite = true});
    }
    const test::ProgramResult result = transfer_to("out.pc2");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("differs is 7"), std::string::npos) << result.errors;
}

TEST_F(Transfer, RefusesPosesInAnotherOrderUnlessAllowed) {
    TriangleMesh fine = make_cylinder({.segments = 48, .height_divisions = 40});
    write_mesh(path("fine.obj"), fine);
    write_mesh(path("pose_0.obj"), fine);
    std::mt19937 random(4);
    std::shuffle(fine.positions.begin(), fine.positions.end(), random);
    write_mesh(path("pose_1.obj"), fine);
    std::vector<std::string> arguments = {
        "transfer",     "--source-rest",  path("fine.obj"), "--source", path("pose_*.obj"),
        "--target",     path("fine.obj"), "--pairs",        "identity", "-o",
        path("out.pc2")};
    const test::ProgramResult result = test::run_toile(arguments);
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("frame 1"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("edge "), std::string::npos) << result.errors;
    EXPECT_FALSE(fs::exists(path("out.pc2")));
    arguments.emplace_back("--allow-bad-pose");
    EXPECT_EQ(test::run_toile(arguments).exit_code, 0);
}

TEST_F(Transfer, SaysWhatIsMissingOrTooMuch) {
    write_mesh(path("other.obj"), make_rectangle({}));
    const auto expect = [&](std::vector<std::string> arguments, int exit_code,
                            const std::string& part) {
        const test::ProgramResult result = transfer(arguments);
        EXPECT_EQ(result.exit_code, exit_code) << result.errors;
        EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
    };
    const std::string source = path("move_*.obj"), target = path("rest.obj");
    expect({"--source", source, "--target", path("other.obj"), "--pairs", "identity", "-o",
            path("o.pc2")},
           3, "--pairs identity");
    expect({"--source", source, "--target", target, "--target", target, "--pairs", "identity", "-o",
            path("o.pc2")},
           3, "--pairs");
    expect({"--source", source, source, "--target", target, "--pairs", "identity", "-o",
            path("o.pc2")},
           3, "{source}");
    expect({"--source", source, "--target", target, "--pairs", path("none.pairs"), "-o",
            path("o.pc2")},
           4, "none.pairs");
    expect({"--source", source, "--target", target, "-o", path("o.pc2")}, 2, "--pairs");
    expect({"--source", path("other.obj"), "--target", target, "--pairs", "identity", "-o",
            path("o.obj")},
           3, "other.obj");
}

}  // namespace
}  // namespace toile
