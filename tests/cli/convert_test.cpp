// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace toile {
namespace {

namespace fs = std::filesystem;

class Convert : public testing::Test {
  protected:
    Convert() {
        for (int k = 0; k < 3; ++k) {
            TriangleMesh mesh = cloth_;
            for (Vec3& p : mesh.positions) p.y() = k;
            write_mesh(path("in_" + std::to_string(k) + ".obj"), mesh);
        }
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    test::ProgramResult convert(const std::string& input, const std::string& output,
                                std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"convert", path(input), "-o", path(output)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_toile(arguments);
    }

    [[nodiscard]] std::vector<double> heights(const std::string& name) const {
        const OpenedSequence opened = open_sequence(path(name));
        std::vector<Vec3> positions(static_cast<size_t>(opened.frames->n_vertices()));
        std::vector<double> result;
        while (opened.frames->next(positions)) result.push_back(positions.back().y());
        return result;
    }

    test::TemporaryFolder folder_;
    TriangleMesh cloth_ = make_rectangle({.width_divisions = 4, .length_divisions = 2});
};

TEST_F(Convert, OneMeshThroughEveryFormat) {
    write_mesh(path("cloth.obj"), cloth_);
    ASSERT_EQ(convert("cloth.obj", "a.ply").exit_code, 0);
    ASSERT_EQ(convert("a.ply", "b.ply", {"--ascii"}).exit_code, 0);
    ASSERT_EQ(convert("b.ply", "c.obj").exit_code, 0);
    EXPECT_TRUE(read_bytes(path("b.ply")).starts_with("ply\nformat ascii"));
    EXPECT_EQ(read_bytes(path("c.obj")), read_bytes(path("cloth.obj")));
    const test::ProgramResult stl = convert("c.obj", "d.stl", {"--binary"});
    EXPECT_EQ(stl.exit_code, 0);
    EXPECT_NE(stl.errors.find("STL keeps no texture coordinates"), std::string::npos);
    EXPECT_EQ(read_mesh(path("d.stl")).n_triangles(), cloth_.n_triangles());
}

TEST_F(Convert, NumberedMeshesToPc2AndBack) {
    const test::ProgramResult there = convert("in_*.obj", "run.pc2", {"--json"});
    ASSERT_EQ(there.exit_code, 0) << there.errors;
    const auto json = nlohmann::json::parse(there.output);
    EXPECT_EQ(json["frames"], 3);
    EXPECT_EQ(json["vertices"], cloth_.n_vertices());
    EXPECT_TRUE(fs::exists(path("run.obj")));
    ASSERT_EQ(convert("run", "out_%d.ply").exit_code, 0);
    EXPECT_EQ(heights("out_*.ply"), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(read_mesh(path("out_2.ply")).triangles, cloth_.triangles);
    ASSERT_EQ(convert("run.pc2", "folder/", {"--mesh", path("in_1.obj")}).exit_code, 0);
    EXPECT_EQ(heights("folder"), (std::vector<double>{0, 1, 2}));
}

TEST_F(Convert, NumberedMeshesToMddAndBack) {
    ASSERT_EQ(convert("in_*.obj", "run.mdd", {"--from-rate", "30"}).exit_code, 0);
    EXPECT_TRUE(fs::exists(path("run.obj")));
    EXPECT_EQ(heights("run.mdd"), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(heights("run"), (std::vector<double>{0, 1, 2}));
    EXPECT_NEAR(open_sequence(path("run.mdd")).frames->frame_rate().value(), 30, 1e-4);
    ASSERT_EQ(convert("run.mdd", "a.pc2", {"--rate", "60"}).exit_code, 0);
    EXPECT_EQ(heights("a.pc2"), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
    const test::ProgramResult unknown = convert("in_*.obj", "b.mdd");
    EXPECT_EQ(unknown.exit_code, 0);
    EXPECT_NE(unknown.errors.find("no frame rate is known"), std::string::npos);
    EXPECT_EQ(convert("in_*.obj", "c.mdd", {"--ascii"}).exit_code, 3);
    EXPECT_FALSE(fs::exists(path("c.mdd")));
}

TEST_F(Convert, SequencesToAPvdOfTheirFrames) {
    ASSERT_EQ(convert("in_*.obj", "run.pvd", {"--from-rate", "10"}).exit_code, 0);
    EXPECT_NE(read_bytes(path("run.pvd")).find("timestep=\"0.2\""), std::string::npos);
    EXPECT_TRUE(fs::exists(path("run/run_0002.vtp")));
    EXPECT_EQ(convert("in_*.obj", "run.pvd", {"--from-rate", "10"}).exit_code, 4);
}

TEST_F(Convert, ARunToAPvdWithArrays) {
    write_file(path("scene.toml"),
               "[scene]\nframe_rate = 20\nframes = 2\n[[cloth]]\nname = \"cloth\"\n"
               "shape = { type = \"rectangle\", divisions = [3, 3] }\nfabric = \"silk\"\n");
    const std::string run = path("a_run");
    ASSERT_EQ(test::run_toile({"simulate", path("scene.toml"), "-o", run}).exit_code, 0);
    const test::ProgramResult result = convert("a_run", "film.pvd", {"--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(nlohmann::json::parse(result.output)["frames"], 3);
    EXPECT_NE(read_bytes(path("film.pvd")).find("timestep=\"0.1\""), std::string::npos);
    const std::string vtp = read_bytes(path("film/cloth_0002.vtp"));
    for (const char* name : {"\"speed\"", "\"gap\"", "\"strain\""}) {
        EXPECT_NE(vtp.find(name), std::string::npos) << name;
    }
    EXPECT_EQ(convert("a_run", "film.pvd", {"--rate", "5"}).exit_code, 3);
    ASSERT_EQ(convert("a_run", "film.glb").exit_code, 0);
    ASSERT_EQ(convert("a_run", "film.html").exit_code, 0);
    EXPECT_EQ(convert("a_run", "other.glb", {"--rate", "5"}).exit_code, 3);
    ASSERT_EQ(convert("a_run/cloth", "cloth.mdd").exit_code, 0);
    EXPECT_NEAR(open_sequence(path("cloth.mdd")).frames->frame_rate().value(), 20, 1e-4);
}

TEST_F(Convert, ResamplesToAnotherRate) {
    ASSERT_EQ(convert("in_*.obj", "a.pc2", {"--rate", "60", "--from-rate", "30"}).exit_code, 0);
    EXPECT_EQ(heights("a.pc2"), (std::vector<double>{0, 0.5, 1, 1.5, 2}));
    const test::ProgramResult unknown = convert("in_*.obj", "b.pc2", {"--rate", "60"});
    EXPECT_EQ(unknown.exit_code, 3);
    EXPECT_FALSE(fs::exists(path("b.pc2")));
}

TEST_F(Convert, OverwritesOnlyByForce) {
    ASSERT_EQ(convert("in_0.obj", "a.ply").exit_code, 0);
    const std::string before = read_bytes(path("a.ply"));
    const test::ProgramResult refused = convert("in_1.obj", "a.ply");
    EXPECT_EQ(refused.exit_code, 4);
    EXPECT_NE(refused.errors.find("exists already"), std::string::npos);
    EXPECT_EQ(read_bytes(path("a.ply")), before);
    EXPECT_EQ(convert("in_1.obj", "a.ply", {"--force"}).exit_code, 0);
    EXPECT_NE(read_bytes(path("a.ply")), before);
}

TEST_F(Convert, ExitCodesTellWhoseFaultItIs) {
    EXPECT_EQ(test::run_toile({"convert", path("in_0.obj")}).exit_code, 2);
    EXPECT_EQ(convert("in_0.obj", "a.ply", {"--ascii", "--binary"}).exit_code, 2);
    EXPECT_EQ(convert("in_0.obj", "a.xyz").exit_code, 3);
    EXPECT_EQ(convert("in_0.obj", "a.obj", {"--binary"}).exit_code, 3);
    EXPECT_EQ(convert("missing.obj", "a.ply").exit_code, 4);
    EXPECT_EQ(convert("in_0.obj", "no/such/folder/a.ply").exit_code, 4);
    write_file(path("bad.obj"), "v 0 0 nan\n");
    const test::ProgramResult bad = convert("bad.obj", "a.ply");
    EXPECT_EQ(bad.exit_code, 3);
    EXPECT_EQ(bad.errors, "toile: " + path("bad.obj") +
                              ":1: expected the z coordinate of a vertex (a finite number), found "
                              "'nan'.\n");
    EXPECT_FALSE(fs::exists(path("a.ply")));
}

TEST_F(Convert, ABrokenFrameLeavesNoPc2) {
    write_mesh(path("in_1.obj"), make_rectangle({}), {.overwrite = true});
    const test::ProgramResult result = convert("in_*.obj", "a.pc2");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("in_1.obj"), std::string::npos);
    EXPECT_FALSE(fs::exists(path("a.pc2")));
    EXPECT_FALSE(fs::exists(path("a.obj")));
}

TEST_F(Convert, ASequenceToAGlbAndToAPageThatPlaysOffline) {
    const test::ProgramResult glb = convert("in_*.obj", "film.glb", {"--from-rate", "10"});
    ASSERT_EQ(glb.exit_code, 0) << glb.errors;
    const std::string bytes = read_bytes(path("film.glb"));
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_NE(bytes.find("\"max\":[0.2"), std::string::npos);
    ASSERT_EQ(convert("in_*.obj", "film.html").exit_code, 0);
    EXPECT_NE(read_bytes(path("film.html")).find("\"n_frames\":3"), std::string::npos);
    EXPECT_EQ(convert("in_*.obj", "film.html").exit_code, 4);
    EXPECT_EQ(convert("in_*.obj", "film.html", {"--force"}).exit_code, 0);
}

}  // namespace
}  // namespace toile
