// SPDX-License-Identifier: Apache-2.0
// simulate and resume as a user meets them: talk, exit codes, and what is on the disk afterwards.
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

namespace toile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::ProgramResult;
using test::run_toile;

const char* kScene = R"(
[scene]
frame_rate = 25
frames = FRAMES

[[cloth]]
name = "cloth"
shape = { type = "rectangle", width = 1, length = 1, divisions = [8, 8] }
translation = [0, HEIGHT, 0]
fabric = "cotton"

[[obstacle]]
name = "ball"
shape = { type = "sphere", radius = 0.25, subdivisions = 2 }
)";

class RunVerbs : public testing::Test {
  protected:
    RunVerbs() { write_scene("scene.toml", 6, "0.27"); }

    void write_scene(const std::string& name, int frames, const std::string& height) const {
        std::string text = kScene;
        text.replace(text.find("FRAMES"), 6, std::to_string(frames));
        text.replace(text.find("HEIGHT"), 6, height);
        std::ofstream(folder_ / name) << text;
    }

    [[nodiscard]] ProgramResult toile(const std::vector<std::string>& arguments) const {
        return run_toile(arguments, folder_.path());
    }

    [[nodiscard]] int n_lines() const {
        const fs::path path = folder_ / "run/frames.jsonl";
        if (!fs::exists(path)) return 0;
        const std::string text = read_bytes(path);
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }

    [[nodiscard]] std::string status() const {
        return json::parse(read_bytes(folder_ / "run/run.json"))["status"];
    }

    /// Starts a long simulation; `prepare` runs in the child.
    template <class Prepare>
    [[nodiscard]] pid_t start_long_run(const Prepare& prepare) const {
        write_scene("long.toml", 100000, "0.27");
        const pid_t child = ::fork();
        if (child != 0) return child;
        if (::chdir(folder_.path().c_str()) != 0) ::_exit(127);
        if (!std::freopen("errors.txt", "w", stderr)) ::_exit(127);
        prepare();
        ::execl(TOILE_PROGRAM, TOILE_PROGRAM, "simulate", "long.toml", "-o", "run", nullptr);
        ::_exit(127);
    }

