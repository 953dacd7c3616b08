// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/checkpoint.h"

#include "small_scenes.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

Checkpoint some_checkpoint() {
    Checkpoint checkpoint;
    checkpoint.scene_hash = 0x0123456789abcdef;
    WorldState& state = checkpoint.state;
    state.control = {
        .frame = 12, .tick = 3, .halvings = 2, .successes = 5, .patience = 7, .just_grown = true};
    state.positions = {{1, 2, 3}, {-0.1, 1e-300, 1.0 / 3}};
    state.velocities = {{0, -0.0, 5}, {6, 7, 8}};
    state.last_changes = {{9, 10, 11}, {12, 13, 14}};
    state.holds = {{.vertex = 3,
                    .kind = HoldKind::Code,
                    .since = 0.25,
                    .anchor = {15, 16, 17},
                    .velocity = {18, 19, 20}},
                   {.vertex = 5, .kind = HoldKind::Free}};
    RigidDisplacement pose;
    pose.rotation << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    pose.translation = {21, 22, 23};
    state.obstacle_holds = {{.obstacle = 1,
                             .since = 0.5,
                             .pose = pose,
                             .velocity = {24, 25, 26},
                             .turn_rate = {27, 28, 29}}};
    return checkpoint;
}

TEST(Checkpoint, ComesBackToTheBit) {
    const Checkpoint checkpoint = some_checkpoint();
    const std::string bytes = checkpoint_bytes(checkpoint);
    EXPECT_EQ(parse_checkpoint(bytes, "a"), checkpoint);
    EXPECT_EQ(checkpoint_bytes(parse_checkpoint(bytes, "a")), bytes);
    const Checkpoint empty;
    EXPECT_EQ(parse_checkpoint(checkpoint_bytes(empty), "a"), empty);
}

TEST(Checkpoint, EveryCutAndEveryFlippedBitIsNoticed) {
    const std::string bytes = checkpoint_bytes(some_checkpoint());
    for (size_t n = 0; n < bytes.size(); ++n) {
        EXPECT_THROW(parse_checkpoint(bytes.substr(0, n), "a"), InvalidInput);
        std::string flipped = bytes;
        flipped[n] = static_cast<char>(flipped[n] ^ 0x10);
        EXPECT_THROW(parse_checkpoint(flipped, "a"), InvalidInput) << n;
    }
    EXPECT_THROW(parse_checkpoint(bytes + "x", "a"), InvalidInput);
}

TEST(Checkpoint, FilesAreReplacedWhole) {
    const test::TemporaryFolder folder;
    write_checkpoint(folder / "a.state", some_checkpoint());
    Checkpoint other = some_checkpoint();
    other.state.control.frame = 13;
    write_checkpoint(folder / "a.state", other);
    EXPECT_EQ(read_checkpoint(folder / "a.state"), other);
    EXPECT_THROW(read_checkpoint(folder / "b.state"), IoError);
}

}  // namespace
}  // namespace toile
