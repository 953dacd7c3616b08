// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/transfer_operator.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/sequence/frames_in_memory.h"
#include "transfer/transfer_scene.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

struct Columns {
    TriangleMesh source = make_cylinder({.segments = 9, .height_divisions = 6});
    TriangleMesh target = make_cylinder({.segments = 14, .height_divisions = 9});
    DeformationTransfer transfer{source, target, test::nearest_pairs(source, target, 2)};
};

TEST(TransferOperator, GivesEveryFrameAsItWouldBeAlone) {
    const Columns columns;
    FramesInMemory frames{{}, 24.0};
    for (int f = 0; f < 21; ++f) {
        frames.frames.push_back(test::bent(columns.source.positions, 0.1 * f));
    }
    TransferOperator operation(std::make_unique<MemoryFrameSource>(frames), columns.transfer);
    EXPECT_EQ(operation.n_vertices(), columns.target.n_vertices());
    EXPECT_EQ(operation.n_frames(), 21);
    EXPECT_EQ(operation.frame_rate(), 24.0);
    std::vector<Vec3> frame(columns.target.positions.size());
    for (const auto& pose : frames.frames) {
        ASSERT_TRUE(operation.next(frame));
        EXPECT_EQ(frame, columns.transfer.apply(pose));
    }
    EXPECT_FALSE(operation.next(frame));
}

TEST(TransferOperator, HasNoFramesWhereTheSourceHasNone) {
    const Columns columns;
    FramesInMemory frames{{columns.source.positions}, {}};
    auto input = std::make_unique<MemoryFrameSource>(frames);
    std::vector<Vec3> pose(columns.source.positions.size());
    ASSERT_TRUE(input->next(pose));
    TransferOperator operation(std::move(input), columns.transfer);
    std::vector<Vec3> frame(columns.target.positions.size());
    EXPECT_FALSE(operation.next(frame));
    EXPECT_FALSE(operation.next(frame));
}

/// Counts how far ahead of its readers it was read.
class CountingSource final : public FrameSource {
  public:
    CountingSource(std::vector<Vec3> pose, int& n_read) : pose_(std::move(pose)), n_read_(n_read) {}
    [[nodiscard]] int n_vertices() const override { return static_cast<int>(pose_.size()); }
    [[nodiscard]] std::optional<int> n_frames() const override { return std::nullopt; }
    [[nodiscard]] std::optional<double> frame_rate() const override { return std::nullopt; }
    bool next(std::span<Vec3> out_positions) override {
        if (n_read_ == 1000) return false;
        ++n_read_;
        std::copy(pose_.begin(), pose_.end(), out_positions.begin());
        return true;
    }

  private:
    std::vector<Vec3> pose_;
    int& n_read_;
};

TEST(TransferOperator, ReadsOnlyAFewFramesAhead) {
    const Columns columns;
    int n_read = 0;
    TransferOperator operation(std::make_unique<CountingSource>(columns.source.positions, n_read),
                               columns.transfer);
    std::vector<Vec3> frame(columns.target.positions.size());
    for (int f = 1; operation.next(frame); ++f) {
        ASSERT_GE(n_read, f);
        ASSERT_LE(n_read, f + 8);
    }
    EXPECT_EQ(n_read, 1000);
}

TEST(TransferOperator, RefusesFramesOfAnotherMesh) {
    const Columns columns;
    const FramesInMemory frames{{columns.target.positions}, {}};
    EXPECT_THROW(TransferOperator(std::make_unique<MemoryFrameSource>(frames), columns.transfer),
                 InvalidInput);
}

}  // namespace
}  // namespace toile
