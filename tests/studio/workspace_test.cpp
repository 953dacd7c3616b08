// SPDX-License-Identifier: Apache-2.0
// Every request of the workspace, well and badly asked.
#include "studio/opened_studio.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

class WorkspaceTest : public testing::Test {
  protected:
    StudioClient& page() { return *opened_.page; }
    Json open(const std::string& path) { return opened_.open(path); }
    [[nodiscard]] fs::path file(const std::string& name) const {
        return opened_.files.opened() / name;
    }
    std::string kind_of_error(const std::string& name, const Json& body) {
        return page().error(name, body)["kind"];
    }

    OpenedStudio opened_;
};

TEST_F(WorkspaceTest, SaysAllOfItsStateAtOnce) {
    const Json hello = page().ok("hello");
    EXPECT_EQ(hello["roots"], Json({"opened"}));
    EXPECT_TRUE(hello["version"].is_string());
    for (const char* part : {"sim", "match", "transfer", "edit", "job"}) {
        EXPECT_TRUE(hello.contains(part)) << part;
    }
    const Json& item = hello["items"][0];
    EXPECT_EQ(item["kind"], "mesh");
    EXPECT_EQ(item["name"], "sheet");
    EXPECT_EQ(item["path"], "sheet.obj");
    EXPECT_EQ(item["bodies"][0]["vertices"], 81);
    EXPECT_EQ(item["bodies"][0]["triangles"], 128);
    EXPECT_EQ(item["bodies"][0]["moves"], false);
}

