// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/constraints.h"

#include "small_scenes.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

const std::vector<Vec3> kLine = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};

std::vector<int> vertices_of(const PinSetup& setup) {
    const PinGroup pin(setup, "cloth", kLine);
    return {pin.vertices().begin(), pin.vertices().end()};
}

std::string refusal(const PinSetup& setup) {
    try {
        const PinGroup pin(setup, "towel", kLine);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

TEST(PinGroup, FindsVerticesByNumberPlaceAndBox) {
    PinSetup setup;
    setup.vertices = {3, 3};
    setup.positions = {{0.9, 5, 0}};
    setup.box = Box{{-1, -1, -1}, {0, 1, 1}};
    EXPECT_EQ(vertices_of(setup), (std::vector<int>{0, 1, 3}));
}

TEST(PinGroup, SaysWhatCannotBeFound) {
    PinSetup missing;
    missing.vertices = {4};
    EXPECT_NE(refusal(missing).find("'towel' names vertex 4; the cloth has vertices 0 to 3"),
              std::string::npos);
    PinSetup empty_box;
    empty_box.box = Box{{5, 5, 5}, {6, 6, 6}};
    EXPECT_NE(refusal(empty_box).find("no vertex"), std::string::npos);
    PinSetup late;
    late.vertices = {0};
    late.keyframes = {{.time = -1}, {.time = 1, .translation = {1, 0, 0}}};
    EXPECT_NE(refusal(late).find("time 0"), std::string::npos);
}

TEST(PinGroup, TurnsAboutTheMeanOfItsVertices) {
    PinSetup setup;
    setup.vertices = {0, 2};
    setup.velocity = {0, 0, 1};
    setup.keyframes = {{.time = 0}, {.time = 1, .rotation = {{0, 1, 0}, 180}}};
    const PinGroup pin(setup, "cloth", kLine);
    EXPECT_FALSE(pin.stands_still());
    const Vec3 pivot = pin.pivot(0, pin.start_positions());
    const PinGroup::Motion motion = pin.motion(0, 1, pivot);
    EXPECT_LT((motion.apply(kLine[0]) - Vec3(2, 0, 1)).norm(), 1e-14);
    EXPECT_LT((motion.apply(kLine[2]) - Vec3(0, 0, 1)).norm(), 1e-14);
}

TEST(PinGroup, LeadsOnFromWhereItTookHold) {
    PinSetup setup;
    setup.vertices = {0, 2};
    setup.start = 0.5;
    setup.pieces = {{0.25, {0, 2, 0}}, {1, {0, 0, 1}}};
    setup.keyframes = {{.time = 0}, {.time = 1, .rotation = {{0, 1, 0}, 180}}, {.time = 2}};
    const PinGroup pin(setup, "cloth", kLine);
    const std::vector<Vec3> anchors = {{0, 0, 5}, {2, 0, 5}};
    const Vec3 pivot = pin.pivot(0.5, anchors);
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_LT((pin.motion(0.5, 0.5, pivot).apply(anchors[i]) - anchors[i]).norm(), 1e-14);
    }
    // From 0.5 s to 2 s the turn of 90 degrees that was left at 0.5 s is taken back.
    const PinGroup::Motion motion = pin.motion(0.5, 2, pivot);
    EXPECT_LT((motion.way - Vec3(0, 1, 1)).norm(), 1e-14);
    EXPECT_LT((motion.apply(anchors[0]) - Vec3(1, 1, 5)).norm(), 1e-14);
    EXPECT_LT((motion.apply(anchors[1]) - Vec3(1, 1, 7)).norm(), 1e-14);
}

TEST(MakePins, RefusesAVertexHeldTwice) {
    ClothSetup cloth;
    cloth.name = "towel";
    cloth.pins.resize(2);
    cloth.pins[0].vertices = {0, 1};
    cloth.pins[1].vertices = {1};
    EXPECT_THROW(make_pins(cloth, kLine), InvalidInput);
    cloth.pins[0].end = 1;
    cloth.pins[1].start = 1;
    EXPECT_EQ(make_pins(cloth, kLine).size(), 2u);
    cloth.pins[1].start = 0.999;
    EXPECT_THROW(make_pins(cloth, kLine), InvalidInput);
}

}  // namespace
}  // namespace toile
