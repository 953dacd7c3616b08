// SPDX-License-Identifier: Apache-2.0
#include "toile/io/pc2.h"

#include "support/captured_log.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"
#include "toile/io/file_bytes.h"
#include "toile/sequence/frame_summary.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace toile {
namespace {

namespace fs = std::filesystem;

std::vector<Vec3> frame(int k) {
    return {{0.1 * k, 1.0 / 3.0, -0.0}, {k + 0.5, -2.0 * k, 1e-30}, {1, 2, 3}};
}

void expect_frames(const fs::path& path, int n_frames) {
    Pc2Source source(path);
    ASSERT_EQ(source.n_frames(), n_frames);
    ASSERT_EQ(source.n_vertices(), 3);
    std::vector<Vec3> positions(3);
    for (int k = 0; k < n_frames; ++k) {
        ASSERT_TRUE(source.next(positions));
        for (size_t v = 0; v < 3; ++v) {
            EXPECT_EQ(positions[v], frame(k)[v].cast<float>().cast<double>()) << k;
        }
    }
    EXPECT_FALSE(source.next(positions));
}

TEST(Pc2, HasTheBytesOfTheFormat) {
    const test::TemporaryFolder folder;
    Pc2Sink sink(folder / "a.pc2", {.n_points = 1, .start = 2, .rate = 0.5f});
    sink.write(std::vector<Vec3>{{1, -2, 0.5}});
    EXPECT_FALSE(fs::exists(folder / "a.pc2"));
    sink.finish();
    const std::string bytes = read_bytes(folder / "a.pc2");
    const std::string expected(
        "POINTCACHE2\0\1\0\0\0\1\0\0\0\0\0\0\x40\0\0\0\x3f\1\0\0\0"
        "\0\0\x80\x3f\0\0\0\xc0\0\0\0\x3f",
        44);
    EXPECT_EQ(bytes, expected);
}

TEST(Pc2, FramesComeBackAsTheNearestFloats) {
    const test::TemporaryFolder folder;
    Pc2Sink sink(folder / "a.pc2", {.n_points = 3});
    for (int k = 0; k < 5; ++k) sink.write(frame(k));
    sink.finish();
    expect_frames(folder / "a.pc2", 5);
}

TEST(Pc2, AnAppendedFileIsWholeAfterEveryFrame) {
    const test::TemporaryFolder folder;
    Pc2Appender appender = Pc2Appender::create(folder / "a.pc2", {.n_points = 3});
    expect_frames(folder / "a.pc2", 0);
    for (int k = 0; k < 3; ++k) {
        appender.write(frame(k));
        expect_frames(folder / "a.pc2", k + 1);
    }
    EXPECT_THROW(Pc2Appender::create(folder / "a.pc2", {.n_points = 3}), IoError);
}

TEST(Pc2, AFrameInTheMakingIsNotRead) {
    const test::TemporaryFolder folder;
    Pc2Appender appender = Pc2Appender::create(folder / "a.pc2", {.n_points = 3});
    appender.write(frame(0));
    const std::string whole = read_bytes(folder / "a.pc2");
    std::string next;
    encode_pc2_frame(frame(1), next);
    for (size_t n = 0; n <= next.size(); ++n) {
        write_file(folder / "b.pc2", whole + next.substr(0, n), {.overwrite = true});
        expect_frames(folder / "b.pc2", 1);
    }
}

TEST(Pc2, ResumingCutsToTheFramesAskedForAndGoesOn) {
    const test::TemporaryFolder folder;
    {
        Pc2Appender appender = Pc2Appender::create(folder / "a.pc2", {.n_points = 3});
        for (int k = 0; k < 6; ++k) appender.write(frame(k + (k >= 4 ? 100 : 0)));
    }
    Pc2Appender appender = Pc2Appender::resume(folder / "a.pc2", 3, 4);
    EXPECT_EQ(appender.n_frames(), 4);
    expect_frames(folder / "a.pc2", 4);
    EXPECT_EQ(fs::file_size(folder / "a.pc2"), 32u + 4u * 36u);
    appender.write(frame(4));
    expect_frames(folder / "a.pc2", 5);
    EXPECT_THROW(Pc2Appender::resume(folder / "a.pc2", 3, 6), InvalidInput);
    EXPECT_THROW(Pc2Appender::resume(folder / "a.pc2", 4, 2), InvalidInput);
    EXPECT_THROW(Pc2Appender::resume(folder / "b.pc2", 3, 2), IoError);
    expect_frames(folder / "a.pc2", 5);
}

TEST(Pc2, AKilledWriterLeavesEveryFrameItToldOf) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.pc2";
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        Pc2Appender appender = Pc2Appender::create(path, {.n_points = 3});
        for (int k = 0;; ++k) {
            appender.write(frame(k));
            if (::write(told[1], "x", 1) != 1) ::_exit(1);
        }
    }
    int n_told = 0;
    char byte;
    while (n_told < 5 && ::read(told[0], &byte, 1) == 1) ++n_told;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(told[1]);
    while (::read(told[0], &byte, 1) == 1) ++n_told;
    ::close(told[0]);
    const std::optional<int> n_frames = Pc2Source(path).n_frames();
    EXPECT_GE(n_frames, n_told);
    expect_frames(path, *n_frames);
}