TEST_F(WorkspaceTest, ListsAFolderWithTheKindsOfItsFiles) {
    const Json entries = page().ok("files", {{"root", 0}, {"path", "."}})["entries"];
    const auto kind = [&](const std::string& name) {
        for (const Json& entry : entries) {
            if (entry["name"] == name) return entry["kind"].get<std::string>();
        }
        return std::string("missing");
    };
    EXPECT_EQ(kind("sheet.obj"), "mesh");
    EXPECT_EQ(kind("wave.pc2"), "sequence");
    EXPECT_EQ(kind("drape.toml"), "scene");
    EXPECT_EQ(kind("environment"), "scene");
    EXPECT_EQ(kind("run"), "run");
    EXPECT_EQ(kind("frames"), "sequence");
    EXPECT_EQ(kind("secret.obj"), "missing");
    EXPECT_EQ(kind_of_error("files", {{"root", 0}, {"path", ".."}}), "invalid");
    EXPECT_EQ(kind_of_error("files", {{"root", 0}, {"path", "none"}}), "files");
    EXPECT_EQ(kind_of_error("files", {{"root", 0}, {"path", "sheet.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("files", {{"path", "."}}), "usage");
}

TEST_F(WorkspaceTest, ListsNoLinkThatLeadsOut) {
    fs::create_symlink("../secret.obj", file("link.obj"));
    fs::create_symlink("..", file("up"));
    const Json entries = page().ok("files", {{"root", 0}, {"path", "."}})["entries"];
    for (const Json& entry : entries) {
        EXPECT_NE(entry["name"], "link.obj");
        EXPECT_NE(entry["name"], "up");
    }
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "link.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "up/secret.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("files", {{"root", 0}, {"path", "up"}}), "invalid");
}

TEST_F(WorkspaceTest, ListsAFolderWithEntriesThatCannotBeFollowed) {
    fs::create_symlink("loop", file("loop"));
    fs::create_symlink("nowhere", file("dangling"));
    ASSERT_EQ(::mkfifo(file("pipe.obj").c_str(), 0600), 0);
    const Json entries = page().ok("files", {{"root", 0}, {"path", "."}})["entries"];
    bool has_sheet = false;
    for (const Json& entry : entries) {
        has_sheet = has_sheet || entry["name"] == "sheet.obj";
        EXPECT_NE(entry["name"], "loop");
        EXPECT_NE(entry["name"], "dangling");
    }
    EXPECT_TRUE(has_sheet);
}

TEST_F(WorkspaceTest, ReadsNoPipe) {
    ASSERT_EQ(::mkfifo(file("pipe.obj").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo(file("pipe.cons").c_str(), 0600), 0);
    page().ok("match.open", {{"source", 0}, {"target", 0}});
    page().ok("edit.open", {{"item", open("wave.pc2")["item"]}, {"frame", 0}});
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "pipe.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("match.load", {{"root", 0}, {"path", "pipe.cons"}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.load", {{"root", 0}, {"path", "pipe.obj"}}), "invalid");
}

TEST_F(WorkspaceTest, OpensNoRunWhoseSceneWasChangedToAnotherCloth) {
    const auto scene = [&] { return load_scene(file("run/scene.toml")); };
    for (const char* mesh : {"finer.obj", "other.obj"}) {
        TriangleMesh cloth = make_rectangle({.width_divisions = 8, .length_divisions = 8});
        if (std::string(mesh) == "finer.obj") {
            cloth = make_rectangle({.width_divisions = 12, .length_divisions = 12});
        } else {
            std::swap(cloth.triangles[0], cloth.triangles[1]);
        }
        write_mesh(file(std::string("run/") + mesh), cloth);
        Scene changed = scene();
        changed.cloths[0].mesh = fs::absolute(file(std::string("run/") + mesh));
        std::ofstream(file("run/scene.toml")) << scene_text(changed, file("run"));
        const Json error = page().error("open", {{"root", 0}, {"path", "run"}});
        EXPECT_EQ(error["kind"], "invalid") << mesh;
        EXPECT_NE(error["message"].get<std::string>().find("changed"), std::string::npos);
    }
}

TEST_F(WorkspaceTest, OpensEveryKindOfPath) {
    const std::tuple<const char*, const char*, int, size_t> kinds[] = {
        {"sheet.obj", "mesh", 1, 1},   {"wave.pc2", "sequence", 6, 1},
        {"frames", "sequence", 3, 1},  {"frames/f_%d.obj", "sequence", 3, 1},
        {"drape.toml", "scene", 1, 2}, {"run", "run", 4, 2},
        {"environment", "scene", 1, 2}};
    for (const auto& [path, kind, n_frames, n_bodies] : kinds) {
        const Json item = open(path);
        EXPECT_EQ(item["kind"], kind) << path;
        EXPECT_EQ(item["frames"], n_frames) << path;
        EXPECT_EQ(item["bodies"].size(), n_bodies) << path;
        EXPECT_EQ(item["path"], path);
    }
    EXPECT_EQ(open("drape.toml")["up"], Json({0.0, 1.0, 0.0}));
    EXPECT_EQ(open("environment")["up"], Json({0.0, 0.0, 1.0}));
    EXPECT_EQ(open("run")["bodies"][1]["role"], "obstacle");
}

TEST(WorkspaceArguments, OpenEveryKindOfPath) {
    OpenedStudio opened({"run", "sheet.obj", "wave.pc2", "environment", "frames/f_*.obj"});
    const Json hello = opened.page->ok("hello");
    ASSERT_EQ(hello["items"].size(), 5U);
    EXPECT_EQ(hello["items"][0]["kind"], "run");
    EXPECT_EQ(hello["items"][0]["name"], "run");
    EXPECT_EQ(hello["items"][4]["frames"], 3);
    EXPECT_EQ(OpenedStudio({"."}).page->ok("hello")["items"].size(), 0U)
        << "a folder to be looked through";
    const StudioFolder folder;
    EXPECT_THROW(studio::Studio({.paths = {(folder.opened() / "nothing.obj").string()}}), IoError);
}

TEST_F(WorkspaceTest, SaysInTheLibrarysWordsWhyAFileDoesNotOpen) {
    std::ofstream(file("broken.obj")) << "v 0 0\nf 1 2 3\n";
    const Json error = page().error("open", {{"root", 0}, {"path", "broken.obj"}});
    EXPECT_EQ(error["kind"], "invalid");
    EXPECT_NE(error["message"].get<std::string>().find("broken.obj:1"), std::string::npos);
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "shet.obj"}}), "files");
    EXPECT_EQ(kind_of_error("open", {{"root", 0}}), "usage");
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "../secret.obj"}}), "invalid");
    ASSERT_EQ(::mkfifo(file("pipe.obj").c_str(), 0600), 0);
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "pipe.obj"}}), "invalid");
    EXPECT_EQ(page().ok("hello")["items"].size(), 1U);
}

