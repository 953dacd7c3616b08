// SPDX-License-Identifier: Apache-2.0
// Every request of the simulation, well and badly asked.
#include "sim/small_scenes.h"
#include "studio/opened_studio.h"
#include "toile/io/pc2.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

class SimulateTest : public testing::Test {
  protected:
    SimulateTest() : item_(opened_.open("drape.toml")["item"]) {}

    StudioClient& page() { return *opened_.page; }
    void open() { page().ok("sim.open", {{"item", item_}}); }
    Json wait_for(const std::function<bool(const Json&)>& wanted) {
        return page().event("sim", wanted);
    }
    Json wait_for_frame(int frame) {
        return wait_for([=](const Json& e) { return e["frame"] == frame; });
    }
    BinaryReply latest(int after = 0, const Json& fields = Json::array()) {
        return page().binary("sim.latest", {{"fields", fields}, {"after", after}});
    }
    std::string kind_of_error(const std::string& name, const Json& body = Json::object()) {
        return page().error(name, body)["kind"];
    }
    [[nodiscard]] fs::path file(const std::string& name) const {
        return opened_.files.opened() / name;
    }

    OpenedStudio opened_;
    int item_;
};

TEST_F(SimulateTest, SaysThatNothingIsSimulatedYet) {
    for (const char* request :
         {"sim.play", "sim.step", "sim.rewind", "sim.schema", "sim.text", "sim.keep"}) {
        EXPECT_EQ(kind_of_error(request), "invalid") << request;
    }
    EXPECT_EQ(page().ok("sim.latest", {{"fields", Json::array()}}), Json({{"same", true}}));
    EXPECT_EQ(kind_of_error("sim.open", {{"item", 0}}), "usage") << "a mesh is no scene";
    EXPECT_EQ(kind_of_error("sim.open", {{"item", 77}}), "invalid");
}

TEST_F(SimulateTest, OpensAtTheStartOfTheScene) {
    const Json state = page().ok("sim.open", {{"item", item_}});
    EXPECT_EQ(state["state"], "paused");
    EXPECT_EQ(state["frame"], 0);
    EXPECT_EQ(state["frames"], 4);
    EXPECT_EQ(state["item"], item_);
    EXPECT_EQ(page().ok("hello")["sim"], state);
    const BinaryReply reply = latest();
    EXPECT_EQ(reply.header["state"], state["number"]);
    ASSERT_EQ(reply.header["bodies"].size(), 1U) << "the ball stands still";
    EXPECT_EQ(reply.floats(reply.header["bodies"][0]["positions"]).size(), 3U * 81);
    EXPECT_EQ(page().ok("sim.latest", {{"fields", Json::array()}, {"after", state["number"]}}),
              Json({{"same", true}}));
}

TEST_F(SimulateTest, StepsOneFrameAsTheLibraryDoes) {
    open();
    page().ok("sim.step");
    const Json state = wait_for_frame(1);
    EXPECT_EQ(state["state"], "paused");
    EXPECT_EQ(state["report"]["frame"], 1);
    World world(load_scene(file("drape.toml")));
    ASSERT_FALSE(world.step().failure);
    const BinaryReply reply = latest();
    const auto positions = reply.floats(reply.header["bodies"][0]["positions"]);
    for (size_t v = 0; v < 81; ++v) {
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(positions[3 * v + i], static_cast<float>(world.positions(0)[v][i]));
        }
    }
}

TEST_F(SimulateTest, PlaysToTheLastFrameAndRests) {
    open();
    page().ok("sim.play");
    const Json end = wait_for([](const Json& e) { return e["frame"] == 4; });
    EXPECT_EQ(end["state"], "paused");
    EXPECT_EQ(page().ok("log")["rows"].size(), 5U);
    page().ok("sim.rewind");
    EXPECT_EQ(page().ok("hello")["sim"]["frame"], 0);
    EXPECT_EQ(page().ok("log")["rows"].size(), 1U);
}

TEST_F(SimulateTest, AnswersAWaitingPageWithTheNextState) {
    open();
    const int number = page().ok("hello")["sim"]["number"];
    page().ok("sim.play");
    for (int i = 1; i <= 4; ++i) {
        const BinaryReply reply = latest(number + i - 1);
        EXPECT_GE(reply.header["state"].get<int>(), number + i);
    }
}

TEST_F(SimulateTest, PausesAndGoesOn) {
    open();
    page().ok("sim.play");
    wait_for_frame(1);
    EXPECT_EQ(page().ok("sim.pause")["state"], "paused");
    const Json rested = page().ok("hello")["sim"];
    EXPECT_EQ(page().ok("sim.latest", {{"fields", Json::array()}, {"after", rested["number"]}}),
              Json({{"same", true}}));
    page().ok("sim.play");
    wait_for_frame(4);
}

