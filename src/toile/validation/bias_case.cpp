// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kWidth = 0.05, kLength = 0.3;  // m, between the grips
constexpr double kStretch = 1000, kShear = 20;  // N/m
constexpr int kCellsAcross = 8, kCellsAlong = 6 * kCellsAcross;
constexpr double kBiasBound = 0.02;
constexpr double kDegrees = 180 / std::numbers::pi;

Scene bias_scene(const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.settings.gravity = {0, 0, 0};
    scene.air.linear_drag = 20;  // 1/s; no part of the shape at rest
    ClothSetup cloth;
    cloth.name = "specimen";
    cloth.shape = rectangle_shape(kLength, kWidth, kCellsAlong, kCellsAcross);
    cloth.rotation = {{0, 1, 0}, 45};  // without UVs the warp is along x: at 45 degrees to the pull
    cloth.rest_from_uvs = false;
    cloth.fabric.thickness = 1e-4;  // nothing touches
    cloth.fabric.stretch_warp = cloth.fabric.stretch_weft = kStretch;
    cloth.fabric.shear = kShear;
    scene.cloths = {cloth};
    return scene;
}

const Vec3 kPull = Vec3(1, 0, -1).normalized();  // x turned by 45 degrees about y

std::vector<int> grip(const World& world, double side) {
    std::vector<int> found;
    const auto& rest = world.cloths()[0].mesh.positions;
    for (int v = 0; v < static_cast<int>(rest.size()); ++v) {
        if (side * rest[v].dot(kPull) > 0.499 * kLength) found.push_back(v);
    }
    return found;
}

int vertex_at(const World& world, const Vec3& place) {
    const auto& rest = world.cloths()[0].mesh.positions;
    const auto distance = [&](const Vec3& p) { return (p - place).squaredNorm(); };
    return static_cast<int>(std::ranges::min_element(rest, {}, distance) - rest.begin());
}

struct Middle {
    double along = 0;   ///< stretch along the pull
    double across = 0;  ///< across it
    double shear = 0;   ///< rad by which the right angle between the threads has closed
};

/// From the vertices a cell or two round the middle.
Middle in_the_middle(const World& world) {
    constexpr double kCell = kWidth / kCellsAcross;
    const auto line = [&](const Vec3& half) -> Vec3 {
        const auto x = world.positions(0);
        return x[vertex_at(world, half)] - x[vertex_at(world, -half)];
    };
    const Vec3 across(1, 0, 1);
    const Vec3 warp = line(std::numbers::sqrt2 * kCell * Vec3(1, 0, 0));
    const Vec3 weft = line(std::numbers::sqrt2 * kCell * Vec3(0, 0, -1));
    return {.along = line(kCell * kPull).norm() / (2 * kCell),
            .across = line(kCell * across.normalized()).norm() / (2 * kCell),
            .shear = std::asin(warp.normalized().dot(weft.normalized()))};
}

/// Of an even strip pulled at 45 degrees whose sides are free: stretched by a along the pull and b
/// across it, both threads are of length l = sqrt((a² + b²) / 2), the cosine between them times l²
/// is c = (a² - b²) / 2, and the energy k (l - 1)² + G c² / 2 per area is least in b:
/// k (l - 1) / l = G c. Threads that do not stretch (k >> G) give the trellis, l = 1.
Middle even_strip(double a) {
    double low = 0.1, high = a;
    for (int i = 0; i < 60; ++i) {
        const double b = (low + high) / 2;
        const double l = std::sqrt((a * a + b * b) / 2), c = (a * a - b * b) / 2;
        (kStretch * (l - 1) / l < kShear * c ? low : high) = b;
    }
    const double b = (low + high) / 2;
    return {.along = a, .across = b, .shear = std::asin((a * a - b * b) / (a * a + b * b))};
}

}  // namespace

ValidationResult bias_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {.name = "bias-extension",
                             .title = "Bias extension: shear angle in the middle",
                             .x_label = "stretch along the pull",
                             .y_label = "degrees",
                             .series = {{.name = "even strip", .exact = true, .points = {}},
                                        {.name = "Toile", .points = {}}}};
    for (int i = 0; i <= 50; ++i) {
        const double a = 1 + 0.005 * i;
        curve.series[0].points.push_back({a, kDegrees * even_strip(a).shear});
    }
    World world(bias_scene(options));
    constexpr double kSpeed = 0.02;  // m/s, of each grip
    constexpr int kFramesOfPull = 7;
    for (int pull = 0; pull < 3; ++pull) {
        world.pin(0, grip(world, 1), kSpeed * kPull);
        world.pin(0, grip(world, -1), -kSpeed * kPull);
        run_frames(world, (pull + 1) * kFramesOfPull);
        world.pin(0, grip(world, 1));
        world.pin(0, grip(world, -1));
        settle(world, {.speed = 1e-5});
        const Middle found = in_the_middle(world), exact = even_strip(found.along);
        result.rows.push_back(
            relative_row(fmt::format("shear, degrees, at a stretch of {:.3f}", found.along),
                         kDegrees * exact.shear, kDegrees * found.shear, kBiasBound));
        result.rows.push_back(relative_row(fmt::format("width at a stretch of {:.3f}", found.along),
                                           exact.across, found.across, kBiasBound));
        curve.series[1].points.push_back({found.along, kDegrees * found.shear});
    }
    result.curves = {curve};
    return result;
}

}  // namespace toile
