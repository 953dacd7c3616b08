// SPDX-License-Identifier: Apache-2.0
#include "toile/render/ray_tracer.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace toile {
namespace {

constexpr ImageSize kSmall{96, 64};

/// A unit square in the xy plane, front towards +z, as a grid of n x n quads.
RenderBody square(int n = 4, double half = 0.5) {
    RenderBody body;
    body.name = "square";
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            body.positions.emplace_back(half * (2.0 * i / n - 1), half * (2.0 * j / n - 1), 0);
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const int v = j * (n + 1) + i;
            body.triangles.push_back({v, v + 1, v + n + 2});
            body.triangles.push_back({v, v + n + 2, v + n + 1});
        }
    }
    body.look = cloth_look(0);
    return body;
}

/// A sphere of unit radius as a grid of longitudes and latitudes, with poles along y.
RenderBody sphere(int n) {
    RenderBody body;
    body.name = "sphere";
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i < 2 * n; ++i) {
            const double a = std::numbers::pi * i / n;
            const double b = std::numbers::pi * j / n;
            body.positions.emplace_back(std::sin(b) * std::cos(a), std::cos(b),
                                        std::sin(b) * std::sin(a));
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < 2 * n; ++i) {
            const int k = (i + 1) % (2 * n);
            body.triangles.push_back({j * 2 * n + i, j * 2 * n + k, (j + 1) * 2 * n + i});
            body.triangles.push_back({j * 2 * n + k, (j + 1) * 2 * n + k, (j + 1) * 2 * n + i});
        }
    }
    body.look = obstacle_look(0);
    return body;
}

SceneView scene_of(RenderBody body) {
    SceneView view;
    view.bodies.push_back(std::move(body));
    return view;
}

Camera camera_from(const SceneView& view, const Vec3& to_camera) {
    return frame_points(points_to_frame(view), {.to_camera = to_camera, .size = kSmall});
}

Image shoot(const SceneView& view, const Vec3& to_camera = {0, 0, 1}, int samples = 8) {
    return render_picture(view, camera_from(view, to_camera), {kSmall, samples});
}

double brightness(const Rgb8& p) {
    return (p[0] + p[1] + p[2]) / 3.0;
}

double mean_brightness(const Image& image, int x0, int x1, int y0, int y1) {
    double sum = 0;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) sum += brightness(image.at(x, y));
    }
    return sum / ((x1 - x0) * (y1 - y0));
}

TEST(RayTracer, EmptySceneShowsTheBackdrop) {
    const SceneView view;
    const Image image = render_picture(view, {}, {kSmall, 2});
    const Rgb8 middle = image.at(kSmall.width / 2, kSmall.height / 2);
    const Rgb8 expected = to_display(view.backdrop);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(middle[c], expected[c], 1);
}

TEST(RayTracer, EmptyFloorLooksLikeTheBackdrop) {
    SceneView view;
    const Image without = render_picture(view, {{0, 1, 1}, {0, 0, 0}}, {kSmall, 4});
    view.floor_height = -1;
    const Image with = render_picture(view, {{0, 1, 1}, {0, 0, 0}}, {kSmall, 4});
    EXPECT_NEAR(mean_brightness(without, 0, 96, 0, 64), mean_brightness(with, 0, 96, 0, 64), 1.5);
}

TEST(RayTracer, ShowsEachSideInItsOwnColour) {
    RenderBody body = square();
    body.look.front = parse_color("#c02020");
    body.look.back = parse_color("#2020c0");
    const SceneView view = scene_of(body);
    const Rgb8 front = shoot(view, {0, 0, 1}).at(48, 32);
    const Rgb8 back = shoot(view, {0, 0, -1}).at(48, 32);
    EXPECT_GT(front[0], 3 * front[2]);
    EXPECT_GT(back[2], 3 * back[0]);
}

TEST(RayTracer, SphereIsBrightTowardsTheKeyLightAndDarkAwayFromIt) {
    const Image image = shoot(scene_of(sphere(24)), {0, 0, 1}, 16);
    // The key light stands above, to the left, before the scene.
    const double lit = mean_brightness(image, 38, 44, 18, 24);
    const double shadow = mean_brightness(image, 56, 62, 44, 50);
    EXPECT_GT(lit, shadow + 40);
    EXPECT_GT(shadow, 40);  // but the surroundings fill it
}

