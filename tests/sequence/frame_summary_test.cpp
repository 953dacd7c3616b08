// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_summary.h"

#include "toile/sequence/frames_in_memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

TEST(FrameSummary, TellsCountRateBoxAndTheLargestStep) {
    const FramesInMemory memory{
        {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 2, 0}}, {{0, 5, 0}, {1, 2, 0}}}, 20.0};
    MemoryFrameSource source(memory);
    const FrameSummary s = summarize_frames(source);
    EXPECT_EQ(s.n_vertices, 2);
    EXPECT_EQ(s.n_frames, 3);
    EXPECT_EQ(s.frame_rate, 20.0);
    EXPECT_EQ(s.duration(), 0.1);
    EXPECT_EQ(s.box.max, Vec3(1, 5, 0));
    EXPECT_EQ(s.largest_step, 5);
    EXPECT_EQ(s.largest_step_frame, 2);
    EXPECT_TRUE(s.non_finite_frames.empty());
}

TEST(FrameSummary, NamesFramesThatAreNotFiniteAndGoesOn) {
    const auto frame = [](double y) { return std::vector<Vec3>(1, Vec3(0, y, 0)); };
    const FramesInMemory memory{{frame(0), frame(std::nan("")), frame(1)}};
    MemoryFrameSource source(memory);
    const FrameSummary s = summarize_frames(source);
    EXPECT_EQ(s.non_finite_frames, std::vector<int>{1});
    EXPECT_EQ(s.largest_step, 0);
    EXPECT_EQ(s.box.max, Vec3(0, 1, 0));
    EXPECT_FALSE(s.duration().has_value());
}

}  // namespace
}  // namespace toile
