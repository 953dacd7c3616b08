// SPDX-License-Identifier: Apache-2.0
#include "toile/io/coordinate_step.h"

#include "support/temporary_folder.h"
#include "toile/io/atomic_file.h"
#include "toile/io/pc2.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TEST(CoordinateStep, FindsDecimals) {
    const CoordinateStep step =
        obj_coordinate_step("v 12.3400 0.0010 -1.0000\nv 0.1234 5.0000 100.2500\nf 1 2 2\n");
    EXPECT_EQ(step.words, "4 decimals");
    EXPECT_DOUBLE_EQ(step.step, 1e-4);
}

TEST(CoordinateStep, FindsSignificantDigits) {
    const CoordinateStep step =
        obj_coordinate_step("v 0.49353 0.0415381 0.0984336\nv 0.514614 0.0468725 1.23456e-03\n");
    EXPECT_EQ(step.words, "6 significant digits");
    EXPECT_DOUBLE_EQ(step.step, 1e-6);
    EXPECT_DOUBLE_EQ(obj_coordinate_step("v 123.456 7.12345 0.123456\n").step, 1e-3);
}

TEST(CoordinateStep, CountsTheExponent) {
    EXPECT_EQ(obj_coordinate_step("v 1.5e-3 2.5e-3 1.25e-2\n").words, "4 decimals");
}

TEST(CoordinateStep, KnowsNothingOfNoVertices) {
    EXPECT_TRUE(obj_coordinate_step("").words.empty());
    EXPECT_TRUE(obj_coordinate_step("f 1 2 3\nvt 0 1\nv nan x 0\n").words.empty());
}

TEST(CoordinateStep, RoundingIsThatOfTheCoarserFile) {
    const CoordinateStep fine{1e-6, "6 decimals"}, coarse{1e-4, "4 decimals"}, unknown{};
    EXPECT_EQ(rounding_between(fine, fine), 0);
    EXPECT_EQ(rounding_between(fine, coarse), 1e-4);
    EXPECT_EQ(rounding_between(coarse, fine), 1e-4);
    EXPECT_EQ(rounding_between(coarse, unknown), 0);
}

TEST(CoordinateStep, LooksAtTheFrameOfASequence) {
    const test::TemporaryFolder folder;
    write_file(folder / "m_1.obj", "v 0.1 0.2 0.3\nv 1.1 2.1 3.1\n");
    write_file(folder / "m_2.obj", "v 0.11 0.21 0.31\nv 1.11 2.11 3.11\n");
    const std::string place = folder.path().string();
    EXPECT_EQ(frame_coordinate_step(place, 1).words, "2 decimals");
    EXPECT_EQ(frame_coordinate_step(place + "/m_*.obj", 0).words, "1 decimals");
    EXPECT_EQ(frame_coordinate_step(place + "/m_2.obj", 0).words, "2 decimals");
    EXPECT_TRUE(frame_coordinate_step(place, 9).words.empty());

    Pc2Sink sink(folder / "run.pc2", {.n_points = 1});
    sink.write(std::vector<Vec3>{{0.5, -4, 1}});
    sink.finish();
    for (const char* spec : {"/run.pc2", "/run"}) {
        const CoordinateStep step = frame_coordinate_step(place + spec, 0);
        EXPECT_EQ(step.words, "float32");
        EXPECT_NEAR(step.step, 4 * 1.19e-7, 1e-8);
    }
}

}  // namespace
}  // namespace toile