TEST_F(WorkspaceTest, OpensAPointCacheWithAMeshOfItsOwn) {
    fs::rename(file("wave.obj"), file("other.obj"));
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "wave.pc2"}}), "invalid");
    const Json item = page().ok("open", {{"root", 0}, {"path", "wave.pc2"}, {"rest", "other.obj"}});
    EXPECT_EQ(item["frames"], 6);
    EXPECT_EQ(kind_of_error("open", {{"root", 0}, {"path", "wave.pc2"}, {"rest", "../secret.obj"}}),
              "invalid");
}

TEST_F(WorkspaceTest, ClosesAnItem) {
    page().ok("close", {{"item", 0}});
    EXPECT_EQ(page().ok("hello")["items"].size(), 0U);
    EXPECT_EQ(kind_of_error("close", {{"item", 0}}), "invalid");
    EXPECT_EQ(kind_of_error("mesh", {{"item", 0}, {"body", 0}}), "invalid");
}

TEST_F(WorkspaceTest, GivesAMeshAsItIsOnTheDisk) {
    const BinaryReply reply = page().binary("mesh", {{"item", 0}, {"body", 0}});
    const TriangleMesh mesh = read_mesh(file("sheet.obj"));
    const auto positions = reply.floats(reply.header["positions"]);
    const auto triangles = reply.integers(reply.header["triangles"]);
    ASSERT_EQ(positions.size(), 3 * mesh.positions.size());
    ASSERT_EQ(triangles.size(), 3 * mesh.triangles.size());
    EXPECT_EQ(positions[3 * 80 + 2], static_cast<float>(mesh.positions[80].z()));
    EXPECT_EQ(triangles[3 * 127 + 1], static_cast<std::uint32_t>(mesh.triangles[127][1]));
    EXPECT_EQ(kind_of_error("mesh", {{"item", 0}, {"body", 1}}), "invalid");
    EXPECT_EQ(kind_of_error("mesh", {{"item", 0}}), "usage");
}

TEST_F(WorkspaceTest, GivesTheEdgesOfPolygonsWithoutTheirDiagonals) {
    std::ofstream(file("quad.obj")) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    const int item = open("quad.obj")["item"];
    const BinaryReply reply = page().binary("mesh", {{"item", item}, {"body", 0}});
    EXPECT_EQ(reply.integers(reply.header["edges"]),
              (std::vector<std::uint32_t>{0, 1, 0, 3, 1, 2, 2, 3}));
}

TEST_F(WorkspaceTest, GivesEveryFrameOfASequenceInAnyOrder) {
    for (const char* path : {"wave.pc2", "frames"}) {
        const Json item = open(path);
        const bool lifts = std::string(path) == "wave.pc2";
        const TriangleMesh mesh = read_mesh(file(lifts ? "wave.obj" : "frames/f_0.obj"));
        const int last = item["frames"].get<int>() - 1;
        for (const int frame : {last, 0, 1, 0, last, 2}) {
            const BinaryReply reply = page().binary(
                "frame", {{"item", item["item"]}, {"frame", frame}, {"fields", Json::array()}});
            EXPECT_EQ(reply.header["frame"], frame);
            const auto positions = reply.floats(reply.header["bodies"][0]["positions"]);
            const Vec3 expected =
                mesh.positions[40] + (lifts ? Vec3(0, 0.01 * frame, 0) : Vec3(frame, 0, 0));
            for (int i = 0; i < 3; ++i) EXPECT_NEAR(positions[120 + i], expected[i], 1e-6) << path;
        }
        EXPECT_EQ(kind_of_error("frame", {{"item", item["item"]}, {"frame", last + 1}}), "invalid");
        EXPECT_EQ(kind_of_error("frame", {{"item", item["item"]}, {"frame", -1}}), "invalid");
    }
}

