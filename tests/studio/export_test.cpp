// SPDX-License-Identifier: Apache-2.0
// Files to take away, well and badly asked.
#include "studio/job_of.h"
#include "studio/opened_studio.h"

#include <gtest/gtest.h>

namespace toile::test {
namespace {

class ExportTest : public testing::Test {
  protected:
    StudioClient& page() { return *opened_.page; }
    std::string download(const Json& job) {
        const std::string answer =
            get(opened_.studio->port(), "/download/" + std::to_string(job["download"].get<int>()) +
                                            "?token=" + opened_.studio->token());
        EXPECT_EQ(status_of(answer), 200);
        const std::string body = body_of(answer);
        EXPECT_EQ(job["size"], body.size());
        return body;
    }
    static Json pictures(int item) {
        return {{"item", item},
                {"camera",
                 {{"position", {2, 2, 2}},
                  {"target", {0, 0, 0}},
                  {"up", {0, 1, 0}},
                  {"field_of_view", 40}}},
                {"width", 33},
                {"height", 21},
                {"from", 1},
                {"to", 2}};
    }
    std::string kind_of_error(const std::string& name, const Json& body) {
        return page().error(name, body)["kind"];
    }

    OpenedStudio opened_;
};

TEST_F(ExportTest, MakesAGlbOfARunWithAllItsBodies) {
    const int run = opened_.open("run")["item"];
    const Json job = done_job(page(), "export.glb", {{"item", run}});
    EXPECT_EQ(job["name"], "run.glb");
    const std::string glb = download(job);
    EXPECT_EQ(glb.substr(0, 4), "glTF");
    EXPECT_NE(glb.find("\"ball\""), std::string::npos);
    EXPECT_NE(glb.find("\"frame_0003\""), std::string::npos);
}

TEST_F(ExportTest, MakesAPageThatPlaysOffline) {
    const int wave = opened_.open("wave.pc2")["item"];
    const Json job = done_job(page(), "export.html", {{"item", wave}});
    EXPECT_EQ(job["name"], "wave.html");
    const std::string html = download(job);
    EXPECT_NE(html.find("\"n_frames\":6"), std::string::npos);
    EXPECT_NE(html.find("id=\"frame-5-0\""), std::string::npos);
}

TEST_F(ExportTest, MakesAnArchiveOfNumberedPictures) {
    const int wave = opened_.open("wave.pc2")["item"];
    const Json job = done_job(page(), "export.pngs", pictures(wave));
    EXPECT_EQ(job["name"], "wave.zip");
    const std::string zip = download(job);
    EXPECT_EQ(zip.substr(0, 2), "PK");
    EXPECT_NE(zip.find("frame_0001.png"), std::string::npos);
    EXPECT_NE(zip.find("frame_0002.png"), std::string::npos);
    EXPECT_EQ(zip.find("frame_0003.png"), std::string::npos);
}

TEST_F(ExportTest, MakesAFilmOfEvenSides) {
    const int wave = opened_.open("wave.pc2")["item"];
    const Json job = finish_job(page(), "export.film", pictures(wave));
    if (job["state"] == "failed" && job["error"]["kind"] == "missing") {
        GTEST_SKIP() << "no ffmpeg on this machine";
    }
    ASSERT_EQ(job["state"], "done") << job;
    EXPECT_NE(download(job).substr(0, 64).find("ftyp"), std::string::npos);
}

TEST_F(ExportTest, RefusesWhatIsNotThereAndWhatNoPictureCanBeMadeOf) {
    const int wave = opened_.open("wave.pc2")["item"];
    EXPECT_EQ(kind_of_error("export.glb", {{"item", 99}}), "invalid");
    EXPECT_EQ(kind_of_error("export.html", Json::object()), "usage");
    EXPECT_EQ(kind_of_error("export.pngs", {{"item", wave}}), "usage");
    const auto with = [&](const char* key, const Json& value) {
        Json body = pictures(wave);
        body[key] = value;
        return kind_of_error("export.film", body);
    };
    EXPECT_EQ(with("width", 0), "usage");
    EXPECT_EQ(with("height", 100000), "usage");
    EXPECT_EQ(with("from", -1), "invalid");
    EXPECT_EQ(with("to", 6), "invalid");
    EXPECT_EQ(with("from", 3), "usage");
    EXPECT_EQ(with("camera", "there"), "usage");
    Json still = pictures(wave);
    still["camera"]["target"] = still["camera"]["position"];
    EXPECT_EQ(finish_job(page(), "export.pngs", still)["state"], "failed");
}

TEST_F(ExportTest, IsRefusedWhileAnotherJobRunsAndCanBeCancelled) {
    const int wave = opened_.open("wave.pc2")["item"];
    Json large = pictures(wave);
    large["width"] = 900;
    large["height"] = 900;
    large["from"] = 0;
    large["to"] = 5;
    page().ok("export.pngs", large);
    EXPECT_EQ(kind_of_error("export.glb", {{"item", wave}}), "busy");
    page().ok("job.cancel");
    const Json job = page().event("job", [](const Json& j) { return j["state"] != "running"; });
    EXPECT_EQ(job["state"], "cancelled");
    EXPECT_FALSE(job.contains("download"));
}

}  // namespace
}  // namespace toile::test