TEST_F(SimulateTest, GivesFieldsOfTheStateThatItGives) {
    open();
    page().ok("sim.step");
    wait_for_frame(1);
    const BinaryReply reply = latest(0, {"strain", "speed", "gap", "displacement", "velocity"});
    const Json& fields = reply.header["bodies"][0]["fields"];
    EXPECT_EQ(reply.floats(fields["velocity"]["values"]).size(), 3U * 81);
    EXPECT_EQ(reply.floats(fields["strain"]["values"]).size(), 81U);
    EXPECT_NEAR(fields["speed"]["maximum"].get<double>(), 9.81 * 0.04, 0.05);
    EXPECT_EQ(kind_of_error("sim.latest", {{"fields", {"sped"}}}), "usage");
}

TEST_F(SimulateTest, ShowsTwoPagesTheSameState) {
    StudioClient other(opened_.studio->port(), opened_.studio->token());
    open();
    page().ok("sim.step");
    const auto at_one = [](const Json& e) { return e["frame"] == 1; };
    EXPECT_EQ(other.event("sim", at_one)["number"], page().event("sim", at_one)["number"]);
    const BinaryReply mine = latest();
    const BinaryReply others =
        other.binary("sim.latest", {{"fields", Json::array()}, {"after", 0}});
    EXPECT_EQ(mine.payload, others.payload);
}

TEST_F(SimulateTest, KeepsATraceWhereItIsAskedFor) {
    open();
    EXPECT_EQ(kind_of_error("trace"), "invalid");
    page().ok("sim.trace", {{"on", true}});
    page().ok("sim.step");
    wait_for_frame(1);
    const Json trace = page().ok("trace");
    EXPECT_EQ(trace["frame"], 1);
    EXPECT_GE(trace["steps"].size(), 1U);
    EXPECT_EQ(trace["bodies"].size(), 2U);
    EXPECT_EQ(page().ok("trace", {{"frame", 1}}), trace);
    EXPECT_NE(page().error("trace", {{"frame", 2}})["message"].get<std::string>().find("frame 2"),
              std::string::npos);
    page().ok("sim.trace", {{"on", false}});
    page().ok("sim.step");
    wait_for_frame(2);
    EXPECT_EQ(kind_of_error("trace"), "invalid");
}

TEST_F(SimulateTest, LeadsAVertexByHandAtABoundedSpeed) {
    open();
    const Json held = page().ok("sim.grab", {{"body", 0}, {"vertex", 0}});
    EXPECT_EQ(held["grabbed"]["vertex"], 0);
    const BinaryReply start = latest();
    page().ok("sim.drag", {{"point", {-0.5, 5, 0.5}}});
    page().ok("sim.step");
    wait_for_frame(1);
    const BinaryReply moved = latest();
    const float before = start.floats(start.header["bodies"][0]["positions"])[1];
    const float after = moved.floats(moved.header["bodies"][0]["positions"])[1];
    EXPECT_GT(after, before);
    EXPECT_LT(after, before + 1.5 * 0.04) << "a diagonal a second at most";
    EXPECT_TRUE(page().ok("sim.drop")["grabbed"].is_null());
    EXPECT_EQ(kind_of_error("sim.drag", {{"point", {0, 0, 0}}}), "invalid");
    EXPECT_EQ(kind_of_error("sim.drag", {{"point", {0, 0}}}), "usage");
    EXPECT_EQ(kind_of_error("sim.grab", {{"body", 1}, {"vertex", 0}}), "invalid");
    EXPECT_EQ(kind_of_error("sim.grab", {{"body", 0}, {"vertex", 81}}), "invalid");
}

TEST_F(SimulateTest, LetsGoOfWhatAPageHeldThatHasGone) {
    open();
    {
        StudioClient other(opened_.studio->port(), opened_.studio->token());
        other.ok("sim.grab", {{"body", 0}, {"vertex", 3}});
        wait_for([](const Json& e) { return !e["grabbed"].is_null(); });
    }
    wait_for([](const Json& e) { return e["grabbed"].is_null(); });
}

TEST_F(SimulateTest, ListsWhatCanBeChanged) {
    open();
    const Json keys = page().ok("sim.schema")["keys"];
    const auto density = std::find_if(keys.begin(), keys.end(), [](const Json& key) {
        return key["path"] == "cloth.0.fabric.density" || key["path"] == "cloth.0.density";
    });
    ASSERT_NE(density, keys.end());
    EXPECT_EQ((*density)["type"], "number");
    EXPECT_FALSE((*density)["help"].get<std::string>().empty());
    EXPECT_FALSE((*density)["unit"].get<std::string>().empty());
    for (const Json& key : keys) {
        EXPECT_EQ(key["path"].get<std::string>().find(".mesh"), std::string::npos)
            << "files cannot be named by a page";
    }
}