TEST_F(WorkspaceTest, ComputesTheFieldsOfASequence) {
    const int item = open("wave.pc2")["item"];
    const BinaryReply reply =
        page().binary("frame", {{"item", item},
                                {"frame", 3},
                                {"fields", {"speed", "displacement", "velocity", "strain"}}});
    const Json& fields = reply.header["bodies"][0]["fields"];
    EXPECT_NEAR(reply.floats(fields["speed"]["values"])[7], 0.25, 1e-5) << "0.01 m at 25 a second";
    EXPECT_NEAR(reply.floats(fields["displacement"]["values"])[7], 0.03, 1e-6);
    EXPECT_NEAR(reply.floats(fields["velocity"]["values"])[3 * 7 + 1], 0.25, 1e-5);
    EXPECT_NEAR(reply.floats(fields["strain"]["values"])[7], 0, 1e-5);
    EXPECT_EQ(fields["speed"]["unit"], "m/s");
    EXPECT_NEAR(fields["speed"]["maximum"].get<double>(), 0.25, 1e-5);
    const Json error = page().error("frame", {{"item", item}, {"frame", 0}, {"fields", {"sped"}}});
    EXPECT_NE(error["message"].get<std::string>().find("'speed'"), std::string::npos);
}

TEST_F(WorkspaceTest, ComputesTheFieldsOfARun) {
    const Json run = open("run");
    EXPECT_EQ(run["fields"], Json({"strain", "speed", "gap", "displacement"}));
    const BinaryReply reply = page().binary(
        "frame", {{"item", run["item"]}, {"frame", 2}, {"fields", {"strain", "gap", "speed"}}});
    ASSERT_EQ(reply.header["bodies"].size(), 2U);
    const Json& cloth = reply.header["bodies"][0]["fields"];
    EXPECT_EQ(reply.floats(cloth["strain"]["values"]).size(), 81U);
    EXPECT_GT(cloth["gap"]["minimum"].get<double>(), 0);
    EXPECT_GT(cloth["speed"]["maximum"].get<double>(), 0);
    EXPECT_FALSE(reply.header["bodies"][1]["fields"].contains("strain")) << "of the ball";
}

TEST_F(WorkspaceTest, MeasuresTheDifferenceOfTwoSequences) {
    const int wave = open("wave.pc2")["item"];
    const BinaryReply reply =
        page().binary("difference", {{"item", wave}, {"other", 0}, {"frame", 4}});
    const Json& body = reply.header["bodies"][0];
    EXPECT_NEAR(reply.floats(body["values"])[5], 0.04, 1e-6);
    EXPECT_NEAR(body["mean"].get<double>(), 0.04, 1e-6);
    EXPECT_NEAR(body["maximum"].get<double>(), 0.04, 1e-6);
    const int run = open("run")["item"];
    std::ofstream(file("quad.obj")) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
    const int other = open("quad.obj")["item"];
    EXPECT_EQ(kind_of_error("difference", {{"item", run}, {"other", other}, {"frame", 0}}),
              "invalid");
    EXPECT_EQ(kind_of_error("difference", {{"item", run}, {"frame", 0}}), "usage");
}

TEST_F(WorkspaceTest, GivesTheLogOfARunAsATable) {
    const int run = open("run")["item"];
    const Json log = page().ok("log", {{"item", run}});
    const auto& columns = log["columns"];
    EXPECT_EQ(columns[0], "frame");
    EXPECT_NE(std::find(columns.begin(), columns.end(), "seconds.total"), columns.end());
    ASSERT_EQ(log["rows"].size(), 4U);
    for (const Json& row : log["rows"]) EXPECT_EQ(row.size(), columns.size());
    EXPECT_EQ(log["rows"][3][0], 3);
    EXPECT_EQ(kind_of_error("log", {{"item", 0}}), "invalid");
    EXPECT_EQ(page().ok("log")["rows"].size(), 0U) << "nothing is simulated";
}