TEST(RayTracer, LooksTheSameAtEveryScale) {
    const SceneView one = scene_of(sphere(16));
    const Image expected = shoot(one, {1, 1, 1});
    for (const double scale : {1e-3, 1e3}) {
        SceneView view = one;
        for (Vec3& p : view.bodies[0].positions) p *= scale;
        const Image image = shoot(view, {1, 1, 1});
        for (const auto& [x0, y0] : {std::pair{0, 0}, {32, 0}, {32, 32}, {64, 32}}) {
            EXPECT_NEAR(mean_brightness(image, x0, x0 + 32, y0, y0 + 32),
                        mean_brightness(expected, x0, x0 + 32, y0, y0 + 32), 0.1);
        }
    }
}

TEST(RayTracer, BodyOnTheFloorCastsAShadow) {
    SceneView view = scene_of(sphere(24));
    view.floor_height = lowest_height(view);
    EXPECT_NEAR(*view.floor_height, -1, 1e-9);
    const Camera camera{{0, 2, 9}, {0, 0, 0}};
    const Image image = render_picture(view, camera, {kSmall, 16});
    const Vec3 behind_right(1.1, -1, -0.5);  // away from the key light
    const Vec3 front_left(-1.6, -1, 0.8);
    const auto at = [&](const Vec3& p) {
        const Vec2 pixel = *project(camera, kSmall, p);
        return brightness(image.at(static_cast<int>(pixel.x()), static_cast<int>(pixel.y())));
    };
    EXPECT_LT(at(behind_right), at(front_left) - 40);
}

TEST(RayTracer, SmoothSurfaceDoesNotShadeItself) {
    // Of a flat cloth every point sees the same light: no spots from shadows of its own triangles.
    const Image image = shoot(scene_of(square(40)), {0, 0, 1});
    const Rgb8 first = image.at(40, 24);
    for (int y = 24; y < 40; ++y) {
        for (int x = 40; x < 56; ++x) {
            EXPECT_NEAR(brightness(image.at(x, y)), brightness(first), 3);
        }
    }
}

TEST(RayTracer, GivesTheSameBitsOnAnyNumberOfThreads) {
    SceneView view = scene_of(sphere(48));
    view.bodies.push_back(square(20, 1.5));
    view.floor_height = lowest_height(view);
    Image expected;
    {
        const ThreadLimit one(1);
        expected = shoot(view, {1, 0.5, 1}, 4);
    }
    for (const int n : {2, 3}) {
        const ThreadLimit limit(n);
        EXPECT_EQ(shoot(view, {1, 0.5, 1}, 4).pixels, expected.pixels);
    }
}

TEST(RayTracer, FewSamplesShowWhatManyDo) {
    SceneView view = scene_of(sphere(24));
    view.bodies.push_back(square(8, 1.5));
    view.floor_height = lowest_height(view);
    const Image few = shoot(view, {1, 0.6, 1}, 8);
    const Image many = shoot(view, {1, 0.6, 1}, 256);
    for (int y = 0; y < kSmall.height; y += 16) {
        for (int x = 0; x < kSmall.width; x += 16) {
            EXPECT_NEAR(mean_brightness(few, x, x + 16, y, y + 16),
                        mean_brightness(many, x, x + 16, y, y + 16), 1.5);
        }
    }
}

TEST(RayTracer, EdgesDrawDarkLines) {
    RenderBody body = square(2);
    const Image plain = shoot(scene_of(body), {0, 0, 1}, 16);
    body.look.edges = true;
    const Image lined = shoot(scene_of(body), {0, 0, 1}, 16);
    EXPECT_LT(brightness(lined.at(48, 20)), brightness(plain.at(48, 20)) - 12);
    EXPECT_EQ(lined.at(42, 30), plain.at(42, 30));
}

TEST(RayTracer, PatternFollowsTheTextureCoordinates) {
    RenderBody body = square(1);
    body.look.pattern = Pattern::Checker;
    body.look.pattern_size = 0.5;
    body.uvs = flat_coordinates(body.positions);
    body.uv_triangles = body.triangles;
    const Image image = shoot(scene_of(body));
    const double a = brightness(image.at(40, 24));
    const double b = brightness(image.at(56, 24));
    EXPECT_GT(std::abs(a - b), 20);
    EXPECT_NEAR(brightness(image.at(56, 40)), a, 8);
    EXPECT_NEAR(brightness(image.at(40, 40)), b, 8);
}

