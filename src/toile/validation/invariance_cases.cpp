// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

struct Momentum {
    Vec3 linear = Vec3::Zero();   // kg m/s
    Vec3 angular = Vec3::Zero();  // kg m²/s, about the origin
};

Momentum momentum_of(const World& world) {
    Momentum sum;
    const auto masses = world.cloths()[0].cloth.masses();
    const auto x = world.positions(0), v = world.velocities(0);
    for (size_t i = 0; i < masses.size(); ++i) {
        sum.linear += masses[i] * v[i];
        sum.angular += masses[i] * x[i].cross(v[i]);
    }
    return sum;
}

ClothSetup sheet(double size, int cells) {
    ClothSetup cloth;
    cloth.name = "cloth";
    cloth.shape = rectangle_shape(size, size, cells, cells);
    cloth.fabric = named_fabric("cotton");
    cloth.material = cloth.fabric.name;
    return cloth;
}

ObstacleSetup ball(const std::string& name, double radius, int subdivisions) {
    ObstacleSetup body;
    body.name = name;
    body.shape = {"sphere", {{"radius", radius}, {"subdivisions", double(subdivisions)}}};
    body.material = "rigid";
    return body;
}

/// A sheet that falls on a ball.
Scene small_drape(const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.cloths = {sheet(0.6, 16)};
    scene.cloths[0].translation = {0.02, 0.17, 0.01};
    scene.obstacles = {ball("ball", 0.15, 2)};
    return scene;
}

constexpr int kDrapeFrames = 20;
constexpr double kMovedBound = 5e-4;  // m: a thousandth of the sheet

Scene falling_sheet(const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.cloths = {sheet(0.5, 14)};
    return scene;
}

/// Let go from level, held at the two corners of one side.
Scene swinging_sheet(const ValidationOptions& options) {
    Scene scene = falling_sheet(options);
    PinSetup corners;
    corners.vertices = {0, 14};
    scene.cloths[0].pins = {corners};
    return scene;
}

/// Hangs from one side; a ball comes from the front, stays, and the sheet lies against it.
Scene pushed_sheet(const ValidationOptions& options) {
    Scene scene = falling_sheet(options);
    scene.cloths[0].shape->parameters.insert_or_assign("orientation", std::string("upright"));
    PinSetup side;
    for (int v = 0; v <= 14; ++v) side.vertices.push_back(14 * 15 + v);
    scene.cloths[0].pins = {side};
    scene.obstacles = {ball("ball", 0.1, 2)};
    scene.obstacles[0].translation = {0.01, -0.05, 0.12};
    scene.obstacles[0].pieces = {{0, Vec3(0, 0, -0.3)}, {0.4, Vec3(0, 0, 0)}};
    return scene;
}

double number_of_different_coordinates(const World& a, const World& b) {
    int different = 0;
    for (size_t v = 0; v < a.positions(0).size(); ++v) {
        for (int i = 0; i < 3; ++i) different += a.positions(0)[v][i] != b.positions(0)[v][i];
    }
    return different;
}

/// The scene turned by a rotation about the origin, gravity with it, and then put elsewhere.
struct Motion {
    Mat3 rotation;
    Vec3 translation;
};

AxisAngle as_axis_angle(const Mat3& rotation) {
    const Eigen::AngleAxisd turn(rotation);
    return {turn.axis(), turn.angle() * 180 / std::numbers::pi};
}

Scene moved(Scene scene, const Motion& motion) {
    scene.settings.gravity = motion.rotation * scene.settings.gravity;
    const auto move = [&](BodySetup& body) {
        body.rotation = as_axis_angle(motion.rotation);
        body.translation = motion.rotation * body.translation + motion.translation;
    };
    for (ClothSetup& cloth : scene.cloths) move(cloth);
    for (ObstacleSetup& obstacle : scene.obstacles) {
        move(obstacle);
        for (VelocityPiece& piece : obstacle.pieces) {
            piece.velocity = motion.rotation * piece.velocity;
        }
    }
    return scene;
}

/// m, root mean square.
double distance(const World& world, const World& moved_world, const Motion& motion) {
    double sum = 0;
    const auto x = world.positions(0), y = moved_world.positions(0);
    for (size_t v = 0; v < x.size(); ++v) {
        sum += (motion.rotation * x[v] + motion.translation - y[v]).squaredNorm();
    }
    return std::sqrt(sum / static_cast<double>(x.size()));
}

}  // namespace

ValidationResult free_flight_case(const ValidationOptions& options) {
    constexpr double kRounding = 1e-12;
    Scene scene = experiment_scene(options);
    scene.settings.gravity = {0, 0, 0};
    scene.cloths = {sheet(0.4, 12)};
    scene.cloths[0].velocity = {1, 2, 0.5};
    scene.cloths[0].spin = {{1, 2, 0.3}, 180};
    World world(scene);
    const Momentum before = momentum_of(world);
    run_frames(world, 25);
    const Momentum after = momentum_of(world);
    const Vec3 spin_before = before.angular, spin_after = after.angular;
    return {
        .rows = {absolute_row("lost part of momentum in 1 s", 0,
                              (after.linear - before.linear).norm() / before.linear.norm(),
                              kRounding),
                 absolute_row("lost part of angular momentum in 1 s", 0,
                              (spin_after - spin_before).norm() / spin_before.norm(), kRounding)},
        .curves = {}};
}

ValidationResult far_body_case(const ValidationOptions& options) {
    ValidationResult result;
    World alone(small_drape(options));
    run_frames(alone, kDrapeFrames);
    for (const double away : {10.0, 1000.0}) {
        Scene scene = small_drape(options);
        scene.obstacles.push_back(ball("far", 0.3, 1));
        scene.obstacles.back().translation = {away, 0, -away};
        World world(scene);
        run_frames(world, kDrapeFrames);
        result.rows.push_back(
            absolute_row(fmt::format("coordinates changed by a body {:g} m away", away), 0,
                         number_of_different_coordinates(alone, world), 0));
    }
    return result;
}

ValidationResult moved_scene_case(const ValidationOptions& options) {
    ValidationResult result;
    const Motion motion = {Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(),
                           Vec3(0.5, -0.25, 1)};
    const auto compare = [&](const char* what, const Scene& scene, double bound) {
        World world(scene), moved_world(moved(scene, motion));
        run_frames(world, kDrapeFrames);
        run_frames(moved_world, kDrapeFrames);
        result.rows.push_back(absolute_row(fmt::format("rms distance after 0.8 s, m, {}", what), 0,
                                           distance(world, moved_world, motion), bound));
    };
    compare("free fall", falling_sheet(options), kMovedBound);
    compare("swinging on two corners", swinging_sheet(options), kMovedBound);
    compare("pushed by a ball", pushed_sheet(options), kMovedBound);
    return result;
}

}  // namespace toile