TEST_F(WorkspaceTest, GivesATraceThatWasWritten) {
    fs::create_directories(file("run/trace"));
    std::ofstream(file("run/trace/frame_000002.json")) << "{\"steps\": [1]}\n";
    const int run = open("run")["item"];
    EXPECT_EQ(page().ok("trace", {{"item", run}, {"frame", 2}}), Json({{"steps", {1}}}));
    EXPECT_EQ(kind_of_error("trace", {{"item", run}, {"frame", 1}}), "invalid");
    fs::create_symlink(opened_.files.outside() / "secret.toml",
                       file("run/trace/frame_000003.json"));
    EXPECT_EQ(kind_of_error("trace", {{"item", run}, {"frame", 3}}), "invalid");
}

TEST_F(WorkspaceTest, MeasuresDistancesOverASurface) {
    const BinaryReply reply = page().binary(
        "geodesic", {{"item", 0}, {"body", 0}, {"frame", 0}, {"vertex", 40}, {"radius", 0.13}});
    const auto vertices = reply.integers(reply.header["vertices"]);
    const auto distances = reply.floats(reply.header["distances"]);
    ASSERT_EQ(vertices.size(), distances.size());
    EXPECT_EQ(vertices.size(), 5U) << "itself and the four beside it, an eighth away";
    EXPECT_EQ(kind_of_error("geodesic", {{"item", 0}, {"body", 0}, {"vertex", 81}, {"radius", 1}}),
              "invalid");
    EXPECT_EQ(kind_of_error("geodesic", {{"item", 0}, {"body", 0}, {"vertex", 1}, {"radius", "x"}}),
              "usage");
}

TEST_F(WorkspaceTest, SavesAMesh) {
    const Json saved = page().ok("save", {{"item", 0}, {"root", 0}, {"path", "copy.ply"}});
    EXPECT_EQ(saved["path"], "copy.ply");
    EXPECT_EQ(saved["files"], Json::array({"copy.ply"}));
    EXPECT_EQ(read_mesh(file("copy.ply")).positions, read_mesh(file("sheet.obj")).positions);
    EXPECT_EQ(kind_of_error("save", {{"item", 0}, {"root", 0}, {"path", "copy.ply"}}), "files");
    page().ok("save", {{"item", 0}, {"root", 0}, {"path", "copy.ply"}, {"overwrite", true}});
    EXPECT_EQ(kind_of_error("save", {{"item", 0}, {"root", 0}, {"path", "copy.xyz"}}), "invalid");
}

TEST_F(WorkspaceTest, SavesASequenceWithItsMesh) {
    const int wave = open("wave.pc2")["item"];
    const Json saved = page().ok("save", {{"item", wave}, {"root", 0}, {"path", "copy.mdd"}});
    EXPECT_EQ(saved["files"], Json({"copy.mdd", "copy.obj"}));
    const OpenedSequence copy = open_sequence(file("copy.mdd").string());
    EXPECT_EQ(copy.frames->n_frames(), 6);
    EXPECT_EQ(copy.frames->frame_rate(), 25);
    ASSERT_TRUE(copy.mesh);
    EXPECT_EQ(kind_of_error("save", {{"item", wave}, {"root", 0}, {"path", "copy.pc2"}}), "files")
        << "its mesh would replace copy.obj";
    EXPECT_FALSE(fs::exists(file("copy.pc2")));
    page().ok("save", {{"item", wave}, {"root", 0}, {"path", "frames/g_%02d.obj"}});
    EXPECT_TRUE(fs::exists(file("frames/g_05.obj")));
}

TEST_F(WorkspaceTest, TellsTheColourOfABodyAsItsSceneHasIt) {
    Scene scene = load_scene(file("drape.toml"));
    scene.cloths[0].colour = {1, 0.5, 0.25};
    std::ofstream(file("red.toml")) << scene_text(scene, opened_.files.opened());
    const Json bodies = open("red.toml")["bodies"];
    EXPECT_EQ(bodies[0]["color"], Json::array({1.0, 0.5, 0.25}));
    EXPECT_TRUE(bodies[1]["color"].is_null());
    EXPECT_TRUE(open("run")["bodies"][0]["color"].is_null());
}