TEST_F(SimulateTest, ChangesTheSceneAtTheNextStart) {
    open();
    const Json state = page().ok("sim.change", {{"path", "scene.gravity"}, {"value", {0, 0, 0}}});
    EXPECT_EQ(state["changed"], true);
    page().ok("sim.step");
    const Json moved = wait_for_frame(1);
    EXPECT_EQ(moved["changed"], false);
    EXPECT_NEAR(moved["report"]["rms_speed"].get<double>(), 0, 1e-6) << "nothing falls";
    EXPECT_NE(page().ok("sim.text")["text"].get<std::string>().find("gravity"), std::string::npos);
    EXPECT_EQ(kind_of_error("sim.change", {{"path", "scene.gravty"}, {"value", {0, 0, 0}}}),
              "invalid");
    EXPECT_EQ(kind_of_error("sim.change", {{"path", "scene.gravity"}, {"value", "down"}}),
              "invalid");
    EXPECT_EQ(kind_of_error("sim.change", {{"path", "scene.gravity"}}), "usage");
}

TEST_F(SimulateTest, KeepsTheWorldWhereAChangedSceneCannotStart) {
    open();
    page().ok("sim.change", {{"path", "cloth.0.translation"}, {"value", {0, 0, 0}}});
    const Json error = page().error("sim.play");
    EXPECT_NE(error["message"].get<std::string>().find("ball"), std::string::npos)
        << "the cloth cuts it";
    EXPECT_EQ(page().ok("hello")["sim"]["state"], "paused");
    page().ok("sim.change", {{"path", "cloth.0.translation"}, {"value", {0, 0.4, 0}}});
    page().ok("sim.step");
    wait_for_frame(1);
}

TEST_F(SimulateTest, SavesTheChangedSceneAsToml) {
    open();
    page().ok("sim.change", {{"path", "scene.frames"}, {"value", 7}});
    page().ok("sim.save", {{"root", 0}, {"path", "changed.toml"}});
    EXPECT_EQ(load_scene(file("changed.toml")).settings.frames, 7);
    EXPECT_EQ(kind_of_error("sim.save", {{"root", 0}, {"path", "changed.toml"}}), "files");
    page().ok("sim.save", {{"root", 0}, {"path", "changed.toml"}, {"overwrite", true}});
    EXPECT_EQ(kind_of_error("sim.save", {{"root", 0}, {"path", "../changed.toml"}}), "invalid");
    EXPECT_EQ(kind_of_error("sim.save", {{"root", 0}, {"path", "changed.obj"}}), "usage");
}

TEST_F(SimulateTest, OffersItsFramesAsARun) {
    open();
    page().ok("sim.play");
    wait_for_frame(4);
    const Json run = page().ok("sim.keep");
    EXPECT_EQ(run["kind"], "run");
    EXPECT_EQ(run["frames"], 5);
    EXPECT_EQ(run["unsaved"], true);
    EXPECT_EQ(run["made_by"], "simulate");
    page().ok("sim.rewind");
    const BinaryReply last =
        page().binary("frame", {{"item", run["item"]}, {"frame", 4}, {"fields", Json::array()}});
    EXPECT_EQ(last.header["bodies"].size(), 2U) << "it outlives the rewind";
    const Json saved = page().ok("save", {{"item", run["item"]}, {"root", 0}, {"path", "kept"}});
    EXPECT_EQ(saved["unsaved"], false);
    EXPECT_EQ(Pc2Source(file("kept/cloth.pc2")).n_frames(), 5);
}

TEST_F(SimulateTest, ShowsWhereAFrameCouldNotBeMade) {
    // Two boards that a step cannot part: they close on the cloth between them.
    Scene scene;
    scene.settings.frames = 20;
    scene.settings.gravity = {0, 0, 0};
    scene.solver.max_halvings = 1;
    scene.cloths = {square_cloth(1, 4, {0, 0, 0})};
    scene.obstacles = {obstacle("below", rectangle(3, 3, 1)),
                       obstacle("above", rectangle(3, 3, 1))};
    scene.obstacles[0].translation = {0, -0.05, 0};
    scene.obstacles[1].translation = {0, 0.05, 0};
    scene.obstacles[1].pieces = {{.time = 0, .velocity = {0, -0.5, 0}}};
    std::ofstream(file("press.toml")) << scene_text(scene, opened_.files.opened());
    page().ok("sim.open", {{"item", opened_.open("press.toml")["item"]}});
    page().ok("sim.play");
    const Json failed = wait_for([](const Json& e) { return e["state"] == "failed"; });
    EXPECT_FALSE(failed["failure"]["message"].get<std::string>().empty());
    EXPECT_GT(failed["failure"]["vertices"].size(), 0U);
    EXPECT_EQ(failed["failure"]["vertices"].size(), failed["failure"]["points"].size());
    EXPECT_EQ(page().ok("sim.rewind")["state"], "paused");
}

TEST_F(SimulateTest, LosesNothingAtTheEndOfTheStudio) {
    open();
    page().ok("sim.change", {{"path", "scene.frames"}, {"value", 3}});
    page().ok("sim.play");
    wait_for_frame(3);
    const fs::path kept = opened_.studio->end();
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(load_scene(kept / "scene.toml").settings.frames, 3);
    bool has_run = false;
    for (const auto& entry : fs::directory_iterator(kept)) {
        has_run = has_run || is_run_folder(entry.path());
    }
    EXPECT_TRUE(has_run);
    opened_.studio.reset();
    fs::remove_all(kept);
}

}  // namespace
}  // namespace toile::test
