// SPDX-License-Identifier: Apache-2.0
// Pairs, fits and transfers, well and badly asked.
#include "studio/job_of.h"
#include "studio/opened_studio.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

// `sheet.obj` (9 x 9) is to be matched with `fine.obj` (17 x 17), the same square.
class MatchTest : public testing::Test {
  protected:
    MatchTest() {
        write_mesh(file("fine.obj"),
                   make_rectangle({.width_divisions = 16, .length_divisions = 16}));
        sheet_ = opened_.open("sheet.obj")["item"];
        fine_ = opened_.open("fine.obj")["item"];
    }

    StudioClient& page() { return *opened_.page; }
    [[nodiscard]] fs::path file(const std::string& name) const {
        return opened_.files.opened() / name;
    }
    Json open() { return page().ok("match.open", {{"source", sheet_}, {"target", fine_}}); }
    Json set_corners() { return page().ok("match.set", {{"pairs", corners()}}); }
    static Json corners() {
        return Json::array({Json::array({0, 0}), Json::array({8, 16}), Json::array({72, 272}),
                            Json::array({80, 288})});
    }
    std::string kind_of_error(const std::string& name, const Json& body = Json::object()) {
        return page().error(name, body)["kind"];
    }
    Json fit() {
        open();
        set_corners();
        done_job(page(), "match.fit");
        return state_when(page(), "match", [](const Json& m) { return !m["report"].is_null(); });
    }

    OpenedStudio opened_;
    int sheet_ = 0;
    int fine_ = 0;
};

TEST_F(MatchTest, KeepsPairsWithUndoAndRedo) {
    EXPECT_EQ(kind_of_error("match.set", {{"pairs", corners()}}), "invalid");
    const Json opened = open();
    EXPECT_EQ(opened["pairs"], Json::array());
    EXPECT_EQ(opened["can_undo"], false);
    const Json set = set_corners();
    EXPECT_EQ(set["pairs"], corners());
    EXPECT_EQ(set["can_undo"], true);
    EXPECT_EQ(page().ok("match.undo")["pairs"], Json::array());
    EXPECT_EQ(kind_of_error("match.undo"), "invalid");
    EXPECT_EQ(page().ok("match.redo")["pairs"], corners());
    EXPECT_EQ(kind_of_error("match.redo"), "invalid");
    EXPECT_EQ(page().ok("hello")["match"]["pairs"], corners());
    EXPECT_EQ(open()["pairs"], corners());  // the same two items: nothing is lost
}

TEST_F(MatchTest, RefusesPairsThatCannotHold) {
    open();
    const auto message = [&](const Json& pairs) {
        return page().error("match.set", {{"pairs", pairs}})["message"].get<std::string>();
    };
    EXPECT_NE(message({Json::array({0, 0}), Json::array({81, 3})}).find("Pair 2"),
              std::string::npos);
    EXPECT_NE(message(Json::array({Json::array({0, 289})})).find("target vertex 289"),
              std::string::npos);
    EXPECT_NE(message({Json::array({3, 0}), Json::array({3, 288})}), "");
    for (const Json& wrong : {Json(3), Json::array({Json::array({1})}), Json::array({1, 2}),
                              Json::array({Json::array({0.5, 1})}), Json(nullptr)}) {
        EXPECT_EQ(kind_of_error("match.set", {{"pairs", wrong}}), "usage") << wrong;
    }
    EXPECT_EQ(page().ok("hello")["match"]["pairs"], Json::array());
}

TEST_F(MatchTest, SavesAndLoadsMarkers) {
    open();
    EXPECT_EQ(kind_of_error("match.save", {{"root", 0}, {"path", "none.cons"}}), "invalid");
    set_corners();
    page().ok("match.save", {{"root", 0}, {"path", "corners.cons"}});
    EXPECT_EQ(read_bytes(file("corners.cons")), "4\n0, 0\n8, 16\n72, 272\n80, 288\n");
    EXPECT_EQ(kind_of_error("match.save", {{"root", 0}, {"path", "corners.cons"}}), "files");
    page().ok("match.save", {{"root", 0}, {"path", "corners.cons"}, {"overwrite", true}});
    page().ok("match.set", {{"pairs", Json::array()}});
    EXPECT_EQ(page().ok("match.load", {{"root", 0}, {"path", "corners.cons"}})["pairs"], corners());
    EXPECT_EQ(page().ok("match.undo")["pairs"], Json::array());
    EXPECT_EQ(kind_of_error("match.save", {{"root", 0}, {"path", "../out.cons"}}), "invalid");
    EXPECT_EQ(kind_of_error("match.load", {{"root", 0}, {"path", "none.cons"}}), "files");
    EXPECT_EQ(kind_of_error("match.load", {{"root", 0}, {"path", "sheet.obj"}}), "invalid");
}