TEST_F(WorkspaceTest, SavesARunAsACopyOfItsFolder) {
    const int run = open("run")["item"];
    page().ok("save", {{"item", run}, {"root", 0}, {"path", "copy"}});
    EXPECT_EQ(read_run_record(file("copy")).frames_done, 3);
    EXPECT_EQ(kind_of_error("save", {{"item", run}, {"root", 0}, {"path", "copy"}}), "files");
    EXPECT_EQ(kind_of_error("save",
                            {{"item", run}, {"root", 0}, {"path", "frames"}, {"overwrite", true}}),
              "files")
        << "that is no run";
    EXPECT_TRUE(fs::exists(file("frames/f_0.obj")));
}

TEST_F(WorkspaceTest, SavesARunOverAnother) {
    const int run = open("run")["item"];
    const Json place = {{"item", run}, {"root", 0}, {"path", "copy"}};
    page().ok("save", place);
    std::ofstream(file("copy/of the old one")) << "x";
    Json over = place;
    over["overwrite"] = true;
    page().ok("save", over);
    EXPECT_FALSE(fs::exists(file("copy/of the old one")));
    EXPECT_EQ(read_run_record(file("copy")).frames_done, 3);
    for (const auto& entry : fs::directory_iterator(opened_.files.opened())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << "no half is left";
    }
}

TEST_F(WorkspaceTest, SavesNoRunInItselfNorOverWhatHoldsIt) {
    const int run = open("run")["item"];
    EXPECT_EQ(kind_of_error("save", {{"item", run}, {"root", 0}, {"path", "run/copy"}}), "invalid");
    for (const auto& entry : fs::directory_iterator(file("run"))) {
        EXPECT_FALSE(entry.path().filename().string().starts_with("."));
    }
    fs::copy(file("run"), file("inner"), fs::copy_options::recursive);
    fs::rename(file("inner"), file("run/inner"));
    const int inner = open("run/inner")["item"];
    EXPECT_EQ(
        kind_of_error("save", {{"item", inner}, {"root", 0}, {"path", "run"}, {"overwrite", true}}),
        "invalid");
    EXPECT_TRUE(fs::exists(file("run/inner/run.json")));
}

TEST_F(WorkspaceTest, WritesNothingOutside) {
    fs::create_symlink("../secret.obj", file("link.obj"));
    fs::create_symlink("..", file("up"));
    for (const char* path : {"../out.obj", "up/out.obj", "/tmp/toile-out.obj", "link.obj"}) {
        EXPECT_EQ(
            kind_of_error("save", {{"item", 0}, {"root", 0}, {"path", path}, {"overwrite", true}}),
            "invalid")
            << path;
    }
    EXPECT_FALSE(fs::exists(opened_.files.outside() / "out.obj"));
    EXPECT_EQ(read_mesh(opened_.files.outside() / "secret.obj").n_vertices(), 81);
    fs::create_symlink("../../made.obj", file("frames/h_0.obj"));  // leads to nothing yet
    const int wave = open("wave.pc2")["item"];
    EXPECT_EQ(kind_of_error(
                  "save",
                  {{"item", wave}, {"root", 0}, {"path", "frames/h_%d.obj"}, {"overwrite", true}}),
              "invalid");
}

TEST_F(WorkspaceTest, CancelsNothingWithoutAComplaint) {
    EXPECT_EQ(page().ok("job.cancel"), Json::object());
}

TEST_F(WorkspaceTest, OpensTwoHundredThousandVertices) {
    const TriangleMesh mesh = make_rectangle({.width_divisions = 447, .length_divisions = 447});
    write_mesh(file("large.ply"), mesh);
    const Json item = open("large.ply");
    EXPECT_EQ(item["bodies"][0]["vertices"], 448 * 448);
    const BinaryReply reply = page().binary("mesh", {{"item", item["item"]}, {"body", 0}});
    EXPECT_EQ(reply.floats(reply.header["positions"]).size(), 3U * 448 * 448);
}

}  // namespace
}  // namespace toile::test
