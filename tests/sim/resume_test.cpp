// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/resume.h"

#include "small_scenes.h"
#include "support/captured_log.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/io/pc2.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/checkpoint.h"
#include "toile/sim/simulate.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace toile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::file_bytes;
using test::small_drape;
using test::TemporaryFolder;

/// A falling sheet that meets a ball; quick.
Scene tiny_drape(int frames) {
    Scene scene = small_drape(frames);
    scene.cloths[0].shape = test::rectangle(1, 1, 8);
    return scene;
}

void run_into(const fs::path& path, const Scene& scene) {
    World world(scene);
    RunFolder folder(path, world);
    EXPECT_EQ(simulate(world, folder).status, RunStatus::Done);
}

/// A run whose process is gone after `frames`.
void break_off(const fs::path& path, const Scene& scene, int frames) {
    World world(scene);
    RunFolder folder(path, world);
    for (int f = 0; f < frames; ++f) folder.append(world, world.step());
}

SimulateResult go_on(const fs::path& path, const ResumeOptions& options = {}) {
    const ResumedRun run = resume_run(path, options);
    return simulate(*run.world, *run.folder);
}

/// All files of a run by name, without what times change.
std::map<std::string, std::string> timeless_files(const fs::path& run) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        if (!entry.is_regular_file()) continue;
        const std::string name = fs::relative(entry.path(), run).string();
        std::string bytes = file_bytes(entry.path());
        const std::string file = entry.path().filename().string();
        if (file == "run.json") {
            json record = json::parse(bytes);
            for (const char* key : {"seconds", "peak_memory_bytes", "machine", "options"}) {
                record.erase(key);
            }
            bytes = record.dump();
        } else if (file == "frames.jsonl") {
            std::string lines;
            std::istringstream in(bytes);
            for (std::string line; std::getline(in, line);) {
                json frame = json::parse(line);
                frame.erase("seconds");
                lines += frame.dump() + '\n';
            }
            bytes = lines;
        }
        files[name] = bytes;
    }
    return files;
}

void expect_same_run(const fs::path& expected, const fs::path& found) {
    const auto a = timeless_files(expected), b = timeless_files(found);
    for (const auto& [name, bytes] : a) {
        ASSERT_TRUE(b.contains(name)) << name;
        EXPECT_TRUE(b.at(name) == bytes) << name;
    }
    EXPECT_EQ(a.size(), b.size());
}

TEST(Resume, ABrokenRunEndsInTheSameBytes) {
    const TemporaryFolder temporary;
    run_into(temporary / "whole", tiny_drape(14));
    for (const int n : {0, 3, 10, 13}) {
        const fs::path broken = temporary / ("broken" + std::to_string(n));
        break_off(broken, tiny_drape(14), n);
        EXPECT_EQ(go_on(broken).frames_done, 14);
        expect_same_run(temporary / "whole", broken);
    }
}

TEST(Resume, AnyNumberOfThreadsGoesOnToTheSameBytes) {
    const TemporaryFolder temporary;
    run_into(temporary / "whole", tiny_drape(8));
    for (const int n_threads : {1, 2, 3}) {
        const ThreadLimit limit(n_threads);
        const fs::path broken = temporary / ("broken" + std::to_string(n_threads));
        break_off(broken, tiny_drape(8), 4);
        go_on(broken);
        expect_same_run(temporary / "whole", broken);
    }
}

TEST(Resume, WhatAKillLeavesHalfWrittenIsCutOffAndDoneAgain) {
    const TemporaryFolder temporary;
    const fs::path whole = temporary / "whole", broken = temporary / "broken";
    run_into(whole, tiny_drape(8));
    World world(tiny_drape(8));
    {
        RunFolder folder(broken, world);
        for (int f = 0; f < 5; ++f) folder.append(world, world.step());
    }
    // Frame 6 has come as far as the first body, a bit of the second, and half of its line.
    ASSERT_FALSE(world.step().failure);
    Pc2Appender::resume(broken / "cloth.pc2", world.mesh(0).n_vertices(), 6)
        .write(world.positions(0));
    std::ofstream(broken / "ball.pc2", std::ios::app) << "some bytes";
    std::ofstream(broken / "frames.jsonl", std::ios::app) << "{\"frame\":6,\"ti";
    std::ofstream(broken / "state" / ".frame_000006.state.77-1.tmp") << "half";
    std::ofstream(broken / ".run.json.77-2.tmp") << "half";
    go_on(broken);
    expect_same_run(whole, broken);
}

