// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mdd.h"

#include "support/captured_log.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

namespace fs = std::filesystem;

std::vector<Vec3> frame(int k) {
    return {{0.1 * k, 1.0 / 3.0, -0.0}, {k + 0.5, -2.0 * k, 1e-30}, {1, 2, 3}};
}

void write_frames(const fs::path& path, int n_frames, MddWriteOptions options = {}) {
    MddSink sink(path, 3, options);
    for (int k = 0; k < n_frames; ++k) sink.write(frame(k));
    sink.finish();
}

TEST(Mdd, HasTheBytesOfTheFormat) {
    const test::TemporaryFolder folder;
    MddSink sink(folder / "a.mdd", 1, {.frame_rate = 2});
    sink.write(std::vector<Vec3>{{1, -2, 0.5}});
    sink.write(std::vector<Vec3>{{0, 0, 4}});
    EXPECT_FALSE(fs::exists(folder / "a.mdd"));
    sink.finish();
    const std::string expected(
        "\0\0\0\2\0\0\0\1\0\0\0\0\x3f\0\0\0"
        "\x3f\x80\0\0\xc0\0\0\0\x3f\0\0\0\0\0\0\0\0\0\0\0\x40\x80\0\0",
        40);
    EXPECT_EQ(read_bytes(folder / "a.mdd"), expected);
}

TEST(Mdd, FramesComeBackAsTheNearestFloats) {
    const test::TemporaryFolder folder;
    write_frames(folder / "a.mdd", 5, {.frame_rate = 30});
    MddSource source(folder / "a.mdd");
    EXPECT_EQ(source.n_frames(), 5);
    EXPECT_EQ(source.n_vertices(), 3);
    EXPECT_EQ(source.frame_rate().value(), 30);
    std::vector<Vec3> positions(3);
    for (int k = 0; k < 5; ++k) {
        ASSERT_TRUE(source.next(positions));
        for (size_t v = 0; v < 3; ++v) {
            EXPECT_EQ(positions[v], frame(k)[v].cast<float>().cast<double>()) << k;
        }
    }
    EXPECT_TRUE(std::signbit(positions[0].z()));
    EXPECT_FALSE(source.next(positions));
}

TEST(Mdd, FramesOfMoreThanOneCopyAreWhole) {
    const test::TemporaryFolder folder;
    const int n_points = 100'003;
    MddSink sink(folder / "a.mdd", n_points);
    for (int k = 0; k < 2; ++k) sink.write(std::vector<Vec3>(n_points, Vec3(k, 2, 3)));
    sink.finish();
    EXPECT_EQ(fs::file_size(folder / "a.mdd"), 8u + 2 * 4 + 2u * 12 * n_points);
    MddSource source(folder / "a.mdd");
    std::vector<Vec3> positions(n_points);
    for (int k = 0; k < 2; ++k) {
        ASSERT_TRUE(source.next(positions));
        EXPECT_EQ(positions, std::vector<Vec3>(n_points, Vec3(k, 2, 3)));
    }
}

TEST(Mdd, EveryTruncatedFileIsRefused) {
    const test::TemporaryFolder folder;
    write_frames(folder / "a.mdd", 2);
    const std::string whole = read_bytes(folder / "a.mdd");
    for (size_t n = 0; n < whole.size(); ++n) {
        write_file(folder / "b.mdd", whole.substr(0, n), {.overwrite = true});
        EXPECT_THROW(MddSource(folder / "b.mdd"), InvalidInput) << n;
    }
}

TEST(Mdd, BytesBehindTheLastFrameAreTold) {
    const test::TemporaryFolder folder;
    write_frames(folder / "a.mdd", 2);
    write_file(folder / "b.mdd", read_bytes(folder / "a.mdd") + "tail");
    const test::CapturedLog log;
    EXPECT_EQ(MddSource(folder / "b.mdd").n_frames(), 2);
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_TRUE(log.warnings[0].ends_with("4 bytes behind the last frame are not read."));
}

TEST(Mdd, UnevenTimesGiveNoRate) {
    const test::TemporaryFolder folder;
    write_frames(folder / "a.mdd", 3);
    std::string bytes = read_bytes(folder / "a.mdd");
    bytes[8 + 2 * 4] = 0x7f;  // the last of three times, about 1.7e38
    write_file(folder / "b.mdd", bytes);
    const test::CapturedLog log;
    EXPECT_EQ(MddSource(folder / "b.mdd").frame_rate(), std::nullopt);
    EXPECT_EQ(log.warnings.size(), 1u);
    EXPECT_NEAR(MddSource(folder / "a.mdd").frame_rate().value(), 1, 1e-9);
}

TEST(Mdd, BillionsOfPointsCostNoMemory) {
    const test::TemporaryFolder folder;
    write_file(folder / "none.mdd", std::string("\0\0\0\0\x7f\xff\xff\xff", 8));
    write_file(folder / "lie.mdd", std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
    const long long before = peak_memory_bytes();
    EXPECT_EQ(MddSource(folder / "none.mdd").n_frames(), 0);
    EXPECT_THROW(MddSource(folder / "lie.mdd"), InvalidInput);
    EXPECT_LT(peak_memory_bytes() - before, 10'000'000);
}

TEST(Mdd, WhatDoesNotFitIsRefusedAndLeavesNoFile) {
    const test::TemporaryFolder folder;
    {
        MddSink sink(folder / "a.mdd", 2);
        EXPECT_THROW(sink.write(frame(0)), InvalidInput);
        EXPECT_THROW(sink.write(std::vector<Vec3>{{1e39, 0, 0}, {0, 0, 0}}), InvalidInput);
        EXPECT_THROW(MddSink(folder / "b.mdd", 2, {.frame_rate = 0}), InvalidInput);
        EXPECT_THROW(MddSink(folder / "c.mdd", 0).write({}), InvalidInput);
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace toile