TEST_F(MatchTest, FitsAndReportsAndShowsColours) {
    open();
    EXPECT_EQ(kind_of_error("match.fit"), "invalid");
    EXPECT_EQ(kind_of_error("match.colors"), "invalid");
    EXPECT_EQ(kind_of_error("match.fitted"), "invalid");
    const Json report = fit()["report"];
    EXPECT_LT(report["mean"].get<double>(), 0.1);
    EXPECT_EQ(report["residuals"].size(), 4u);
    EXPECT_NEAR(report["coverage"]["target"].get<double>(), 1, 1e-9);
    EXPECT_EQ(report["stale"], false);
    const BinaryReply colors = page().binary("match.colors");
    EXPECT_EQ(colors.floats(colors.header["source"]).size(), 3u * 128);
    EXPECT_EQ(colors.floats(colors.header["target"]).size(), 3u * 512);
    const BinaryReply fitted = page().binary("match.fitted");
    EXPECT_EQ(fitted.floats(fitted.header["positions"]).size(), 3u * 81);
    const Json changed = page().ok("match.set", {{"pairs", Json::array({Json::array({0, 0})})}});
    EXPECT_EQ(changed["report"]["stale"], true);
}

TEST_F(MatchTest, TakesTheOptionsOfCorrespondAndRefusesOthers) {
    open();
    set_corners();
    const auto kind = [&](const Json& options) {
        return kind_of_error("match.fit", {{"options", options}});
    };
    EXPECT_EQ(kind({{"nerest", 3}}), "usage");
    EXPECT_EQ(kind({{"nearest", 0}}), "usage");
    EXPECT_EQ(kind({{"nearest", 2.5}}), "usage");
    EXPECT_EQ(kind({{"fit", "plait"}}), "invalid");
    EXPECT_EQ(kind({{"max_angle", 200}}), "usage");
    EXPECT_EQ(kind(Json::array()), "usage");
    done_job(page(), "match.fit",
             {{"options",
               {{"fit", "full"}, {"nearest", 3}, {"max_distance", 2}, {"both_directions", true}}}});
}

TEST_F(MatchTest, TransfersBySourceTargetAndTheLastFit) {
    const int wave = opened_.open("wave.pc2")["item"];
    EXPECT_EQ(kind_of_error("transfer.run", {{"source", wave}, {"target", fine_}}), "invalid");
    fit();
    const Json job = done_job(page(), "transfer.run", {{"source", wave}, {"target", fine_}});
    const int made = job["item"];
    const Json told =
        state_when(page(), "transfer", [&](const Json& t) { return t["result"] == made; });
    EXPECT_EQ(told["source"], wave);
    EXPECT_EQ(told["target"], fine_);
    const Json hello = page().ok("hello");
    Json item;
    for (const Json& each : hello["items"]) {
        if (each["item"] == made) item = each;
    }
    EXPECT_EQ(item["frames"], 6);
    EXPECT_EQ(item["made_by"], "transfer");
    EXPECT_EQ(item["unsaved"], true);
    EXPECT_EQ(item["bodies"][0]["vertices"], 289);
    const BinaryReply frame = page().binary("frame", {{"item", made}, {"frame", 5}});
    const std::vector<float> positions = frame.floats(frame.header["bodies"][0]["positions"]);
    // The two sheets measure 0.8 % apart in size by their vertices, and ways go with the size.
    for (size_t k = 1; k < positions.size(); k += 3) EXPECT_NEAR(positions[k], 0.05, 1e-3);
}

