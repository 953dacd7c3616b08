// SPDX-License-Identifier: Apache-2.0
#include "toile/render/camera.h"

#include "toile/core/error.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace toile {
namespace {

constexpr View kViews[] = {View::Front, View::Side, View::Top, View::ThreeQuarter,
                           View::ThreeQuarterLeft};

std::vector<Vec3> box_corners(const Vec3& center, const Vec3& half) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign((i & 1) * 2 - 1, (i & 2) - 1, (i & 4) / 2 - 1);
        corners.push_back(center + half.cwiseProduct(sign));
    }
    return corners;
}

/// Largest offset from the middle of the picture, where 1 is its border.
Vec2 reach(const Camera& camera, const ImageSize& size, const std::vector<Vec3>& points) {
    Vec2 largest = Vec2::Zero();
    for (const Vec3& p : points) {
        const auto pixel = project(camera, size, p);
        EXPECT_TRUE(pixel.has_value());
        if (!pixel) continue;
        const Vec2 half(0.5 * size.width, 0.5 * size.height);
        largest = largest.cwiseMax(((*pixel - half).array() / half.array()).abs().matrix());
    }
    return largest;
}

TEST(Camera, ProjectsItsTargetToTheMiddleAndUpToTheTop) {
    const Camera camera{{1, 2, 5}, {0, 1, 0}};
    const ImageSize size{200, 100};
    EXPECT_LT((*project(camera, size, camera.to) - Vec2(100, 50)).norm(), 1e-9);
    EXPECT_LT((*project(camera, size, camera.to + Vec3(0, 0.1, 0))).y(), 50);
    EXPECT_FALSE(project(camera, size, camera.from + Vec3(1, 2, 5)).has_value());
}

TEST(Camera, FieldOfViewSpansTheHeightOfThePicture) {
    const Camera camera{{0, 0, 2}, {0, 0, 0}, {0, 1, 0}, 1.0};
    const auto pixel = project(camera, {300, 100}, {0, 2 * std::tan(0.5), 0});
    EXPECT_NEAR(pixel->y(), 0, 1e-9);
}

TEST(Camera, AxesAreOrthonormalAlsoWhereItLooksAlongUp) {
    for (const Vec3& to : {Vec3(0, -1, 0), Vec3(0, 1, 0), Vec3(1, 2, 3)}) {
        const CameraAxes axes = camera_axes({{0, 0, 0}, to});
        Mat3 m;
        m << axes.right, axes.up, -axes.forward;
        EXPECT_LT((m.transpose() * m - Mat3::Identity()).norm(), 1e-12);
        EXPECT_NEAR(m.determinant(), 1, 1e-12);
    }
}

TEST(Camera, RefusesWhatMakesNoPicture) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(camera_axes({{0, 0, 0}, {0, 0, 0}}), InvalidInput);
    EXPECT_THROW(camera_axes({{0, nan, 1}, {0, 0, 0}}), InvalidInput);
    EXPECT_THROW(camera_axes({{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}), InvalidInput);
    EXPECT_THROW(camera_axes({{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 4.0}), InvalidInput);
}

TEST(Framing, ShowsEveryCornerOfTheBoxAndTouchesTheFilledPart) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        const auto corners = box_corners(scale * Vec3(3, -2, 7), scale * Vec3(0.5, 0.8, 0.1));
        for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(0, 2, 0.3)}) {
            for (const View view : kViews) {
                for (const ImageSize& size : {ImageSize{640, 360}, ImageSize{100, 300}}) {
                    const Framing framing{direction_to_camera(view, up), up, 0.6, size, 0.8};
                    const Vec2 r = reach(frame_points(corners, framing), size, corners);
                    EXPECT_LE(r.maxCoeff(), 0.8 + 1e-9);
                    EXPECT_GE(r.maxCoeff(), 0.8 - 1e-9);
                }
            }
        }
    }
}

TEST(Framing, ManagesPointsWithoutExtent) {
    for (const std::vector<Vec3>& points :
         {std::vector<Vec3>{}, std::vector<Vec3>{{1, 2, 3}, {1, 2, 3}},
          std::vector<Vec3>{{0, 0, 0}, {0, 0, 5}}}) {
        const Camera camera = frame_points(points, {});
        EXPECT_LE(reach(camera, {}, points).maxCoeff(), 1);
    }
}

TEST(Framing, TakesPointsBitByBit) {
    const auto corners = box_corners({1, 2, 3}, {1, 1, 2});
    CameraFraming framing({.to_camera = {1, 1, 1}});
    for (const Vec3& p : corners) framing.add(std::span(&p, 1));
    const Camera expected = frame_points(corners, {.to_camera = {1, 1, 1}});
    EXPECT_EQ(framing.camera().from, expected.from);
}

TEST(Framing, RefusesPositionsThatAreNotFinite) {
    const std::vector<Vec3> points = {{0, 0, std::numeric_limits<double>::infinity()}};
    EXPECT_THROW(frame_points(points, {}), InvalidInput);
}

TEST(View, IsFoundByNameAndSuggestsTheNearest) {
    EXPECT_EQ(parse_view("three-quarter"), View::ThreeQuarter);
    try {
        parse_view("frnt");
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("'front'"), std::string::npos) << e.what();
    }
}

TEST(View, FrontIsPlusZWhereYIsUpAndMinusYWhereZIs) {
    EXPECT_LT((direction_to_camera(View::Front, {0, 1, 0}) - Vec3(0, 0, 1)).norm(), 1e-12);
    EXPECT_LT((direction_to_camera(View::Side, {0, 1, 0}) - Vec3(1, 0, 0)).norm(), 1e-12);
    EXPECT_LT((direction_to_camera(View::Front, {0, 0, 1}) - Vec3(0, -1, 0)).norm(), 1e-12);
    EXPECT_LT((direction_to_camera(View::Side, {0, 0, 1}) - Vec3(1, 0, 0)).norm(), 1e-12);
    EXPECT_GT(direction_to_camera(View::Top, {0, 0, -1}).dot(Vec3(0, 0, -1)), 0.999);
}

}  // namespace
}  // namespace toile
