// SPDX-License-Identifier: Apache-2.0
// Editing a frame by hand and carrying it, well and badly asked.
#include "studio/job_of.h"
#include "studio/opened_studio.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

class EditTest : public testing::Test {
  protected:
    EditTest() { wave_ = opened_.open("wave.pc2")["item"]; }

    StudioClient& page() { return *opened_.page; }
    [[nodiscard]] fs::path file(const std::string& name) const {
        return opened_.files.opened() / name;
    }
    Json open(int frame) { return page().ok("edit.open", {{"item", wave_}, {"frame", frame}}); }
    BinaryReply take_handle(const std::string& mode = "arap") {
        return page().binary("edit.handle",
                             {{"vertices", {0, 1, 9}}, {"falloff", 0.5}, {"mode", mode}});
    }
    BinaryReply drag(double height) {
        return page().binary("edit.drag", {{"translate", {0, height, 0}},
                                           {"rotate", {0, 0, 0}},
                                           {"scale", 1},
                                           {"pivot", {0, 0, 0}}});
    }
    Json lift_frame(int frame, double height) {
        open(frame);
        take_handle();
        drag(height);
        return page().ok("edit.release");
    }
    std::vector<float> positions(int frame) {
        const BinaryReply reply = page().binary("edit.positions", {{"frame", frame}});
        return reply.floats(reply.header["positions"]);
    }
    std::vector<float> frame_of(int item, int frame) {
        const BinaryReply reply = page().binary("frame", {{"item", item}, {"frame", frame}});
        return reply.floats(reply.header["bodies"][0]["positions"]);
    }
    std::string kind_of_error(const std::string& name, const Json& body = Json::object()) {
        return page().error(name, body)["kind"];
    }

    OpenedStudio opened_;
    int wave_ = 0;
};

TEST_F(EditTest, DragsAHandleAndMakesItAStep) {
    const Json opened = open(2);
    EXPECT_EQ(opened["frame"], 2);
    EXPECT_EQ(opened["edited"], Json::array());
    for (const char* const mode : {"arap", "smooth"}) {
        const BinaryReply handle = take_handle(mode);
        const std::vector<std::uint32_t> vertices = handle.integers(handle.header["vertices"]);
        const std::vector<float> weights = handle.floats(handle.header["weights"]);
        ASSERT_EQ(vertices.size(), weights.size());
        EXPECT_EQ(vertices[0], 0u);
        EXPECT_EQ(weights[0], 1.0F);
        EXPECT_GT(vertices.size(), 3u);
        EXPECT_LT(vertices.size(), 81u);
    }
    EXPECT_EQ(page().ok("hello")["edit"]["handle"]["mode"], "smooth");
    const std::vector<float> before = positions(2);
    const BinaryReply dragged = drag(0.2);
    const std::vector<float> moved = dragged.floats(dragged.header["positions"]);
    EXPECT_NEAR(moved[1], before[1] + 0.2F, 1e-6);
    EXPECT_EQ(moved[3 * 80 + 1], before[3 * 80 + 1]);
    EXPECT_GE(dragged.header["milliseconds"].get<double>(), 0);
    EXPECT_EQ(positions(2), before);  // not before the release
    const Json released = page().ok("edit.release");
    EXPECT_EQ(released["edited"], Json::array({2}));
    EXPECT_EQ(released["can_undo"], true);
    EXPECT_EQ(positions(2), moved);
    // A second drag counts from where the first ended.
    const BinaryReply again = drag(0.1);
    EXPECT_NEAR(again.floats(again.header["positions"])[1], before[1] + 0.3F, 1e-6);
}

TEST_F(EditTest, UndoesAndRedoesOverAllFrames) {
    const std::vector<float> first = frame_of(wave_, 1);
    lift_frame(1, 0.1);
    const std::vector<float> lifted = positions(1);
    EXPECT_EQ(lift_frame(4, 0.2)["edited"], Json::array({1, 4}));
    EXPECT_EQ(page().ok("edit.undo")["edited"], Json::array({1}));
    const Json undone = page().ok("edit.undo");
    EXPECT_EQ(undone["edited"], Json::array());
    EXPECT_EQ(undone["frame"], 1);
    EXPECT_EQ(undone["can_undo"], false);
    EXPECT_EQ(positions(1), first);
    EXPECT_EQ(kind_of_error("edit.undo"), "invalid");
    EXPECT_EQ(page().ok("edit.redo")["edited"], Json::array({1}));
    EXPECT_EQ(positions(1), lifted);
    lift_frame(2, 0.1);
    EXPECT_EQ(kind_of_error("edit.redo"), "invalid");
}

TEST_F(EditTest, CarriesTheEditThroughTheSequenceWithTheEditedFrameExact) {
    lift_frame(2, 0.2);
    const std::vector<float> edited = positions(2);
    const int made = done_job(page(), "edit.carry")["item"];
    const Json told =
        state_when(page(), "edit", [&](const Json& e) { return e["result"] == made; });
    EXPECT_EQ(told["item"], wave_);
    EXPECT_EQ(frame_of(made, 2), edited);
    for (int frame = 0; frame < 6; ++frame) {
        EXPECT_NEAR(frame_of(made, frame)[1], frame_of(wave_, frame)[1] + 0.2F, 1e-5);
    }
}

