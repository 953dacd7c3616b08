// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_folder.h"

#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/core/parallel.h"
#include "toile/io/mesh_file.h"
#include "toile/io/pc2.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/run_check.h"
#include "toile/sim/simulate.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace toile {
namespace {

using nlohmann::json;
using test::file_bytes;
using test::small_drape;
using test::TemporaryFolder;

SimulateResult run_into(const std::filesystem::path& path, const Scene& scene,
                        const RunFolderOptions& options = {}) {
    World world(scene);
    RunFolder folder(path, world, options);
    return simulate(world, folder);
}

std::vector<json> frame_lines(const std::filesystem::path& run) {
    std::istringstream in(file_bytes(run / "frames.jsonl"));
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    return lines;
}

TEST(RunFolder, HoldsAllThatTheRunWas) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    World world(small_drape(12));
    RunFolder folder(run, world);
    EXPECT_EQ(simulate(world, folder).status, RunStatus::Done);

    const RunRecord record = read_run_record(run);
    EXPECT_EQ(record.status, RunStatus::Done);
    EXPECT_EQ(record.frames_done, 12);
    ASSERT_EQ(record.bodies.size(), 3u);
    EXPECT_EQ(record.bodies[0].name, "cloth");
    EXPECT_TRUE(record.bodies[2].obstacle);

    const std::vector<json> lines = frame_lines(run);
    ASSERT_EQ(lines.size(), 13u);
    EXPECT_EQ(lines[12]["frame"], 12);
    EXPECT_GE(lines[12]["steps"], 8);
    EXPECT_GT(lines[12]["contacts"], 0);

    for (const char* name : {"cloth", "ball", "floor"}) {
        Pc2Source source(run / (std::string(name) + ".pc2"));
        EXPECT_EQ(source.n_frames(), 13);
        const TriangleMesh mesh = read_mesh(run / (std::string(name) + ".obj"));
        EXPECT_EQ(mesh.n_vertices(), source.n_vertices());
    }
    EXPECT_EQ(read_mesh(run / "cloth.obj").positions, world.mesh(0).positions);
    EXPECT_TRUE(read_mesh(run / "cloth.obj").has_uvs());

    Pc2Source source(run / "cloth.pc2");
    std::vector<Vec3> last(source.n_vertices());
    while (source.next(last)) {
    }
    for (size_t v = 0; v < last.size(); ++v) {
        EXPECT_EQ(last[v], world.positions(0)[v].cast<float>().cast<double>());
    }
    EXPECT_TRUE(read_checkpoint(run / "state/frame_000012.state").state == world.state());
    EXPECT_TRUE(std::filesystem::exists(run / "state/frame_000010.state"));
    EXPECT_FALSE(std::filesystem::exists(run / "state/frame_000011.state"));
}

TEST(RunFolder, ReadBackHoldsNoCrossing) {
    const TemporaryFolder temporary;
    run_into(temporary / "run", small_drape(20));
    const RunCheck check = check_run(temporary / "run");
    ASSERT_EQ(check.frames.size(), 21u);
    EXPECT_TRUE(check.is_clean());
    for (const FrameCheck& frame : check.frames) {
        EXPECT_GT(frame.smallest_gap, 0);
        EXPECT_LT(frame.largest_strain, 0.5);
    }
}

TEST(RunFolder, ItsSceneRunsAloneToTheSameBytes) {
    const TemporaryFolder temporary;
    run_into(temporary / "run", small_drape(6));
    run_into(temporary / "again", load_scene(temporary / "run" / "scene.toml"));
    for (const char* name :
         {"cloth.pc2", "ball.pc2", "cloth.obj", "scene.toml", "state/frame_000006.state"}) {
        EXPECT_EQ(file_bytes(temporary / "run" / name), file_bytes(temporary / "again" / name))
            << name;
    }
}