TEST(RayTracer, DegenerateTrianglesDoNotSpoilThePicture) {
    RenderBody body = square();
    const Image expected = shoot(scene_of(body));
    body.triangles.push_back({0, 0, 0});
    body.triangles.push_back({0, 1, 1});
    body.triangles.push_back({0, 1, 2});  // on one line
    const Image image = shoot(scene_of(body));
    EXPECT_NEAR(mean_brightness(image, 0, 96, 0, 64), mean_brightness(expected, 0, 96, 0, 64), 0.5);
}

TEST(RayTracer, BodyWithoutTrianglesIsNotSeen) {
    SceneView view = scene_of(square());
    const Image expected = shoot(view);
    view.bodies.emplace_back().name = "nothing";
    EXPECT_EQ(shoot(view).pixels, expected.pixels);
}

TEST(RayTracer, RefusesPositionsThatAreNotFiniteAndNamesThem) {
    SceneView view = scene_of(square());
    view.bodies[0].positions[3].y() = std::numeric_limits<double>::quiet_NaN();
    try {
        render_picture(view, {}, {kSmall, 1});
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_STREQ(e.what(), "Vertex 3 of body 'square' has a position that is not finite.");
    }
}

TEST(RayTracer, RefusesWhatIsNotComplete) {
    SceneView view = scene_of(square());
    EXPECT_THROW(render_picture(view, {}, {{0, 5}, 1}), InvalidInput);
    EXPECT_THROW(render_picture(view, {}, {kSmall, 0}), InvalidInput);
    view.bodies[0].look.pattern = Pattern::Checker;
    EXPECT_THROW(render_picture(view, {}, {kSmall, 1}), InvalidInput);
    view = scene_of(square());
    view.bodies[0].triangles.push_back({0, 1, 999});
    EXPECT_THROW(render_picture(view, {}, {kSmall, 1}), InvalidInput);
    view = scene_of(square());
    view.up.setZero();
    EXPECT_THROW(render_picture(view, {}, {kSmall, 1}), InvalidInput);
}

TEST(SceneView, CameraFramesSubjectsNotAHugeFloor) {
    SceneView view = scene_of(square());
    view.bodies.push_back(square(1, 100));
    view.bodies.back().is_subject = false;
    for (const Vec3& p : points_to_frame(view)) EXPECT_LT(p.norm(), 1);
    view.bodies[1] = square(1, 0.7);
    view.bodies[1].is_subject = false;
    double widest = 0;
    for (const Vec3& p : points_to_frame(view)) widest = std::max(widest, p.x());
    EXPECT_DOUBLE_EQ(widest, 0.7);
}

TEST(SceneView, HugeFlatObstacleBecomesTheFloor) {
    SceneView view = scene_of(square());
    for (const Vec3& up : {Vec3(0, 1, 0), Vec3(0, 0, 2)}) {
        view.up = up;
        view.bodies.resize(1);
        view.floor_height.reset();
        view.bodies.push_back(square(1, 100));  // across z
        view.bodies.back().is_subject = false;
        for (Vec3& p : view.bodies[1].positions) p.z() -= 3;
        replace_floors(view);
        EXPECT_EQ(view.floor_height.has_value(), up.z() > 0);
        EXPECT_EQ(view.bodies[1].triangles.empty(), up.z() > 0);
        EXPECT_FALSE(view.bodies[0].triangles.empty());
    }
    EXPECT_DOUBLE_EQ(*view.floor_height, -3);
}

TEST(SceneView, FlatCoordinatesLeaveOutTheThinAxis) {
    const std::vector<Vec3> points = {{0, 5, 0}, {1, 5, 2}};
    const std::vector<Vec2> uvs = flat_coordinates(points);
    EXPECT_DOUBLE_EQ((uvs[1] - uvs[0]).norm(), std::sqrt(5.0));
    EXPECT_TRUE(flat_coordinates({}).empty());
}

TEST(SceneView, PatternIsFoundByName) {
    EXPECT_EQ(parse_pattern("weave"), Pattern::Weave);
    EXPECT_THROW(parse_pattern("weav"), InvalidInput);
}

}  // namespace
}  // namespace toile