TEST_F(MatchTest, ReportsOnThePairsAsTheyWereAskedFor) {
    open();
    const Json pairs = Json::array({Json::array({0, 0}), Json::array({0, 0}), Json::array({8, 16}),
                                    Json::array({72, 272}), Json::array({80, 288})});
    page().ok("match.set", {{"pairs", pairs}});
    done_job(page(), "match.fit");
    const Json report =
        state_when(page(), "match", [](const Json& m) { return !m["report"].is_null(); })["report"];
    EXPECT_EQ(report["stale"], false) << "nothing has changed since";
    EXPECT_EQ(report["residuals"].size(), 5U) << "one a pair, with the repetition";
}

TEST_F(MatchTest, TakesAnyBodyOfAnItem) {
    const int run = opened_.open("run")["item"];
    const Json cloth = {{"source", sheet_}, {"target", run}, {"target_body", 0}};
    Json ball = cloth;
    ball["target_body"] = 1;
    EXPECT_EQ(page().ok("match.open", ball)["target_body"], 1);
    page().ok("match.set", {{"pairs", Json::array({Json::array({0, 100})})}});
    EXPECT_EQ(page().ok("match.open", ball)["pairs"].size(), 1U) << "the same two bodies again";
    EXPECT_EQ(page().ok("match.open", cloth)["pairs"].size(), 0U);
    EXPECT_EQ(kind_of_error("match.set", {{"pairs", Json::array({Json::array({0, 100})})}}),
              "invalid")
        << "the cloth has fewer vertices than the ball";
    ball["target_body"] = 2;
    EXPECT_EQ(kind_of_error("match.open", ball), "invalid");
}

TEST_F(MatchTest, TransfersTheMotionOfTheBodyThatIsMeant) {
    const int run = opened_.open("run")["item"];
    page().ok("match.open", {{"source", sheet_}, {"target", run}, {"target_body", 0}});
    Json same = Json::array();
    for (const int v : {0, 8, 72, 80}) same.push_back(Json::array({v, v}));
    page().ok("match.set", {{"pairs", same}});
    done_job(page(), "match.fit");
    const int wave = opened_.open("wave.pc2")["item"];
    const Json body = {
        {"source", wave}, {"source_rest", sheet_}, {"target", run}, {"target_body", 0}};
    const int made = done_job(page(), "transfer.run", body)["item"];
    const Json told =
        state_when(page(), "transfer", [&](const Json& t) { return t["result"] == made; });
    EXPECT_EQ(told["target_body"], 0);
    EXPECT_EQ(told["rest"], sheet_);
    Json still = body;
    still["source"] = run;
    still.erase("source_rest");
    still["source_body"] = 1;
    EXPECT_EQ(kind_of_error("transfer.run", still), "invalid") << "the ball does not move so";
    still["source_body"] = 7;
    EXPECT_EQ(kind_of_error("transfer.run", still), "invalid");
}

TEST_F(MatchTest, RefusesTransfersThatDoNotFitTogether) {
    const int wave = opened_.open("wave.pc2")["item"];
    fit();
    const auto kind = [&](Json body) {
        body["source"] = wave;
        if (!body.contains("target")) body["target"] = fine_;
        return kind_of_error("transfer.run", body);
    };
    EXPECT_EQ(kind({{"target", sheet_}}), "invalid");
    EXPECT_EQ(kind({{"target", 99}}), "invalid");
    EXPECT_EQ(kind({{"pairs", "mtch"}}), "usage");
    EXPECT_EQ(kind({{"pairs", {{"root", 0}, {"path", "none.pairs"}}}}), "files");
    EXPECT_EQ(kind({{"pairs", {{"root", 0}, {"path", "sheet.obj"}}}}), "invalid");
    EXPECT_EQ(kind({{"unmatched", "atuo"}}), "usage");
    EXPECT_EQ(kind({{"anchors", "0"}}), "usage");
    const Json job = finish_job(page(), "transfer.run",
                                {{"source", wave}, {"target", fine_}, {"anchors", {289}}});
    EXPECT_EQ(job["state"], "failed");
    EXPECT_EQ(job["error"]["kind"], "invalid");
}

}  // namespace
}  // namespace toile::test