TEST(Pc2, ATruncatedFileIsRefusedOrEndsEarlyIfAsked) {
    const test::TemporaryFolder folder;
    Pc2Sink sink(folder / "a.pc2", {.n_points = 3});
    for (int k = 0; k < 3; ++k) sink.write(frame(k));
    sink.finish();
    fs::resize_file(folder / "a.pc2", 32 + 2 * 36 + 5);
    try {
        Pc2Source(folder / "a.pc2");
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_EQ(
            std::string(e.what()),
            (folder / "a.pc2").string() +
                ": byte 16: the header counts 3 frames of 3 points; the file ends after 2 whole "
                "frames (109 bytes).");
    }
    const test::CapturedLog log;
    EXPECT_EQ(Pc2Source(folder / "a.pc2", {.accept_truncated = true}).n_frames(), 2);
    EXPECT_EQ(log.warnings.size(), 1u);
}

TEST(Pc2, SeekingPlaysFromAnyFrame) {
    const test::TemporaryFolder folder;
    Pc2Sink sink(folder / "a.pc2", {.n_points = 3});
    for (int k = 0; k < 4; ++k) sink.write(frame(k));
    sink.finish();
    Pc2Source source(folder / "a.pc2");
    std::vector<Vec3> positions(3);
    source.seek(3);
    ASSERT_TRUE(source.next(positions));
    EXPECT_EQ(positions[1].x(), 3.5);
    EXPECT_FALSE(source.next(positions));
    EXPECT_THROW(source.seek(5), InvalidInput);
}

TEST(Pc2, FramesThatDoNotFitAreRefusedAndLeaveNoFile) {
    const test::TemporaryFolder folder;
    {
        Pc2Sink sink(folder / "a.pc2", {.n_points = 2});
        EXPECT_THROW(sink.write(frame(0)), InvalidInput);
        EXPECT_THROW(sink.write(std::vector<Vec3>{{1e39, 0, 0}, {0, 0, 0}}), InvalidInput);
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Pc2, BillionsOfPointsAndNoFrameCostNoMemory) {
    const test::TemporaryFolder folder;
    write_file(folder / "lie.pc2", format_pc2_header({.n_points = 2'000'000'000}));
    const long long before = peak_memory_bytes();
    Pc2Source source(folder / "lie.pc2");
    EXPECT_EQ(summarize_frames(source).n_frames, 0);
    EXPECT_EQ(summarize_frames(source).n_vertices, 2'000'000'000);
    EXPECT_LT(peak_memory_bytes() - before, 10'000'000);
}

TEST(Pc2, FramesWithoutPointsAreNotWritten) {
    const test::TemporaryFolder folder;
    Pc2Sink sink(folder / "a.pc2", {.n_points = 0});
    EXPECT_THROW(sink.write({}), InvalidInput);
}

}  // namespace
}  // namespace toile
