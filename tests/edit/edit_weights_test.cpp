// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

TEST(EditWeights, SmoothstepIsFlatAtBothEnds) {
    EXPECT_EQ(smoothstep(-1), 0);
    EXPECT_EQ(smoothstep(0), 0);
    EXPECT_EQ(smoothstep(0.5), 0.5);
    EXPECT_EQ(smoothstep(1), 1);
    EXPECT_EQ(smoothstep(7), 1);
    EXPECT_NEAR(smoothstep(1e-4), 0, 4e-8);
    EXPECT_NEAR(smoothstep(1 - 1e-4), 1, 4e-8);
}

TEST(EditWeights, NoWindowChangesAllFrames) {
    for (const int frame : {0, 1, 1000000}) EXPECT_EQ(window_weight({}, frame), 1);
}

TEST(EditWeights, AWindowRisesAndFallsWithinItself) {
    const EditWindow window{.first = 10, .last = 30, .ease_in = 4, .ease_out = 10};
    EXPECT_EQ(window_weight(window, 9), 0);
    EXPECT_EQ(window_weight(window, 10), 0);
    EXPECT_EQ(window_weight(window, 12), 0.5);
    EXPECT_EQ(window_weight(window, 14), 1);
    EXPECT_EQ(window_weight(window, 20), 1);
    EXPECT_EQ(window_weight(window, 25), 0.5);
    EXPECT_EQ(window_weight(window, 30), 0);
    EXPECT_EQ(window_weight(window, 31), 0);
}

TEST(EditWeights, WithoutEaseTheWindowIsABox) {
    const EditWindow window{.first = 2, .last = 3};
    EXPECT_EQ(window_weight(window, 1), 0);
    EXPECT_EQ(window_weight(window, 2), 1);
    EXPECT_EQ(window_weight(window, 3), 1);
    EXPECT_EQ(window_weight(window, 4), 0);
}

TEST(EditWeights, SecondDifferenceOfAnEaseIsSixOverItsSquare) {
    for (const double n : {5.0, 10.0, 30.0}) {
        const EditWindow window{.first = 10, .ease_in = n};
        double largest = 0;
        for (int k = 1; k < 60; ++k) {
            const double d2 = window_weight(window, k - 1) - 2 * window_weight(window, k) +
                              window_weight(window, k + 1);
            largest = std::max(largest, std::abs(d2));
        }
        EXPECT_LE(largest, 6 / (n * n));
    }
}

TEST(EditWeights, KeysShareEveryFrameAndOwnTheirs) {
    const std::vector<int> keys = {4, 8, 20};
    EXPECT_EQ(key_weights(keys, 0), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(key_weights(keys, 4), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(key_weights(keys, 6), (std::vector<double>{0.5, 0.5, 0}));
    EXPECT_EQ(key_weights(keys, 8), (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(key_weights(keys, 20), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(key_weights(keys, 99), (std::vector<double>{0, 0, 1}));
    for (int k = 0; k < 25; ++k) {
        double sum = 0;
        for (const double w : key_weights(keys, k)) sum += w;
        EXPECT_DOUBLE_EQ(sum, 1);
    }
}

}  // namespace
}  // namespace toile
