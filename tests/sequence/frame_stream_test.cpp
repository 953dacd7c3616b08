// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "toile/sequence/frame_difference.h"
#include "toile/sequence/frames_in_memory.h"
#include "toile/sequence/resample.h"

#include <gtest/gtest.h>

#include <limits>

namespace toile {
namespace {

// Two vertices that move evenly: frame k has them at k and -3 k.
FramesInMemory even_motion(int n_frames, double rate) {
    FramesInMemory motion{.frames = {}, .frame_rate = rate};
    for (int k = 0; k < n_frames; ++k) motion.frames.push_back({{1.0 * k, 0, 1}, {-3.0 * k, 2, 0}});
    return motion;
}

FramesInMemory resampled(const FramesInMemory& motion, double rate) {
    Resample resample(std::make_unique<MemoryFrameSource>(motion), {.output_rate = rate});
    const std::optional<int> promised = resample.n_frames();
    FramesInMemory out{.frames = {}, .frame_rate = resample.frame_rate()};
    MemoryFrameSink sink(out);
    EXPECT_EQ(copy_frames(resample, sink), promised);
    return out;
}

TEST(FrameStream, CopiesEveryFrameInOrder) {
    const FramesInMemory motion = even_motion(5, 25);
    FramesInMemory copy;
    MemoryFrameSource source(motion);
    MemoryFrameSink sink(copy);
    EXPECT_EQ(copy_frames(source, sink), 5);
    EXPECT_EQ(copy.frames, motion.frames);
    std::vector<Vec3> frame(2);
    EXPECT_FALSE(source.next(frame));
}

TEST(FrameStream, NoFramesAreCopiedAsNone) {
    const FramesInMemory motion;
    FramesInMemory copy;
    MemoryFrameSource source(motion);
    MemoryFrameSink sink(copy);
    EXPECT_EQ(copy_frames(source, sink), 0);
}

TEST(FrameStream, FramesOfDifferentSizesAreNoSequence) {
    const FramesInMemory motion{.frames = {{{0, 0, 0}}, {}}};
    EXPECT_THROW(MemoryFrameSource{motion}, InvalidInput);
}

TEST(Resample, TheSameRateGivesTheSameBits) {
    const FramesInMemory motion = even_motion(301, 30);
    EXPECT_EQ(resampled(motion, 30).frames, motion.frames);
}

TEST(Resample, EvenMotionStaysEvenAtAnyRate) {
    for (const double rate : {24.0, 25.0, 29.97, 30.0, 60.0, 7.0, 1000.0}) {
        const FramesInMemory out = resampled(even_motion(31, 30), rate);
        for (size_t k = 0; k < out.frames.size(); ++k) {
            const double place = static_cast<double>(k) * 30 / rate;
            EXPECT_NEAR(out.frames[k][0].x(), place, 1e-12 * 30) << rate;
            EXPECT_NEAR(out.frames[k][1].x(), -3 * place, 1e-12 * 90) << rate;
            EXPECT_LE(place, 30 * (1 + 1e-12));
        }
        const double past = static_cast<double>(out.frames.size()) * 30 / rate;
        EXPECT_GT(past, 30 * (1 - 1e-12)) << rate;
    }
}

TEST(Resample, FramesThatFallOnFramesComeOutBitForBit) {
    FramesInMemory motion = even_motion(91, 30);
    for (auto& frame : motion.frames) frame[0].y() = frame[0].x() / 7;
    const FramesInMemory twice = resampled(motion, 60);
    ASSERT_EQ(twice.frames.size(), 181u);
    for (size_t k = 0; k < motion.frames.size(); ++k)
        EXPECT_EQ(twice.frames[2 * k], motion.frames[k]);
    const FramesInMemory half = resampled(motion, 15);
    ASSERT_EQ(half.frames.size(), 46u);
    for (size_t k = 0; k < half.frames.size(); ++k) EXPECT_EQ(half.frames[k], motion.frames[2 * k]);
    const FramesInMemory tenth = resampled(motion, 0.3);
    ASSERT_EQ(tenth.frames.size(), 1u);
}

TEST(Resample, OneFrameStaysOneAndNoneStaysNone) {
    EXPECT_EQ(resampled(even_motion(1, 30), 240).frames.size(), 1u);
    EXPECT_EQ(resampled(even_motion(0, 30), 240).frames.size(), 0u);
}

// A source that claims much and holds nothing.
class ClaimingSource final : public FrameSource {
  public:
    [[nodiscard]] int n_vertices() const override { return std::numeric_limits<int>::max(); }
    [[nodiscard]] std::optional<int> n_frames() const override { return 0; }
    [[nodiscard]] std::optional<double> frame_rate() const override { return 25; }
    bool next(std::span<Vec3>) override { return false; }
};

TEST(FrameStream, ASourceWithoutFramesNeedsNoRoom) {
    ClaimingSource source, other;
    EXPECT_TRUE(frame_buffer(source).empty());
    FramesInMemory copy;
    MemoryFrameSink sink(copy);
    EXPECT_EQ(copy_frames(source, sink), 0);
    EXPECT_TRUE(compare_frames(source, other, Alignment::None).frames.empty());
    Resample resample(std::make_unique<ClaimingSource>(), {.output_rate = 50});
    EXPECT_EQ(copy_frames(resample, sink), 0);
}

TEST(Resample, RefusesMoreFramesThanAnyoneCanWant) {
    for (const double rate : {1e6, 1e300}) {
        EXPECT_THROW(resampled(even_motion(3, 25), rate), InvalidInput) << rate;
    }
}

TEST(Resample, AnyLowRateKeepsTheFirstFrame) {
    for (const double rate : {1e-9, 1e-300}) {
        EXPECT_EQ(resampled(even_motion(3, 25), rate).frames.size(), 1u) << rate;
    }
}

TEST(Resample, RefusesRatesThatAreNone) {
    FramesInMemory motion = even_motion(3, 30);
    for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(resampled(motion, rate), InvalidInput);
    }
    motion.frame_rate.reset();
    EXPECT_THROW(resampled(motion, 30), InvalidInput);
}

}  // namespace
}  // namespace toile
