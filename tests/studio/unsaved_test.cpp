// SPDX-License-Identifier: Apache-2.0
// What exists nowhere else is never lost: at the end of the studio, when an item is closed, and
// when the disk is against it.
#include "studio/job_of.h"
#include "studio/opened_studio.h"
#include "support/temporary_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/io/pc2.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

/// Where the studio's folder for what is not saved comes to be, while it lives.
class TemporaryPlace {
  public:
    TemporaryPlace() {
        if (const char* before = std::getenv("TMPDIR")) before_ = before;
        ::setenv("TMPDIR", folder_.path().c_str(), 1);
    }
    ~TemporaryPlace() {
        if (before_) {
            ::setenv("TMPDIR", before_->c_str(), 1);
        } else {
            ::unsetenv("TMPDIR");
        }
    }
    TemporaryPlace(const TemporaryPlace&) = delete;
    TemporaryPlace& operator=(const TemporaryPlace&) = delete;

    /// The one folder of a studio in it.
    [[nodiscard]] fs::path scratch() const {
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            if (entry.path().filename().string().starts_with("toile-studio-")) return entry.path();
        }
        return {};
    }

  private:
    TemporaryFolder folder_;
    std::optional<std::string> before_;
};

class UnsavedTest : public testing::Test {
  protected:
    StudioClient& page() { return *opened_.page; }
    [[nodiscard]] fs::path file(const std::string& name) const {
        return opened_.files.opened() / name;
    }
    void lift_frame(int item, int frame) {
        page().ok("edit.open", {{"item", item}, {"frame", frame}});
        page().binary("edit.handle", {{"vertices", {0, 1, 9}}, {"falloff", 0.5}, {"mode", "arap"}});
        page().binary("edit.drag", {{"translate", {0, 0.1, 0}}});
        page().ok("edit.release");
    }
    int carried(int item) {
        lift_frame(item, 2);
        return done_job(page(), "edit.carry")["item"];
    }
    std::string kind_of_error(const std::string& name, const Json& body = Json::object()) {
        return page().error(name, body)["kind"];
    }
    /// Names of what is kept at the end, or nothing where nothing is.
    std::set<std::string> kept_at_the_end() {
        std::set<std::string> names;
        const std::string kept = opened_.studio->end();
        if (kept.empty()) return names;
        for (const auto& entry : fs::directory_iterator(kept)) {
            names.insert(entry.path().filename().string());
        }
        return names;
    }

    StudioFolder first_;    // what all studio folders are copied from is made outside of the place
    TemporaryPlace place_;  // before the studio
    OpenedStudio opened_;
};

TEST_F(UnsavedTest, IsKeptEvenWhereARoomCannotWrite) {
    const int wave = opened_.open("wave.pc2")["item"];
    carried(wave);
    fs::create_directories(place_.scratch() / "edited-0002.obj" / "in the way");
    const auto kept = kept_at_the_end();
    EXPECT_TRUE(kept.contains("wave-edited.pc2"));
    EXPECT_TRUE(fs::exists(place_.scratch() / "wave-edited.pc2"));
}

TEST_F(UnsavedTest, HoldsEveryEditedFrameThatIsInNoFile) {
    const int wave = opened_.open("wave.pc2")["item"];
    lift_frame(wave, 1);
    lift_frame(wave, 4);
    page().ok("edit.save", {{"root", 0}, {"path", "four.obj"}});
    const auto kept = kept_at_the_end();
    EXPECT_TRUE(kept.contains("edited-0001.obj"));
    EXPECT_FALSE(kept.contains("edited-0004.obj")) << "that one was saved";
}

TEST_F(UnsavedTest, HoldsAnEditThatWasUndoneInPartAfterItWasSaved) {
    const int wave = opened_.open("wave.pc2")["item"];
    lift_frame(wave, 3);
    lift_frame(wave, 3);
    page().ok("edit.save", {{"root", 0}, {"path", "three.obj"}});
    page().ok("edit.undo");
    EXPECT_TRUE(kept_at_the_end().contains("edited-0003.obj"));
}

TEST_F(UnsavedTest, IsNothingWhereAllIsSavedOrUndone) {
    const int wave = opened_.open("wave.pc2")["item"];
    lift_frame(wave, 3);
    page().ok("edit.undo");
    EXPECT_TRUE(kept_at_the_end().empty());
    opened_.page.reset();
    opened_.studio.reset();
    EXPECT_TRUE(place_.scratch().empty()) << "and no folder is left";
}