TEST(RunFolder, AnyNumberOfThreadsWritesTheSameBytes) {
    const TemporaryFolder temporary;
    for (const int n_threads : {1, 2, 3}) {
        const ThreadLimit limit(n_threads);
        run_into(temporary / std::to_string(n_threads), small_drape(10));
    }
    for (const char* other : {"2", "3"}) {
        for (const char* name : {"cloth.pc2", "ball.pc2", "floor.pc2", "cloth.obj", "scene.toml",
                                 "state/frame_000010.state"}) {
            EXPECT_EQ(file_bytes(temporary / "1" / name), file_bytes(temporary / other / name))
                << name << " with " << other << " threads";
        }
        std::vector<json> expected = frame_lines(temporary / "1");
        std::vector<json> found = frame_lines(temporary / other);
        for (json& line : expected) line.erase("seconds");
        for (json& line : found) line.erase("seconds");
        EXPECT_EQ(expected, found);
    }
}

TEST(RunFolder, ARunThatIsKilledLeavesEveryFinishedFrameReadable) {
    const TemporaryFolder temporary;
    World world(small_drape(9));
    {
        RunFolder folder(temporary / "run", world);
        for (int f = 0; f < 3; ++f) folder.append(world, world.step());
    }  // no finish(): the process is gone
    const RunRecord record = read_run_record(temporary / "run");
    EXPECT_EQ(record.status, RunStatus::Running);
    EXPECT_EQ(frame_lines(temporary / "run").size(), 4u);
    EXPECT_TRUE(check_run(temporary / "run").is_clean());
    EXPECT_TRUE(read_checkpoint(temporary / "run" / "state/frame_000003.state").state ==
                world.state());
}

TEST(RunFolder, ARunThatIsKilledBetweenTwoBodiesEndsBeforeThatFrame) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    World world(small_drape(9));
    {
        RunFolder folder(run, world);
        for (int f = 0; f < 3; ++f) folder.append(world, world.step());
    }
    ASSERT_FALSE(world.step().failure);
    Pc2Appender::resume(run / "cloth.pc2", world.mesh(0).n_vertices(), 4).write(world.positions(0));
    const std::vector<std::string> names = {"cloth", "ball", "floor"};
    EXPECT_EQ(whole_frames(run, names), 4);
    const RunCheck check = check_run(run);
    EXPECT_EQ(check.frames.size(), 4u);
    EXPECT_TRUE(check.is_clean());

    Pc2Appender::resume(run / "floor.pc2", world.mesh(2).n_vertices(), 2);
    EXPECT_THROW(check_run(run), InvalidInput);  // no kill leaves that
}

TEST(RunFolder, AFrameThatCannotBeWrittenLeavesNothingAndCanBeTriedAgain) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    const auto in_the_way = run / "state/frame_000002.state";
    World world(small_drape(9));
    {
        RunFolder folder(run, world);
        folder.append(world, world.step());
        std::filesystem::create_directories(in_the_way / "x");
        const FrameReport second = world.step();
        for (int attempt = 0; attempt < 2; ++attempt) {
            EXPECT_THROW(folder.append(world, second), IoError);
            for (const char* name : {"cloth.pc2", "ball.pc2", "floor.pc2"}) {
                EXPECT_EQ(Pc2Source(run / name).n_frames(), 2) << name;
            }
            EXPECT_EQ(frame_lines(run).size(), 2u);
        }
        std::filesystem::remove_all(in_the_way);
        folder.append(world, second);
        folder.append(world, world.step());
    }
    World straight(small_drape(9));
    {
        RunFolder folder(temporary / "straight", straight);
        for (int f = 0; f < 3; ++f) folder.append(straight, straight.step());
    }
    for (const char* name : {"cloth.pc2", "ball.pc2", "floor.pc2", "state/frame_000003.state"}) {
        EXPECT_EQ(file_bytes(run / name), file_bytes(temporary / "straight" / name)) << name;
    }
    EXPECT_EQ(frame_lines(run).size(), 4u);
}

TEST(RunFolder, ABodyOfAnEndedRunThatLacksAFrameIsAFault) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    run_into(run, small_drape(2));
    Pc2Source source(run / "ball.pc2");
    Pc2Appender::resume(run / "ball.pc2", source.n_vertices(), 2);
    EXPECT_THROW(check_run(run), InvalidInput);
}

