// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/difference.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace toile {
namespace {

const std::vector<Vec3> kBox = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {3, 4, 0}};  // diagonal 5

TEST(Difference, MaximumMeanAndRmsAreThoseOfTheDistances) {
    auto moved = kBox;
    moved[1].z() = 1;
    moved[3].z() = -3;
    const VertexDifference d = vertex_difference(kBox, moved);
    EXPECT_DOUBLE_EQ(d.max, 3);
    EXPECT_DOUBLE_EQ(d.mean, 1);
    EXPECT_DOUBLE_EQ(d.rms, std::sqrt(10.0 / 4));
    EXPECT_EQ(d.worst_vertex, 3);
    EXPECT_DOUBLE_EQ(d.percent(d.max), 60);
}

TEST(Difference, AMeshDoesNotDifferFromItselfHoweverItIsAligned) {
    for (const auto& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        for (const Alignment kind :
             {Alignment::None, Alignment::Translation, Alignment::Rigid, Alignment::Similarity}) {
            const auto& positions = battery.mesh.positions;
            EXPECT_LT(vertex_difference(positions, positions, kind).max, 1e-14);
        }
    }
}

TEST(Difference, AlignmentTakesAwayJustItsMotion) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        auto reference = kBox;
        for (Vec3& p : reference) p = scale * (p + Vec3(0, 0, p.x() * p.y()));
        auto positions = reference;
        const Transform motion{rotation_about_axis({1, 2, 3}, 1), scale * Vec3(5, 6, 7), 2};
        transform_points(motion, positions);
        EXPECT_GT(vertex_difference(reference, positions, Alignment::Rigid).max, 0.1 * scale);
        const auto d = vertex_difference(reference, positions, Alignment::Similarity);
        EXPECT_LT(d.max, 1e-13 * scale);
    }
}

TEST(Difference, DifferentCountsAreRefusedWithBoth) {
    try {
        vertex_difference(kBox, std::vector<Vec3>(7));
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(),
                     "Only meshes with equal numbers of vertices can be compared; found 4 and 7.");
    }
}

TEST(Difference, VerticesThatAreNotFiniteDifferUnlessTheyAreTheSame) {
    auto broken = kBox;
    broken[2].y() = std::nan("");
    EXPECT_EQ(vertex_difference(broken, broken).max, 0);
    const VertexDifference d = vertex_difference(kBox, broken);
    EXPECT_EQ(d.max, std::numeric_limits<double>::infinity());
    EXPECT_EQ(d.worst_vertex, 2);
}

TEST(Difference, NothingDiffersFromNothing) {
    const VertexDifference d = vertex_difference({}, {});
    EXPECT_EQ(d.max, 0);
    EXPECT_EQ(d.worst_vertex, -1);
    EXPECT_EQ(d.percent(d.max), 0);
}

}  // namespace
}  // namespace toile
