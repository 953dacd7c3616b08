// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/pose_guard.h"

#include "support/captured_log.h"
#include "toile/core/error.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/sequence/frames_in_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

namespace toile {
namespace {

struct Ball {
    TriangleMesh mesh = make_sphere({.subdivisions = 4});
    FramesInMemory frames{{mesh.positions, mesh.positions, mesh.positions}, {}};

    [[nodiscard]] PoseGuard guard(const PoseGuardOptions& options = {}) const {
        return PoseGuard(std::make_unique<MemoryFrameSource>(frames), mesh, options);
    }
    std::string refusal(const PoseGuardOptions& options = {}) const {
        PoseGuard poses = guard(options);
        std::vector<Vec3> frame(mesh.positions.size());
        try {
            while (poses.next(frame)) {
            }
        } catch (const InvalidInput& e) {
            return e.what();
        }
        return "";
    }
};

TEST(PoseGuard, PassesPosesThatBelongOn) {
    Ball ball;
    for (Vec3& p : ball.frames.frames[1]) p.y() *= 1.5;
    PoseGuard poses = ball.guard();
    std::vector<Vec3> frame(ball.mesh.positions.size());
    for (const auto& expected : ball.frames.frames) {
        ASSERT_TRUE(poses.next(frame));
        EXPECT_EQ(frame, expected);
    }
    EXPECT_FALSE(poses.next(frame));
}

TEST(PoseGuard, RefusesVerticesInAnotherOrderNamingFrameAndEdges) {
    Ball ball;
    std::reverse(ball.frames.frames[2].begin(), ball.frames.frames[2].end());
    const std::string message = ball.refusal({.sequence_name = "walk.pc2"});
    EXPECT_NE(message.find("walk.pc2: frame 2"), std::string::npos) << message;
    EXPECT_NE(message.find("times as long"), std::string::npos) << message;
    EXPECT_NE(message.find("--allow-bad-pose"), std::string::npos) << message;
    test::CapturedLog log;
    EXPECT_EQ(ball.refusal({.allow_bad_poses = true}), "");
    EXPECT_EQ(log.warnings.size(), 1u);
}

TEST(PoseGuard, RefusesNumbersThatAreNotFiniteAlways) {
    Ball ball;
    ball.frames.frames[1][7].x() = std::numeric_limits<double>::infinity();
    const std::string message = ball.refusal({.allow_bad_poses = true, .sequence_name = "walk"});
    EXPECT_NE(message.find("walk: frame 1: vertex 7"), std::string::npos) << message;
}

TEST(PoseGuard, RefusesFramesOfAnotherMesh) {
    Ball ball;
    ball.mesh.positions.emplace_back(0, 0, 0);
    EXPECT_THROW(ball.guard(), InvalidInput);
}

}  // namespace
}  // namespace toile