TEST(RunFolder, OnlyRunsAreReplacedAndOnlyOnDemand) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    run_into(run, small_drape(2));
    EXPECT_THROW(run_into(run, small_drape(1)), IoError);
    EXPECT_EQ(read_run_record(run).frames_done, 2);
    std::ofstream(run / "picture.png") << "of someone";
    run_into(run, small_drape(1), {.overwrite = true});
    EXPECT_EQ(read_run_record(run).frames_done, 1);
    EXPECT_FALSE(std::filesystem::exists(run / "state/frame_000002.state"));
    EXPECT_EQ(file_bytes(run / "picture.png"), "of someone");

    std::filesystem::create_directories(temporary / "mine");
    std::ofstream(temporary / "mine" / "thesis.txt") << "text";
    EXPECT_THROW(run_into(temporary / "mine", small_drape(1), {.overwrite = true}), IoError);
    std::ofstream(temporary / "mine" / "run.json") << "{\"program\": \"other\"}";
    EXPECT_THROW(run_into(temporary / "mine", small_drape(1), {.overwrite = true}), IoError);
    EXPECT_EQ(file_bytes(temporary / "mine" / "thesis.txt"), "text");
}

TEST(RunFolder, TwoJobsCannotWriteOneFolder) {
    const TemporaryFolder temporary;
    World world(small_drape(3));
    RunFolder folder(temporary / "run", world);
    EXPECT_THROW(run_into(temporary / "run", small_drape(1), {.overwrite = true}), IoError);
    EXPECT_EQ(simulate(world, folder).status, RunStatus::Done);
    EXPECT_EQ(frame_lines(temporary / "run").size(), 4u);
}

TEST(RunFolder, ARecordThatNamesFilesElsewhereRemovesNone) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    std::ofstream(temporary / "mine.obj") << "v 0 0 0";
    run_into(run, small_drape(1));
    const std::string record = file_bytes(run / "run.json");
    for (const std::string name : {"../mine", "..", "", "a/../../mine"}) {
        json changed = json::parse(record);
        changed["bodies"][0]["name"] = name;
        std::ofstream(run / "run.json") << changed;
        EXPECT_THROW(run_into(run, small_drape(1), {.overwrite = true}), IoError) << name;
        EXPECT_EQ(file_bytes(temporary / "mine.obj"), "v 0 0 0");
        EXPECT_TRUE(std::filesystem::exists(run / "cloth.pc2"));
    }
}

TEST(RunFolder, ARunThatCannotBeginLeavesNothing) {
    const TemporaryFolder temporary;
    Scene scene = small_drape(1);
    scene.cloths[0].name = std::string(300, 'a');  // longer than any file's name
    EXPECT_THROW(run_into(temporary / "run", scene), IoError);
    EXPECT_TRUE(std::filesystem::is_empty(temporary / "."));
    std::filesystem::create_directories(temporary / "run");
    EXPECT_THROW(run_into(temporary / "run", scene), IoError);
    EXPECT_TRUE(std::filesystem::is_empty(temporary / "run"));
}

TEST(RunFolder, AnEmptyNameIsNoFolder) {
    EXPECT_THROW(run_into("", small_drape(1)), IoError);
    EXPECT_FALSE(std::filesystem::exists("run.json"));
}

TEST(RunFolder, AReplacedRunLeavesNoHalfWrittenState) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    run_into(run, small_drape(1));
    std::ofstream(run / "state" / ".frame_000001.state.123-4.tmp") << "half";
    run_into(run, small_drape(1), {.overwrite = true});
    EXPECT_FALSE(std::filesystem::exists(run / "state" / ".frame_000001.state.123-4.tmp"));
}

TEST(Simulate, ARequestToStopEndsAfterTheFrame) {
    const TemporaryFolder temporary;
    World world(small_drape(9));
    RunFolder folder(temporary / "run", world);
    Cancellation cancellation;
    const ProgressCallback stop_at_two = [&](int done, int total, const std::string&) {
        EXPECT_EQ(total, 9);
        if (done == 2) cancellation.request();
    };
    const SimulateResult result =
        simulate(world, folder, {.cancellation = &cancellation, .progress = stop_at_two});
    EXPECT_EQ(result.status, RunStatus::Interrupted);
    EXPECT_EQ(result.frames_done, 2);
    EXPECT_EQ(read_run_record(temporary / "run").status, RunStatus::Interrupted);
    EXPECT_TRUE(std::filesystem::exists(temporary / "run" / "state/frame_000002.state"));
}