TEST(Resume, AStateOfTheFrameThatHasNoLineYetIsNotUsed) {
    const TemporaryFolder temporary;
    const fs::path whole = temporary / "whole", broken = temporary / "broken";
    run_into(whole, tiny_drape(6));
    World world(tiny_drape(6));
    {
        RunFolder folder(broken, world);
        for (int f = 0; f < 3; ++f) folder.append(world, world.step());
    }
    ASSERT_FALSE(world.step().failure);
    const Checkpoint last = read_checkpoint(broken / "state/frame_000003.state");
    write_checkpoint(broken / "state/frame_000004.state", {last.scene_hash, world.state()});
    go_on(broken);
    expect_same_run(whole, broken);
}

TEST(Resume, ADamagedStateGivesWayToTheOneBeforeIt) {
    const TemporaryFolder temporary;
    const fs::path whole = temporary / "whole", broken = temporary / "broken";
    run_into(whole, tiny_drape(16));
    break_off(broken, tiny_drape(16), 13);
    std::string bytes = file_bytes(broken / "state/frame_000013.state");
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(broken / "state/frame_000013.state", std::ios::binary) << bytes;
    const test::CapturedLog log;
    go_on(broken);
    expect_same_run(whole, broken);
    ASSERT_EQ(log.warnings.size(), 2u);
    EXPECT_NE(log.warnings[0].find("checksum"), std::string::npos);
    EXPECT_NE(log.warnings[1].find("Frames 11 to 13 are done again"), std::string::npos);
}

TEST(Resume, WithoutAnyStateTheRunIsDoneAgainFromItsStart) {
    const TemporaryFolder temporary;
    const fs::path whole = temporary / "whole", broken = temporary / "broken";
    run_into(whole, tiny_drape(6));
    break_off(broken, tiny_drape(6), 4);
    fs::remove_all(broken / "state");
    fs::create_directory(broken / "state");
    const test::CapturedLog log;
    go_on(broken);
    for (const char* name : {"cloth.pc2", "frames.jsonl"}) {
        EXPECT_EQ(timeless_files(whole)[name], timeless_files(broken)[name]) << name;
    }
}

TEST(Resume, ARunIsMadeLonger) {
    const TemporaryFolder temporary;
    run_into(temporary / "whole", tiny_drape(12));
    run_into(temporary / "short", tiny_drape(7));
    EXPECT_EQ(go_on(temporary / "short").frames_done, 7);  // nothing to do
    EXPECT_EQ(go_on(temporary / "short", {.frames = 12}).frames_done, 12);
    expect_same_run(temporary / "whole", temporary / "short");
    EXPECT_THROW(go_on(temporary / "short", {.frames = 3}), InvalidInput);
    expect_same_run(temporary / "whole", temporary / "short");
}

