// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_operator.h"

#include "edit/bent_tube.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace toile {
namespace {

const TriangleMesh kTube = test::tube();

EditKey key_of(const FramesInMemory& motion, int frame, double angle) {
    const std::vector<Vec3>& original = motion.frames[static_cast<size_t>(frame)];
    return {.frame = frame,
            .original = original,
            .edited = test::with_turned_end(kTube, original, angle)};
}

struct Result {
    FramesInMemory frames;
    EditReport report;
    std::vector<std::string> key_warnings;
};

Result run(const FramesInMemory& motion, std::vector<EditKey> keys, EditOptions options = {}) {
    EditOperator edit(std::make_unique<MemoryFrameSource>(motion), kTube.triangles, std::move(keys),
                      std::move(options));
    Result result;
    MemoryFrameSink sink(result.frames);
    copy_frames(edit, sink);
    result.report = edit.report();
    result.key_warnings = edit.key_warnings();
    return result;
}

std::string refusal(const FramesInMemory& motion, std::vector<EditKey> keys,
                    EditOptions options = {}) {
    try {
        run(motion, std::move(keys), std::move(options));
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

TEST(EditOperator, EditedFramesComeOutBitForBit) {
    const FramesInMemory motion = test::bending(kTube, 9);
    const std::vector<EditKey> keys = {key_of(motion, 6, -0.5), key_of(motion, 2, 0.7)};
    const Result result = run(motion, keys);
    EXPECT_EQ(result.frames.frames[6], keys[0].edited);
    EXPECT_EQ(result.frames.frames[2], keys[1].edited);
    EXPECT_EQ(result.report.n_frames, 9);
    EXPECT_EQ(result.report.n_changed, 9);
    EXPECT_EQ(result.report.keys[0].frame, 2);
    EXPECT_TRUE(result.key_warnings.empty());
    EXPECT_TRUE(sequence_warnings(result.report).empty());
}

TEST(EditOperator, FramesOutsideTheWindowKeepEveryBit) {
    const FramesInMemory motion = test::bending(kTube, 12);
    const Result result = run(motion, {key_of(motion, 5, 0.7)},
                              {.window = {.first = 2, .last = 9, .ease_in = 2, .ease_out = 3}});
    for (const size_t k : {0U, 1U, 2U, 9U, 10U, 11U}) {
        EXPECT_EQ(result.frames.frames[k], motion.frames[k]) << k;
    }
    for (const size_t k : {3U, 4U, 6U, 7U, 8U}) {
        EXPECT_NE(result.frames.frames[k], motion.frames[k]) << k;
    }
    EXPECT_EQ(result.frames.frames[5], key_of(motion, 5, 0.7).edited);
    EXPECT_EQ(result.report.n_changed, 6);
}

TEST(EditOperator, StrengthZeroIsACopy) {
    const FramesInMemory motion = test::bending(kTube, 5);
    EXPECT_EQ(run(motion, {key_of(motion, 2, 0.7)}, {.strength = 0}).frames.frames, motion.frames);
}

TEST(EditOperator, OpposedKeysDoNotShrinkTheEndBetweenThem) {
    const FramesInMemory motion = test::bending(kTube, 11, 0.4);
    const Result result = run(motion, {key_of(motion, 0, 0.9), key_of(motion, 10, -0.9)});
    int top = 0, below = -1;
    for (int v = 0; v < kTube.n_vertices(); ++v) {
        if (kTube.positions[v].y() > kTube.positions[top].y()) top = v;
        if (below < 0 && kTube.positions[v].y() > 0.31) below = v;
    }
    for (size_t k = 0; k < 11; ++k) {
        const auto length = [&](const std::vector<Vec3>& f) { return (f[top] - f[below]).norm(); };
        EXPECT_GE(length(result.frames.frames[k]) / length(motion.frames[k]), 0.98) << k;
    }
}

TEST(EditOperator, AnEaseHasNoPop) {
    // A motion that stands still shows the window's own second difference.
    FramesInMemory still;
    for (int k = 0; k < 30; ++k) still.frames.push_back(test::bent(kTube, 0.5));
    const EditKey key = key_of(still, 0, 0.6);
    constexpr double kEase = 12;
    const Result result = run(still, {key}, {.window = {.last = 5 + kEase, .ease_out = kEase}});
    double largest = 0;
    for (size_t k = 1; k + 1 < 30; ++k) {
        for (size_t v = 0; v < key.original.size(); ++v) {
            const auto& f = result.frames.frames;
            largest = std::max(largest, (f[k - 1][v] - 2 * f[k][v] + f[k + 1][v]).norm());
        }
    }
    EXPECT_LE(largest / test::largest_distance(key.original, key.edited), 7 / (kEase * kEase));
}

TEST(EditOperator, WarnsOfAKeyWhereTheWindowEases) {
    const FramesInMemory motion = test::bending(kTube, 9);
    const Result result =
        run(motion, {key_of(motion, 2, 0.5)}, {.window = {.first = 0, .ease_in = 4}});
    ASSERT_EQ(result.key_warnings.size(), 1U);
    EXPECT_NE(result.key_warnings[0].find("Frame 2 itself comes out with 0.5 of its edit"),
              std::string::npos);
}

TEST(EditOperator, WarnsOfThinFlippedAndFarTurnedTriangles) {
    FramesInMemory motion = test::bending(kTube, 3);
    const auto& [a, b, c] = kTube.triangles.back();
    motion.frames[1][c] = 0.5 * (motion.frames[1][a] + motion.frames[1][b]);
    const Result result =
        run(motion, {key_of(motion, 1, 2.9)}, {.strength = 0.5, .allow_bad_pose = true});
    std::string all;
    for (const std::string& warning : result.key_warnings) all += warning + "\n";
    EXPECT_NE(all.find("thin"), std::string::npos) << all;
    EXPECT_NE(all.find("over, and so it will be"), std::string::npos) << all;
    EXPECT_NE(all.find("more than 150 degrees"), std::string::npos) << all;
    EXPECT_GT(result.report.keys[0].largest_turn, 2.6);
    const Result whole = run(motion, {key_of(motion, 1, 2.9)}, {.allow_bad_pose = true});
    EXPECT_EQ(whole.key_warnings.size() + 1, result.key_warnings.size());
}

TEST(EditOperator, WarnsOfCrumpledFramesAndOfAnEditOfNothing) {
    FramesInMemory motion = test::bending(kTube, 4);
    for (Vec3& p : motion.frames[3]) p = Vec3(1e-3 * p.x(), p.y(), 1e-3 * p.z());
    const Result result = run(motion, {key_of(motion, 0, 0.5)}, {.allow_bad_pose = true});
    EXPECT_EQ(result.report.crumpled_frames, std::vector<int>{3});
    ASSERT_EQ(sequence_warnings(result.report).size(), 1U);
    EXPECT_NE(sequence_warnings(result.report)[0].find("frame 3"), std::string::npos);

    const Result nothing =
        run(motion, {{1, motion.frames[1], motion.frames[1]}}, {.allow_bad_pose = true});
    EXPECT_EQ(nothing.frames.frames, motion.frames);
    ASSERT_EQ(nothing.key_warnings.size(), 1U);
    EXPECT_NE(nothing.key_warnings[0].find("moves no vertex"), std::string::npos);
}

TEST(EditOperator, RefusesAPlacementUnlessItIsMeant) {
    const FramesInMemory motion = test::bending(kTube, 4);
    EditKey key{1, motion.frames[1], motion.frames[1]};
    transform_points(
        {.rotation = rotation_about_axis(Vec3(1, 1, 0), 0.5), .translation = Vec3(1, 2, 3)},
        key.edited);
    EXPECT_NE(refusal(motion, {key}).find("--allow-placement"), std::string::npos);
    const Result result = run(motion, {key}, {.allow_placement = true});
    EXPECT_EQ(result.frames.frames[1], key.edited);
}

std::vector<Vec3> shuffled(const std::vector<Vec3>& positions) {
    std::vector<Vec3> result;
    for (size_t v = 0; v < positions.size(); ++v) {
        result.push_back(positions[(101 * v) % positions.size()]);
    }
    return result;
}

TEST(EditOperator, RefusesAnotherVertexOrderUnlessItIsMeant) {
    FramesInMemory motion = test::bending(kTube, 4);
    EditKey key{1, motion.frames[1], shuffled(motion.frames[1])};
    EXPECT_NE(refusal(motion, {key}).find("The edited frame 1 does not seem"), std::string::npos);
    motion.frames[2] = shuffled(motion.frames[2]);
    const std::string message = refusal(motion, {key_of(motion, 1, 0.5)});
    EXPECT_NE(message.find("Frame 2 does not seem"), std::string::npos) << message;
    EXPECT_NE(message.find("--allow-bad-pose"), std::string::npos) << message;
    EXPECT_EQ(refusal(motion, {key_of(motion, 1, 0.5)}, {.allow_bad_pose = true}), "");
}

TEST(EditOperator, RefusesFramesThatAreNotThereOrGivenTwice) {
    const FramesInMemory motion = test::bending(kTube, 4);
    EditKey beyond = key_of(motion, 3, 0.5);
    beyond.frame = 4;
    EXPECT_NE(refusal(motion, {beyond}).find("no frame 4"), std::string::npos);
    beyond.frame = -1;
    EXPECT_NE(refusal(motion, {beyond}).find("no frame -1"), std::string::npos);
    EXPECT_NE(refusal(motion, {key_of(motion, 3, 0.5), key_of(motion, 3, 0.2)}).find("twice"),
              std::string::npos);
    EXPECT_NE(refusal(motion, {}), "");
}

TEST(EditOperator, RefusesAFrameThatIsNotFiniteByName) {
    FramesInMemory motion = test::bending(kTube, 4);
    motion.frames[2][17].z() = std::numeric_limits<double>::infinity();
    const std::string message = refusal(motion, {key_of(motion, 1, 0.5)});
    EXPECT_NE(message.find("Vertex 17 of frame 2"), std::string::npos) << message;
}

TEST(EditOperator, NamesTheFirstTriangleThatDiffers) {
    std::vector<Triangle> other = kTube.triangles;
    std::swap(other[11][0], other[11][1]);
    const int n = kTube.n_vertices();
    try {
        require_same_connectivity(kTube.triangles, n, other, n, "edited.obj");
        FAIL() << "was not refused";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("edited.obj: triangle 11"), std::string::npos);
    }
    EXPECT_THROW(require_same_connectivity(kTube.triangles, n, kTube.triangles, n + 1, "x"),
                 InvalidInput);
    other.pop_back();
    EXPECT_THROW(require_same_connectivity(kTube.triangles, n, other, n, "x"), InvalidInput);
    EXPECT_NO_THROW(require_same_connectivity(kTube.triangles, n, kTube.triangles, n, "x"));
}

TEST(EditOperator, ReadsOnlyTheFramesItIsAskedFor) {
    const FramesInMemory motion = test::bending(kTube, 6);
    MemoryFrameSource source(motion);
    const auto frames = read_frames(source, std::vector<int>{1, 4});
    EXPECT_EQ(frames[0], motion.frames[1]);
    EXPECT_EQ(frames[1], motion.frames[4]);
    MemoryFrameSource again(motion);
    EXPECT_THROW(read_frames(again, std::vector<int>{6}), InvalidInput);
}

}  // namespace
}  // namespace toile