TEST_F(EditTest, KeepsFramesOutsideOfTheWindow) {
    lift_frame(3, 0.2);
    const int made = done_job(page(), "edit.carry",
                              {{"window", {1, nullptr}}, {"ease", 0}, {"strength", 0.5}})["item"];
    EXPECT_EQ(frame_of(made, 1), frame_of(wave_, 1));
    EXPECT_NEAR(frame_of(made, 2)[1], frame_of(wave_, 2)[1] + 0.1F, 0.01);
    EXPECT_NEAR(frame_of(made, 5)[1], frame_of(wave_, 5)[1] + 0.1F, 0.01);
    const int eased = done_job(page(), "edit.carry", {{"window", {2, 2}}, {"ease", 2}})["item"];
    EXPECT_EQ(frame_of(eased, 1), frame_of(wave_, 1));
    EXPECT_EQ(frame_of(eased, 3), positions(3));
    EXPECT_NEAR(frame_of(eased, 2)[1], frame_of(wave_, 2)[1] + 0.1F, 0.01);
}

TEST_F(EditTest, LoadsAndSavesTheEditedFrame) {
    open(2);
    TriangleMesh mesh = read_mesh(file("wave.obj"));
    for (Vec3& p : mesh.positions) p.y() += 0.02;
    mesh.positions[40].y() += 0.3;
    write_mesh(file("better.obj"), mesh);
    const Json loaded = page().ok("edit.load", {{"root", 0}, {"path", "better.obj"}});
    EXPECT_EQ(loaded["edited"], Json::array({2}));
    EXPECT_NEAR(positions(2)[3 * 40 + 1], 0.32, 1e-6);
    const Json saved = page().ok("edit.save", {{"root", 0}, {"path", "saved.obj"}});
    EXPECT_EQ(saved["files"], Json({"saved.obj", "saved.edit.json"}));
    EXPECT_EQ(read_mesh(file("saved.obj")).positions, mesh.positions);
    const Json about = Json::parse(read_bytes(file("saved.edit.json")));
    EXPECT_EQ(about["frame"], 2);
    EXPECT_EQ(about["edited"], "saved.obj");
    EXPECT_EQ(about["strength"], 1);
    EXPECT_EQ(kind_of_error("edit.save", {{"root", 0}, {"path", "saved.obj"}}), "files");
    page().ok("edit.save", {{"root", 0}, {"path", "saved.obj"}, {"overwrite", true}});
    EXPECT_EQ(kind_of_error("edit.save", {{"root", 0}, {"path", "../saved.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.save", {{"root", 0}, {"path", "saved.xyz"}}), "invalid");
    write_mesh(file("other.obj"), make_rectangle({.width_divisions = 3, .length_divisions = 3}));
    EXPECT_EQ(kind_of_error("edit.load", {{"root", 0}, {"path", "other.obj"}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.load", {{"root", 0}, {"path", "none.obj"}}), "files");
}

TEST_F(EditTest, RefusesADragToNowhere) {
    open(2);
    take_handle();
    EXPECT_EQ(kind_of_error("edit.drag", {{"translate", {1.7e308, 0, 0}}, {"scale", 1e3}}),
              "invalid");
    drag(0.1);
    page().ok("edit.release");
    for (const float x : positions(2)) EXPECT_TRUE(std::isfinite(x));
}

TEST_F(EditTest, CarriesThroughAWindowOfAnyLength) {
    lift_frame(1, 0.1);
    const int made =
        done_job(page(), "edit.carry", {{"window", {0, std::numeric_limits<int>::max()}}})["item"];
    EXPECT_NE(frame_of(made, 5), frame_of(wave_, 5)) << "the last frame has the edit";
    EXPECT_EQ(frame_of(made, 0), frame_of(wave_, 0)) << "what is before has not";
}

TEST_F(EditTest, RefusesWhatCannotBeDone) {
    for (const char* const name : {"edit.release", "edit.undo", "edit.carry", "edit.drag"}) {
        EXPECT_EQ(kind_of_error(name), "invalid") << name;
    }
    EXPECT_EQ(kind_of_error("edit.open", {{"item", wave_}, {"frame", 6}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.open", {{"item", 99}, {"frame", 0}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.open", {{"item", wave_}}), "usage");
    open(0);
    EXPECT_EQ(kind_of_error("edit.carry"), "invalid");
    EXPECT_EQ(kind_of_error("edit.drag", {{"scale", 1}}), "invalid");
    const auto handle = [&](const Json& vertices, const Json& falloff, const char* mode) {
        return kind_of_error("edit.handle",
                             {{"vertices", vertices}, {"falloff", falloff}, {"mode", mode}});
    };
    EXPECT_EQ(handle({81}, 1, "arap"), "invalid");
    EXPECT_EQ(handle({-1}, 1, "arap"), "invalid");
    EXPECT_EQ(handle({0}, -1, "arap"), "invalid");
    EXPECT_EQ(handle({0}, "far", "arap"), "usage");
    EXPECT_EQ(handle({0}, 1, "rigid"), "usage");
    EXPECT_EQ(handle("all", 1, "arap"), "usage");
    take_handle();
    EXPECT_EQ(kind_of_error("edit.drag", {{"scale", 0}}), "invalid");
    EXPECT_EQ(kind_of_error("edit.drag", {{"translate", {0, 1}}}), "usage");
    drag(0.1);
    page().ok("edit.release");
    EXPECT_EQ(kind_of_error("edit.carry", {{"window", {1}}}), "usage");
    EXPECT_EQ(kind_of_error("edit.carry", {{"window", {-1, 1}}}), "usage");
    EXPECT_EQ(kind_of_error("edit.carry", {{"ease", -1}}), "usage");
}

TEST_F(EditTest, ReleaseWithoutADragChangesNothing) {
    open(0);
    take_handle();
    EXPECT_EQ(page().ok("edit.release")["can_undo"], false);
    drag(0);
    EXPECT_EQ(page().ok("edit.release")["can_undo"], false);
}

}  // namespace
}  // namespace toile::test