TEST_F(UnsavedTest, HoldsMarkersThatAreOtherThanInTheirFile) {
    page().ok("match.open", {{"source", 0}, {"target", 0}});
    page().ok("match.set", {{"pairs", Json::array({Json::array({0, 0})})}});
    page().ok("match.set", {{"pairs", Json::array({Json::array({0, 0}), Json::array({8, 8})})}});
    page().ok("match.save", {{"root", 0}, {"path", "two.cons"}});
    page().ok("match.undo");
    EXPECT_TRUE(kept_at_the_end().contains("match.cons"));
}

TEST_F(UnsavedTest, HoldsNoMarkersThatWereSavedAndAreAgainAsTheyWere) {
    page().ok("match.open", {{"source", 0}, {"target", 0}});
    page().ok("match.set", {{"pairs", Json::array({Json::array({0, 0})})}});
    page().ok("match.save", {{"root", 0}, {"path", "one.cons"}});
    page().ok("match.set", {{"pairs", Json::array({Json::array({8, 8})})}});
    page().ok("match.undo");
    EXPECT_TRUE(kept_at_the_end().empty());
}

TEST_F(UnsavedTest, IsNotClosedWithoutAWord) {
    const int made = carried(opened_.open("wave.pc2")["item"]);
    const Json refused = page().error("close", {{"item", made}});
    EXPECT_NE(refused["message"].get<std::string>().find("not saved"), std::string::npos);
    page().ok("close", {{"item", made}, {"discard", true}});
    EXPECT_EQ(kind_of_error("close", {{"item", made}, {"discard", true}}), "invalid");
}

TEST_F(UnsavedTest, HasANameOfItsOwnForEverything) {
    const int wave = opened_.open("wave.pc2")["item"];
    const int first = carried(wave);
    const int second = done_job(page(), "edit.carry")["item"];
    const auto name_of = [&](int item) {
        const Json hello = page().ok("hello");
        for (const Json& one : hello["items"]) {
            if (one["item"] == item) return one["name"].get<std::string>();
        }
        return std::string();
    };
    EXPECT_EQ(name_of(first), "wave-edited");
    EXPECT_EQ(name_of(second), "wave-edited-2");
    // What `second` gives is called as the second file of `first` would be.
    for (const int item : {second, first, first, second, first}) {
        EXPECT_EQ(finish_job(page(), "export.glb", {{"item", item}})["state"], "done");
    }
}

TEST_F(UnsavedTest, CutsNamesThatGrowTooLong) {
    const std::string name(200, 'x');
    fs::copy(file("wave.pc2"), file(name + ".pc2"));
    fs::copy(file("wave.obj"), file(name + ".obj"));
    int item = opened_.open(name + ".pc2")["item"];
    for (int round = 0; round < 3; ++round) item = carried(item);
    EXPECT_EQ(finish_job(page(), "export.glb", {{"item", item}})["state"], "done");
}

TEST_F(UnsavedTest, SimulationOfAClosedSceneStopsAndItsFramesCanBeKept) {
    const int scene = opened_.open("drape.toml")["item"];
    page().ok("sim.open", {{"item", scene}});
    page().ok("sim.step");
    page().event("sim", [](const Json& e) { return e["frame"] == 1; });
    page().ok("close", {{"item", scene}});
    const Json told = state_when(page(), "sim", [](const Json& s) { return s["item"].is_null(); });
    EXPECT_EQ(told["state"], "paused");
    EXPECT_EQ(kind_of_error("sim.play"), "invalid");
}

TEST_F(UnsavedTest, FrameThatCannotBeWrittenEndsTheRunUntilItIsRewound) {
    page().ok("sim.open", {{"item", opened_.open("drape.toml")["item"]}});
    page().ok("sim.step");
    page().event("sim", [](const Json& e) { return e["frame"] == 1; });
    const fs::path run = place_.scratch() / "simulation";
    ASSERT_TRUE(fs::exists(run / "cloth.pc2"));
    fs::remove_all(run / "state");  // where each frame's checkpoint goes
    std::ofstream(run / "state") << "in the way";
    page().ok("sim.step");
    const Json failed = page().event("sim", [](const Json& e) { return e["state"] == "failed"; });
    EXPECT_FALSE(failed["failure"]["message"].get<std::string>().empty());
    EXPECT_NE(page().error("sim.play")["message"].get<std::string>().find("rewind"),
              std::string::npos);
    EXPECT_EQ(kind_of_error("sim.step"), "invalid");
    EXPECT_EQ(page().ok("sim.rewind")["state"], "paused");
    page().ok("sim.play");
    page().event("sim", [](const Json& e) { return e["frame"] == 4; });
}

}  // namespace
}  // namespace toile::test