TEST(Resume, AChangedSceneKeepsEarlierFramesAndSetsTheOthersAside) {
    const TemporaryFolder temporary;
    const fs::path run = temporary / "run", old_run = temporary / "old";
    run_into(run, tiny_drape(12));
    run_into(old_run, tiny_drape(12));
    Scene changed = tiny_drape(12);
    changed.settings.gravity = {0, 0, -9.81};
    const ResumedRun resumed = resume_run(run, {.scene = changed, .from = 6});
    EXPECT_EQ(resumed.set_aside, run / "before-resume-1");
    EXPECT_EQ(simulate(*resumed.world, *resumed.folder).frames_done, 12);

    Pc2Source now(run / "cloth.pc2"), before(old_run / "cloth.pc2");
    Pc2Source aside(run / "before-resume-1" / "cloth.pc2");
    ASSERT_EQ(now.n_frames(), 13);
    ASSERT_EQ(aside.n_frames(), 7);
    EXPECT_EQ(aside.header().start, 6);
    std::vector<Vec3> a(now.n_vertices()), b = a, c = a;
    for (int f = 0; f <= 12; ++f) {
        ASSERT_TRUE(now.next(a) && before.next(b));
        EXPECT_EQ(a == b, f < 6) << f;
        if (f < 6) continue;
        ASSERT_TRUE(aside.next(c));
        EXPECT_EQ(b, c);
    }
    EXPECT_EQ(file_bytes(run / "before-resume-1" / "scene.toml"),
              file_bytes(old_run / "scene.toml"));
    EXPECT_EQ(load_scene(run / "scene.toml").settings.gravity, changed.settings.gravity);
    EXPECT_EQ(read_run_record(run).scene_from, 5);
}

TEST(Resume, AChangedRunThatIsBrokenGoesOnToTheSameBytes) {
    const TemporaryFolder temporary;
    Scene changed = tiny_drape(12);
    changed.settings.gravity = {0, 0, -9.81};
    for (const char* name : {"whole", "broken"}) {
        run_into(temporary / name, tiny_drape(8));
        const ResumedRun run =
            resume_run(temporary / name, {.scene = changed, .from = 6, .frames = 12});
        if (name == std::string("whole")) {
            simulate(*run.world, *run.folder);
        } else {
            for (int f = 0; f < 2; ++f) run.folder->append(*run.world, run.world->step());
        }
    }
    // The newest state is damaged: the one at which the changed scene began is the one before it.
    std::ofstream(temporary / "broken" / "state/frame_000007.state") << "damaged";
    const test::CapturedLog log;
    go_on(temporary / "broken");
    auto expected = timeless_files(temporary / "whole"),
         found = timeless_files(temporary / "broken");
    EXPECT_EQ(expected, found);
}

TEST(Resume, AChangeThatWasCutShortAfterItsSceneGoesOn) {
    const TemporaryFolder temporary;
    const fs::path run = temporary / "run", cut = temporary / "cut";
    Scene changed = tiny_drape(8);
    changed.settings.gravity = {0, 0, -9.81};
    for (const fs::path& path : {run, cut}) run_into(path, tiny_drape(8));
    const std::string record = file_bytes(cut / "run.json");
    for (const fs::path& path : {run, cut}) resume_run(path, {.scene = changed, .from = 4});
    std::ofstream(cut / "run.json") << record;  // as if the kill came before run.json
    go_on(run);
    go_on(cut);
    EXPECT_EQ(file_bytes(run / "cloth.pc2"), file_bytes(cut / "cloth.pc2"));
    EXPECT_EQ(file_bytes(run / "scene.toml"), file_bytes(cut / "scene.toml"));
}

TEST(Resume, OtherBodiesAreRefusedAndNothingIsTouched) {
    const TemporaryFolder temporary;
    const fs::path run = temporary / "run";
    run_into(run, tiny_drape(4));
    const auto before = timeless_files(run);
    struct Case {
        const char* words;
        void (*change)(Scene&);
    };
    const Case cases[] = {
        {"has 2 bodies", [](Scene& s) { s.obstacles.pop_back(); }},
        {"'towel'", [](Scene& s) { s.cloths[0].name = "towel"; }},
        {"100 vertices", [](Scene& s) { s.cloths[0].shape = test::rectangle(1, 1, 9); }},
        {"elsewhere",
         [](Scene& s) {
             s.obstacles[0].translation = {0, -0.1, 0};
         }},
        {"frame_rate = 50", [](Scene& s) { s.settings.frame_rate = 50; }},
    };
    for (const Case& c : cases) {
        Scene changed = tiny_drape(4);
        c.change(changed);
        try {
            resume_run(run, {.scene = changed, .from = 2});
            FAIL() << c.words;
        } catch (const InvalidInput& e) {
            EXPECT_NE(std::string(e.what()).find(c.words), std::string::npos) << e.what();
        }
    }
    for (const int from : {0, 6}) {
        EXPECT_THROW(resume_run(run, {.scene = tiny_drape(9), .from = from}), InvalidInput);
    }
    EXPECT_THROW(resume_run(run, {.from = 2}), InvalidInput);
    EXPECT_EQ(timeless_files(run), before);
}

