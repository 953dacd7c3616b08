// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/move_steps.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

constexpr double kRoundOff = 1e-14;

void expect_moved(std::initializer_list<MoveStep> steps, const Vec3& from, const Vec3& to) {
    const Vec3 found = compose_moves(std::vector<MoveStep>(steps))(from);
    EXPECT_LE((found - to).norm(), kRoundOff * (1 + to.norm())) << found.transpose();
}

TEST(MoveSteps, AreDoneInTheirOrder) {
    const MoveStep up{MoveKind::Translate, "0,1,0"}, twice{MoveKind::Scale, "2"};
    expect_moved({up, twice}, {1, 0, 0}, {2, 2, 0});
    expect_moved({twice, up}, {1, 0, 0}, {2, 1, 0});
    expect_moved({up, up, up}, {0, 0, 0}, {0, 3, 0});
}

TEST(MoveSteps, RotateByTheRightHandRule) {
    expect_moved({{MoveKind::Rotate, "z,90"}}, {1, 0, 0}, {0, 1, 0});
    expect_moved({{MoveKind::Rotate, "x,90"}}, {0, 1, 0}, {0, 0, 1});
    expect_moved({{MoveKind::Rotate, "y,90"}}, {0, 0, 1}, {1, 0, 0});
    expect_moved({{MoveKind::Rotate, "0,0,-5,90"}}, {1, 0, 0}, {0, -1, 0});
    expect_moved({{MoveKind::Rotate, "1,1,1,120"}}, {1, 0, 0}, {0, 1, 0});
}

TEST(MoveSteps, AboutSetsTheCentreOfWhatComesAfterIt) {
    expect_moved({{MoveKind::About, "1,0,0"}, {MoveKind::Rotate, "z,180"}}, {2, 0, 0}, {0, 0, 0});
    expect_moved({{MoveKind::Rotate, "z,180"}, {MoveKind::About, "1,0,0"}}, {2, 0, 0}, {-2, 0, 0});
    expect_moved({{MoveKind::About, "1,0,0"}, {MoveKind::Scale, "3"}}, {2, 1, 0}, {4, 3, 0});
}

TEST(MoveSteps, ThereAndBackIsTheIdentityAtEveryScale) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const Vec3 p = scale * Vec3(0.3, -0.7, 0.2);
        expect_moved({{MoveKind::Rotate, "1,2,3,37"},
                      {MoveKind::Scale, "4"},
                      {MoveKind::Scale, "0.25"},
                      {MoveKind::Rotate, "1,2,3,-37"}},
                     p, p);
    }
}

TEST(MoveSteps, WhatIsNoStepIsRefused) {
    const std::vector<MoveStep> bad = {
        {MoveKind::Translate, "1,2"},    {MoveKind::Translate, "1,2,3,4"},
        {MoveKind::Translate, "1,2,up"}, {MoveKind::Translate, "1,2,nan"},
        {MoveKind::Translate, ""},       {MoveKind::Rotate, "w,90"},
        {MoveKind::Rotate, "90"},        {MoveKind::Rotate, "x,"},
        {MoveKind::Rotate, "0,0,0,90"},  {MoveKind::Rotate, "x,inf"},
        {MoveKind::Scale, "0"},          {MoveKind::Scale, "-1"},
        {MoveKind::Scale, "1,1,2"},      {MoveKind::About, "x"},
    };
    for (const MoveStep& step : bad) {
        EXPECT_THROW(compose_moves({&step, 1}), InvalidInput) << step.value;
    }
}

}  // namespace
}  // namespace toile