    void wait_for_frames(int n) const {
        while (n_lines() < n) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

    static int exit_code(pid_t child) {
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    [[nodiscard]] std::string errors() const { return read_bytes(folder_ / "errors.txt"); }

    [[nodiscard]] int resumed_frames() const {
        const ProgramResult resumed =
            toile({"resume", "run", "--json", "-q", "--frames", std::to_string(n_lines() + 1)});
        EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
        return resumed.exit_code == 0 ? json::parse(resumed.output)["frames"].get<int>() : -1;
    }

    test::TemporaryFolder folder_;
};

TEST_F(RunVerbs, ARunTalksOnStandardErrorAndAnswersInJsonOnDemand) {
    const ProgramResult talked = toile({"simulate", "scene.toml", "-o", "run"});
    EXPECT_EQ(talked.exit_code, 0) << talked.errors;
    EXPECT_TRUE(talked.output.empty());
    EXPECT_NE(talked.errors.find("frame 6/6"), std::string::npos) << talked.errors;
    EXPECT_NE(talked.errors.find("Wrote 6 frames into run"), std::string::npos);
    const ProgramResult quiet = toile({"simulate", "scene.toml", "-o", "two", "-q", "--json"});
    EXPECT_TRUE(quiet.errors.empty()) << quiet.errors;
    EXPECT_EQ(json::parse(quiet.output)["status"], "done");
    EXPECT_EQ(json::parse(quiet.output)["frames"], 6);
}

TEST_F(RunVerbs, AFinishedRunHasNothingToResumeButCanBeMadeLonger) {
    ASSERT_EQ(toile({"simulate", "scene.toml", "-o", "run"}).exit_code, 0);
    const ProgramResult nothing = toile({"resume", "run/"});
    EXPECT_EQ(nothing.exit_code, 0);
    EXPECT_NE(nothing.errors.find("All 6 frames are there"), std::string::npos) << nothing.errors;
    EXPECT_EQ(toile({"resume", "run", "--frames", "8"}).exit_code, 0);
    EXPECT_EQ(n_lines(), 9);
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
}

TEST_F(RunVerbs, AChangedSceneTakesOverFromItsFrame) {
    ASSERT_EQ(toile({"simulate", "scene.toml", "-o", "run"}).exit_code, 0);
    write_scene("other.toml", 6, "0.28");
    const ProgramResult moved = toile({"resume", "run", "--scene", "other.toml", "--from", "3"});
    EXPECT_EQ(moved.exit_code, 3);
    EXPECT_NE(moved.errors.find("'cloth' elsewhere"), std::string::npos) << moved.errors;
    std::ofstream(folder_ / "changed.toml")
        << "[air]\nwind = [3, 0, 0]\nair_drag = 0.5\n" + read_bytes(folder_ / "scene.toml");
    const ProgramResult changed =
        toile({"resume", "run", "--scene", "changed.toml", "--from", "3"});
    EXPECT_EQ(changed.exit_code, 0) << changed.errors;
    EXPECT_NE(changed.errors.find("before-resume-1"), std::string::npos) << changed.errors;
    EXPECT_TRUE(fs::exists(folder_ / "run/before-resume-1/cloth.pc2"));
    EXPECT_EQ(n_lines(), 7);
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
    EXPECT_EQ(toile({"resume", "run", "--from", "3"}).exit_code, 2);
    EXPECT_EQ(toile({"resume", "run", "--scene", "none.toml"}).exit_code, 4);
}

TEST_F(RunVerbs, WhatIsNoRunIsNotResumed) {
    const ProgramResult none = toile({"resume", "nothing"});
    EXPECT_EQ(none.exit_code, 4);
    EXPECT_NE(none.errors.find("no run.json"), std::string::npos) << none.errors;
    EXPECT_EQ(toile({"resume"}).exit_code, 2);
}

TEST_F(RunVerbs, CtrlCLeavesARunThatGoesOn) {
    for (const int signal : {SIGINT, SIGTERM}) {
        fs::remove_all(folder_ / "run");
        const pid_t child = start_long_run([] {});
        wait_for_frames(3);
        ::kill(child, signal);
        EXPECT_EQ(exit_code(child), 130);
        EXPECT_EQ(status(), "interrupted");
        EXPECT_NE(errors().find("`toile resume run` goes on"), std::string::npos) << errors();
        const int n = n_lines();
        EXPECT_EQ(resumed_frames(), n + 1);
    }
}

TEST_F(RunVerbs, AKilledRunGoesOn) {
    const pid_t child = start_long_run([] {});
    wait_for_frames(3);
    ::kill(child, SIGKILL);
    EXPECT_EQ(exit_code(child), 128 + SIGKILL);
    EXPECT_EQ(status(), "running");
    const int n = n_lines();
    EXPECT_EQ(resumed_frames(), n + 1);
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
}

TEST_F(RunVerbs, AFileSizeLimitEndsWithASentenceAndEveryFinishedFrame) {
    const pid_t child = start_long_run([] {
        const rlimit limit = {40000, 40000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    EXPECT_EQ(exit_code(child), 4);
    EXPECT_NE(errors().find("File too large"), std::string::npos) << errors();
    EXPECT_NE(errors().find("are whole in"), std::string::npos) << errors();
    EXPECT_NE(errors().find("`toile resume run` goes on"), std::string::npos) << errors();
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
    const int n = n_lines();
    ASSERT_GT(n, 2);
    EXPECT_EQ(resumed_frames(), n + 1);
}

TEST_F(RunVerbs, AFullDiskEndsWithASentenceAndEveryFinishedFrame) {
    const fs::path disk = folder_ / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
        GTEST_SKIP() << "no right to mount a small disk";
    }
    fs::create_directory_symlink("disk/run", folder_ / "run");
    fs::create_directory(disk / "run");
    const pid_t child = start_long_run([] {});
    EXPECT_EQ(exit_code(child), 4);
    EXPECT_NE(errors().find("No space left on device"), std::string::npos) << errors();
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
    const int n = n_lines();
    EXPECT_GT(n, 2);
    fs::create_directory(folder_ / "room");
    fs::copy(disk / "run", folder_ / "room" / "run", fs::copy_options::recursive);
    ::umount(disk.c_str());
    fs::remove(folder_ / "run");
    fs::rename(folder_ / "room" / "run", folder_ / "run");
    EXPECT_EQ(resumed_frames(), n + 1);
}

TEST_F(RunVerbs, ARunFolderThatIsTakenAwayEndsWithASentence) {
    for (const bool renamed : {false, true}) {
        const pid_t child = start_long_run([] {});
        wait_for_frames(3);
        fs::rename(folder_ / "run", folder_ / "moved");
        if (!renamed) fs::remove_all(folder_ / "moved");
        EXPECT_EQ(exit_code(child), 4);
        EXPECT_NE(errors().find("was removed or renamed"), std::string::npos) << errors();
        EXPECT_FALSE(fs::exists(folder_ / "run"));
    }
    fs::rename(folder_ / "moved", folder_ / "run");
    const int n = n_lines();
    EXPECT_EQ(resumed_frames(), n + 1);
    EXPECT_EQ(toile({"check", "run"}).exit_code, 0);
}

TEST_F(RunVerbs, IterationsAndTracesAreWrittenOnDemandAndChangeNothing) {
    ASSERT_EQ(toile({"simulate", "scene.toml", "-o", "plain"}).exit_code, 0);
    const ProgramResult traced = toile(
        {"simulate", "scene.toml", "-o", "run", "--save-iterations", "iterations", "--trace", "6"});
    ASSERT_EQ(traced.exit_code, 0) << traced.errors;
    EXPECT_EQ(read_bytes(folder_ / "plain/cloth.pc2"), read_bytes(folder_ / "run/cloth.pc2"));
    EXPECT_EQ(json::parse(read_bytes(folder_ / "run/trace/frame_000006.json"))["frame"], 6);
    EXPECT_FALSE(fs::is_empty(folder_ / "iterations"));
    EXPECT_EQ(toile({"simulate", "scene.toml", "-o", "again", "--save-iterations", "iterations"})
                  .exit_code,
              4);
}

TEST_F(RunVerbs, AClothThatStartsInsideAnObstacleIsTold) {
    std::string text = read_bytes(folder_ / "scene.toml");
    text.replace(text.find("width = 1, length = 1"), 21, "width = 0.1, length = 0.1");
    text.replace(text.find("0.27"), 4, "0.01");
    text.replace(text.find("frames = 6"), 10, "frames = 1");
    std::ofstream(folder_ / "inside.toml") << text;
    const ProgramResult told = toile({"simulate", "inside.toml", "-o", "run"});
    EXPECT_EQ(told.exit_code, 0) << told.errors;
    EXPECT_NE(told.errors.find("inside closed obstacles at the start"), std::string::npos)
        << told.errors;
    const ProgramResult checked = toile({"check", "inside.toml"});
    EXPECT_NE((checked.output + checked.errors).find("inside closed obstacles at the start"),
              std::string::npos);
}

TEST_F(RunVerbs, CheckTellsCleanFramesFromBadOnes) {
    ASSERT_EQ(toile({"simulate", "scene.toml", "-o", "run"}).exit_code, 0);
    const ProgramResult clean = toile({"check", "run", "--json"});
    EXPECT_EQ(clean.exit_code, 0);
    EXPECT_TRUE(json::accept(clean.output)) << clean.output;
    // Puts the cloth's middle into the ball in the last frame: y of vertex 40 of 81.
    std::fstream file(folder_ / "run/cloth.pc2", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(32 + (6 * 81 + 40) * 12 + 4);
    const float inside = 0;
    file.write(reinterpret_cast<const char*>(&inside), sizeof(inside));
    file.close();
    EXPECT_NE(toile({"check", "run"}).exit_code, 0);
}

TEST_F(RunVerbs, NewWritesASceneThatChecksAndSimulates) {
    ASSERT_EQ(toile({"new", "drape"}).exit_code, 0);
    EXPECT_EQ(toile({"new", "drape"}).exit_code, 4);
    EXPECT_EQ(toile({"check", "drape/scene.toml"}).exit_code, 0);
    EXPECT_EQ(toile({"new", "x", "--template", "drap"}).exit_code, 3);
    const ProgramResult run = toile({"simulate", "drape/scene.toml", "-o", "run", "--frames", "1"});
    EXPECT_EQ(run.exit_code, 0) << run.errors;
}

}  // namespace
}  // namespace toile
