// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/box.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace toile {
namespace {

using test::ProgramResult;
using test::TemporaryFolder;

class Info : public testing::Test {
  protected:
    ProgramResult info(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "info");
        return test::run_toile(arguments, folder_.path());
    }
    TemporaryFolder folder_;
};

TEST_F(Info, TellsWhatAClosedMeshIs) {
    write_mesh(folder_ / "box.obj", make_box({.size = {1, 2, 3}}));
    const auto json = nlohmann::json::parse(info({"box.obj", "--json"}).output).at(0);
    EXPECT_EQ(json["vertices"], 8);
    EXPECT_EQ(json["edges"], 18);
    EXPECT_EQ(json["triangles"], 12);
    EXPECT_EQ(json["genus"], 0);
    EXPECT_EQ(json["volume"], 6);
    EXPECT_EQ(json["area"], 22);
    EXPECT_EQ(json["size"], nlohmann::json({1, 2, 3}));
    const ProgramResult text = info({"box.obj"});
    EXPECT_EQ(text.exit_code, 0);
    for (const char* part :
         {"none (closed)", "2 (genus 0)", "1 2 3 m", "22 m2", "6 m3", "problems      none"}) {
        EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
    }
}

TEST_F(Info, TellsUvsGroupsAndTheBoundaryOfSeveralMeshes) {
    TriangleMesh mesh = make_rectangle({.width_divisions = 2, .length_divisions = 1});
    mesh.groups = {{"left", "right"}, {0, 0, 1, 1}};
    write_mesh(folder_ / "a.obj", mesh);
    write_mesh(folder_ / "b.obj", make_box({}));
    const ProgramResult text = info({"a.obj", "b.obj"});
    for (const char* part :
         {"a.obj\n", "b.obj\n", "left (2 triangles), right (2 triangles)", "1 loop, 6 edges"}) {
        EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
    }
    const auto json = nlohmann::json::parse(info({"a.obj", "b.obj", "--json"}).output);
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0]["uvs"], 6);
    EXPECT_EQ(json[0]["groups"][1]["triangles"], 2);
    EXPECT_EQ(json[1]["uvs"], 0);
}

TEST_F(Info, NamesTheElementsOfProblems) {
    std::ofstream(folder_ / "bad.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 5 5 5\nf 1 2 3\nf 1 2 4\nf 3 2 1\n";
    const ProgramResult text = info({"bad.obj"});
    EXPECT_EQ(text.exit_code, 0);
    for (const char* part :
         {"1 triangle without area: 1", "1 vertex of no triangle: 4",
          "1 triangle that repeats another: 2-0", "1 edge of more than two triangles: 0-1"}) {
        EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
    }
    const auto json = nlohmann::json::parse(info({"bad.obj", "--json"}).output).at(0);
    EXPECT_EQ(json["problems"]["degenerate_triangles"], nlohmann::json({1}));
}

TEST_F(Info, TellsFramesOfSequences) {
    TriangleMesh mesh = make_rectangle({.width_divisions = 1, .length_divisions = 1});
    for (int k = 0; k < 3; ++k) {
        for (Vec3& p : mesh.positions) p.y() = k * k;
        write_mesh(folder_ / ("f" + std::to_string(k) + ".obj"), mesh);
    }
    const ProgramResult text = info({"f*.obj"});
    ASSERT_EQ(text.exit_code, 0) << text.errors;
    for (const char* part : {"3 of 4 vertices", "3 m, into frame 2", "-0.5 0 -0.5 to 0.5 4 0.5 m",
                             "triangles     2"}) {
        EXPECT_NE(text.output.find(part), std::string::npos) << part << " in\n" << text.output;
    }
    const auto json = nlohmann::json::parse(info({"f*.obj", "--json"}).output).at(0);
    EXPECT_EQ(json["frames"]["count"], 3);
    EXPECT_EQ(json["triangles"], 2);
}

TEST_F(Info, MistakesHaveTheirExitCodes) {
    std::ofstream(folder_ / "broken.obj") << "v 1 2\n";
    EXPECT_EQ(info({"missing.obj"}).exit_code, 4);
    EXPECT_EQ(info({"broken.obj"}).exit_code, 3);
    EXPECT_EQ(info({}).exit_code, 2);
}

}  // namespace
}  // namespace toile
