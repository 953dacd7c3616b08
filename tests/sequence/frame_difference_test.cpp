// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_difference.h"

#include "toile/core/error.h"
#include "toile/mesh/transform.h"
#include "toile/sequence/frames_in_memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

const std::vector<Vec3> kBox = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {3, 4, 0}};  // diagonal 5

std::string message_of(const FramesInMemory& a, const FramesInMemory& b) {
    MemoryFrameSource reference(a);
    MemoryFrameSource other(b);
    try {
        compare_frames(reference, other);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "accepted";
}

TEST(FrameDifference, FindsTheWorstFrameAndVertexAndTheTotals) {
    FramesInMemory a{{kBox, kBox, kBox, kBox}};
    FramesInMemory b = a;
    b.frames[1][0].z() = 1;
    b.frames[2][3].z() = 3;
    MemoryFrameSource reference(a);
    MemoryFrameSource other(b);
    const FrameDifferences d = compare_frames(reference, other);
    ASSERT_EQ(d.frames.size(), 4u);
    EXPECT_DOUBLE_EQ(d.max, 3);
    EXPECT_EQ(d.worst_frame, 2);
    EXPECT_EQ(d.worst_vertex, 3);
    EXPECT_DOUBLE_EQ(d.mean, 4.0 / 16);
    EXPECT_DOUBLE_EQ(d.rms, std::sqrt(10.0 / 16));
    EXPECT_DOUBLE_EQ(d.percent(d.max), 60);
    EXPECT_DOUBLE_EQ(d.frames[1].max, 1);
}

TEST(FrameDifference, AlignsEachFrameByItself) {
    FramesInMemory a{{kBox, kBox}};
    FramesInMemory b = a;
    transform_points({rotation_about_axis({1, 2, 3}, 1), {4, 5, 6}, 1}, b.frames[0]);
    transform_points({rotation_about_axis({3, 2, 1}, 2), {6, 5, 4}, 1}, b.frames[1]);
    MemoryFrameSource reference(a);
    MemoryFrameSource other(b);
    EXPECT_LT(compare_frames(reference, other, Alignment::Rigid).max, 1e-14);
}

TEST(FrameDifference, DifferentCountsAreRefusedWithBoth) {
    const FramesInMemory two{{kBox, kBox}};
    const FramesInMemory four{{kBox, kBox, kBox, kBox}};
    const FramesInMemory small{{std::vector<Vec3>(1, Vec3(0, 0, 0))}};
    EXPECT_NE(message_of(two, four).find("frames can be compared; found 2 and 4."),
              std::string::npos);
    EXPECT_NE(message_of(four, two).find("frames can be compared; found 4 and 2."),
              std::string::npos);
    EXPECT_NE(message_of(two, small).find("vertices can be compared; found 4 and 1."),
              std::string::npos);
}

}  // namespace
}  // namespace toile
