// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace toile {
namespace {

using test::run_toile;

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

/// A square of two triangles that share no vertex, but touch along its diagonal.
const std::string kUnwelded =
    "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 0\nv 1 0 1\nv 0 0 1\nf 1 3 2\nf 4 6 5\n";

TEST(CheckOnTheCommandLine, SaysThatAnUnweldedMeshWantsWelding) {
    const test::TemporaryFolder folder;
    write(folder / "square.obj", kUnwelded);
    const auto found = run_toile({"check", (folder / "square.obj").string()});
    EXPECT_EQ(found.exit_code, 1);
    for (const char* words : {"Weld the mesh", "2 vertices, the first is 3 at vertex 0",
                              "touches or crosses", "1 crossing pair, 0 vertices inside"}) {
        EXPECT_NE(found.output.find(words), std::string::npos) << words << '\n' << found.output;
    }
}

TEST(CheckOnTheCommandLine, NamesABodyOnceAndItsFile) {
    const test::TemporaryFolder folder;
    write(folder / "empty.obj", "v 0 0 0\n");
    write(folder / "scene.toml", "[[cloth]]\nname = \"c\"\nmesh = \"empty.obj\"\n");
    const auto found = run_toile({"check", (folder / "scene.toml").string()});
    EXPECT_EQ(found.exit_code, 1);
    const std::string expected = "error: c: " + (folder / "empty.obj").string();
    EXPECT_NE(found.output.find(expected), std::string::npos) << found.output;
    EXPECT_NE(found.output.find("1 finding."), std::string::npos) << found.output;
}

TEST(CheckOnTheCommandLine, TellsWhereARunThatHasNotEndedStands) {
    const test::TemporaryFolder folder;
    const std::string run = (folder / "run").string();
    write(folder / "scene.toml",
          "[scene]\nframes = 2\n[[cloth]]\nname = \"c\"\n"
          "shape = { type = \"rectangle\", divisions = [2, 2] }\n");
    const std::string scene = (folder / "scene.toml").string();
    ASSERT_EQ(run_toile({"--quiet", "simulate", scene, "-o", run}).exit_code, 0);
    const auto ended = run_toile({"--quiet", "check", run});
    EXPECT_EQ(ended.output.rfind("3 frames, 0 with crossings, 0 with vertices inside.", 0), 0u)
        << ended.output;
    const std::filesystem::path record = folder / "run/run.json";
    nlohmann::json json = nlohmann::json::parse(std::ifstream(record));
    json["status"] = "interrupted";
    json["frames_asked"] = 50;
    write(record, json.dump());
    const auto found = run_toile({"--quiet", "check", run});
    EXPECT_EQ(found.exit_code, 0) << "what is there is clean";
    EXPECT_NE(found.output.find("The run was interrupted after frame 2 of 50."), std::string::npos)
        << found.output;
    const auto as_json = nlohmann::json::parse(run_toile({"--json", "check", run}).output);
    EXPECT_EQ(as_json["status"], "interrupted");
    EXPECT_EQ(as_json["frames_asked"], 50);
    EXPECT_EQ(as_json["complete"], false);
}

}  // namespace
}  // namespace toile