TEST(Resume, ASceneFileThatWasEditedIsNoticed) {
    const TemporaryFolder temporary;
    const fs::path run = temporary / "run";
    break_off(run, tiny_drape(6), 3);
    Scene scene = load_scene(run / "scene.toml");
    scene.settings.gravity = {0, -1, 0};
    std::ofstream(run / "scene.toml") << scene_text(scene, run);
    try {
        go_on(run);
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("not the scene that the run was made with"),
                  std::string::npos)
            << e.what();
    }
}

TEST(Resume, PositionsThatDoNotComeOutAsWrittenAreNoticed) {
    const TemporaryFolder temporary;
    const fs::path run = temporary / "run";
    break_off(run, tiny_drape(6), 3);
    Pc2Source source(run / "cloth.pc2");
    std::vector<Vec3> last(source.n_vertices());
    while (source.next(last)) {
    }
    last[0].x() += 1e-3;
    Pc2Appender::resume(run / "cloth.pc2", source.n_vertices(), 3).write(last);
    EXPECT_THROW(go_on(run), ComputationFailed);
}

TEST(Resume, WithoutTheFolderOfStatesTheRunIsDoneAgainToo) {
    const TemporaryFolder temporary;
    break_off(temporary / "run", tiny_drape(6), 4);
    fs::remove_all(temporary / "run/state");
    const test::CapturedLog log;
    EXPECT_THROW(go_on(temporary / "run", {.frames = 2}), InvalidInput);
    EXPECT_FALSE(fs::exists(temporary / "run/state"));
    EXPECT_EQ(go_on(temporary / "run").status, RunStatus::Done);
}

TEST(Resume, NothingIsAddedToFramesThatAreNotFinite) {
    const TemporaryFolder temporary;
    break_off(temporary / "run", tiny_drape(6), 4);
    {
        std::fstream file(temporary / "run/cloth.pc2",
                          std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(32 + 3 * 4 * 81 + 8);  // in frame 1
        file.write("\0\0\xc0\x7f", 4);
    }
    try {
        resume_run(temporary / "run");
        FAIL() << "The damaged frame was taken.";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("cloth.pc2"), std::string::npos) << e.what();
    }
}

TEST(Resume, WithoutItsListOfFramesARunIsNotCalledEmpty) {
    const TemporaryFolder temporary;
    run_into(temporary / "run", tiny_drape(3));
    fs::remove(temporary / "run/frames.jsonl");
    try {
        resume_run(temporary / "run");
        FAIL() << "The run was taken.";
    } catch (const InvalidInput& e) {
        const std::string message = e.what();
        EXPECT_NE(message.find("frames.jsonl"), std::string::npos) << message;
        EXPECT_EQ(message.find("--force"), std::string::npos) << message;
    }
}

TEST(Resume, WhatIsNoRunIsRefused) {
    const TemporaryFolder temporary;
    EXPECT_THROW(resume_run(temporary / "none"), IoError);
    fs::create_directory(temporary / "empty");
    EXPECT_THROW(resume_run(temporary / "empty"), IoError);
    break_off(temporary / "early", tiny_drape(2), 0);
    fs::resize_file(temporary / "early" / "frames.jsonl", 0);
    EXPECT_THROW(resume_run(temporary / "early"), InvalidInput);
    World world(tiny_drape(2));
    const RunFolder folder(temporary / "held", world);
    EXPECT_THROW(resume_run(temporary / "held"), IoError);
}

}  // namespace
}  // namespace toile