TEST(Simulate, WarnsOfAStrainThatNoClothHas) {
    const TemporaryFolder temporary;
    std::string told;
    const LogSink sink = set_log_sink([&](LogLevel, const std::string& text) { told += text; });
    const SimulateResult calm = run_into(temporary / "calm", small_drape(2));
    EXPECT_LT(calm.largest_strain, kMostPlausibleStrain);
    EXPECT_EQ(told, "");

    Scene scene;
    scene.settings.frames = 25;
    scene.cloths = {test::square_cloth(0.5, 2, {0, 0, 0})};
    scene.cloths[0].pins.resize(2);
    scene.cloths[0].pins[0].vertices = {0};
    scene.cloths[0].pins[1].vertices = {8};
    scene.cloths[0].pins[1].velocity = {0.6, 0, 0.6};
    const SimulateResult torn = run_into(temporary / "torn", scene);
    set_log_sink(sink);
    EXPECT_EQ(torn.status, RunStatus::Done);
    EXPECT_GT(torn.largest_strain, kMostPlausibleStrain);
    EXPECT_EQ(torn.strain_frame, 25);
    EXPECT_NE(told.find("in frame 25"), std::string::npos) << told;
}

TEST(RunCheck, FindsCrossingsThatAreInTheFiles) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    run_into(run, small_drape(3));
    // Moves every vertex of the last frame down into the ball.
    Pc2Source source(run / "cloth.pc2");
    std::vector<Vec3> last(source.n_vertices());
    while (source.next(last)) {
    }
    for (Vec3& x : last) x.y() -= 0.2;
    Pc2Appender::resume(run / "cloth.pc2", source.n_vertices(), 3).write(last);
    const RunCheck check = check_run(run);
    EXPECT_EQ(check.n_bad_frames, 1);
    EXPECT_GT(check.frames[3].n_crossings, 0);
    EXPECT_GT(check.frames[3].n_inside, 0);
    ASSERT_FALSE(check.frames[3].crossing_sentences.empty());
    EXPECT_NE(check.frames[3].crossing_sentences[0].find("'ball'"), std::string::npos);
}

TEST(RunCheck, WhatStartsInsideIsNoNews) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    Scene scene = small_drape(1);
    scene.cloths[0].shape = test::rectangle(0.1, 0.1, 2);
    scene.cloths[0].translation = {0, 0, 0};
    scene.cloths[0].pins.resize(1);
    scene.cloths[0].pins[0].vertices = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    run_into(run, scene);
    const RunCheck check = check_run(run);
    EXPECT_TRUE(check.is_clean());
    ASSERT_EQ(check.frames.size(), 2u);
    for (const FrameCheck& frame : check.frames) {
        EXPECT_EQ(frame.n_inside, 0);
        EXPECT_EQ(frame.n_inside_since_start, 9);
    }
}

TEST(RunCheck, TellsHowFarARunThatHasNotEndedCame) {
    const TemporaryFolder temporary;
    const auto run = temporary / "run";
    {
        World world(small_drape(9));
        RunFolder folder(run, world);
        folder.append(world, world.step());
    }
    const RunCheck check = check_run(run);
    EXPECT_TRUE(check.is_clean());
    EXPECT_FALSE(check.is_complete());
    EXPECT_EQ(check.status, RunStatus::Running);
    EXPECT_EQ(check.frames_asked, 9);
    EXPECT_EQ(check.frames.size(), 2u);
}

TEST(RunRecord, BrokenRecordsAreRefused) {
    RunRecord record;
    record.bodies = {{"cloth", false, 3, 1}};
    const std::string text = run_json(record);
    EXPECT_EQ(parse_run_json(text, "a").bodies.size(), 1u);
    for (size_t n = 0; n + 2 < text.size(); ++n) {
        EXPECT_THROW(parse_run_json(text.substr(0, n), "a"), InvalidInput);
    }
    EXPECT_THROW(parse_run_json("[]", "a"), InvalidInput);
    EXPECT_THROW(parse_run_json("{\"program\": 3}", "a"), InvalidInput);
}

}  // namespace
}  // namespace toile
