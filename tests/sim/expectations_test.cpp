// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/expectations.h"

#include <gtest/gtest.h>

#include <limits>

namespace toile {
namespace {

/// Three frames at 10 a second: fast, slower, slow; stretched most in the second.
RunCheck small_run() {
    RunCheck run;
    run.status = RunStatus::Done;
    run.frames_asked = 3;
    const double strains[] = {0, 0.02, 0.3, 0.05};
    const double speeds[] = {0, 1, 0.1, 0.001};
    for (int f = 0; f < 4; ++f) {
        FrameCheck frame;
        frame.frame = f;
        frame.largest_strain = strains[f];
        frame.largest_rms_speed = speeds[f];
        run.frames.push_back(frame);
    }
    return run;
}

std::vector<BodyExtent> small_extents() {
    return {{"sheet", {.min = {0, 0, 0}, .max = {3, 0, 4}}},
            {"towel", {.min = {0, 0, 0}, .max = {1, 0, 0}}}};
}

std::vector<ExpectationCheck> checks(const ExpectSettings& expect, const RunCheck& run,
                                     const std::vector<BodyExtent>& extents = small_extents()) {
    Scene scene;
    scene.settings.frame_rate = 10;
    scene.expect = expect;
    return check_expectations(scene, run, extents);
}

bool held(const ExpectSettings& expect, const RunCheck& run = small_run()) {
    return checks(expect, run).back().held;
}

TEST(Expectations, OutcomeIsHowTheRunEnded) {
    RunCheck run = small_run();
    EXPECT_TRUE(held({.outcome = "complete"}, run));
    EXPECT_TRUE(held({.outcome = "either"}, run));
    EXPECT_FALSE(held({.outcome = "stops"}, run));
    EXPECT_FALSE(held({.outcome = "refused"}, run));
    run.status = RunStatus::Failed;
    EXPECT_FALSE(held({.outcome = "complete"}, run));
    EXPECT_TRUE(held({.outcome = "stops"}, run));
    EXPECT_TRUE(held({.outcome = "either"}, run));
    run.status = RunStatus::Interrupted;
    EXPECT_FALSE(held({.outcome = "either"}, run));
}

TEST(Expectations, StrainCountsInEveryFrame) {
    EXPECT_TRUE(held({.largest_strain = 0.3}));
    EXPECT_FALSE(held({.largest_strain = 0.29}));
    EXPECT_EQ(checks({.largest_strain = 0.1}, small_run()).back().sentence,
              "No strain is above 0.1: the largest is 0.3, in frame 2.");
}

TEST(Expectations, RestCountsFromTheFrameThatBeginsAtItsTime) {
    EXPECT_TRUE(held({.rest_from = 0.2}));
    EXPECT_FALSE(held({.rest_from = 0.1}));
    EXPECT_TRUE(held({.rest_from = 0.1, .rest_speed = 0.1}));
    EXPECT_FALSE(held({.rest_from = 0.3}));  // nothing was seen
}

TEST(Expectations, PlaceAndSpreadCountForEveryCloth) {
    EXPECT_TRUE(held({.ends_in = Box{.min = {-1, -1, -1}, .max = {3, 1, 4}}}));
    EXPECT_FALSE(held({.ends_in = Box{.min = {-1, -1, -1}, .max = {2.9, 1, 4}}}));
    EXPECT_TRUE(held({.least_spread = 1}));
    EXPECT_FALSE(held({.least_spread = 1.1}));
}

ExpectSettings all_keys() {
    return {.largest_strain = 1,
            .rest_from = 0,
            .ends_in = Box{.min = {0, 0, 0}, .max = {9, 9, 9}},
            .least_spread = 1};
}

TEST(Expectations, NothingHoldsForARunWithoutFrames) {
    RunCheck run = small_run();
    run.frames.clear();
    const std::vector<ExpectationCheck> found = checks(all_keys(), run, {});
    ASSERT_EQ(found.size(), 5u);
    for (size_t k = 1; k < found.size(); ++k) {
        EXPECT_FALSE(found[k].held) << found[k].sentence;
        EXPECT_NE(found[k].sentence.find("the run has no frame"), std::string::npos);
    }
}

TEST(Expectations, WhatIsNotANumberHoldsNothing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    RunCheck run = small_run();
    run.frames[2].largest_strain = nan;
    run.frames[2].largest_rms_speed = nan;
    std::vector<BodyExtent> extents = small_extents();
    extents[0].box.max[0] = nan;
    const std::vector<ExpectationCheck> found = checks(all_keys(), run, extents);
    for (size_t k = 1; k < found.size(); ++k) EXPECT_FALSE(found[k].held) << found[k].sentence;
    EXPECT_NE(found[1].sentence.find("in frame 2"), std::string::npos) << found[1].sentence;
    EXPECT_NE(found[4].sentence.find("'sheet'"), std::string::npos) << found[4].sentence;
}

TEST(Expectations, EachKeyIsOneSentence) {
    const ExpectSettings all = all_keys();
    EXPECT_EQ(checks(all, small_run()).size(), 5u);
    EXPECT_EQ(checks({}, small_run()).size(), 1u);
}

}  // namespace
}  // namespace toile
