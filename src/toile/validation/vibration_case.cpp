// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace toile {
namespace {

constexpr double kFrequencyBound = 0.02;
constexpr double kFrameRate = 2000;  // 1/s; a step a frame: backward Euler slows by (ω step)² / 3
constexpr double kBend = 1e-4;       // N m, of the cantilever
constexpr int kCells = 24;

/// A strip from `from` to `from` + length along an axis, without damping.
ClothSetup undamped_strip(double length, double bend) {
    ClothSetup cloth;
    cloth.name = "strip";
    cloth.fabric.density = 0.15;
    cloth.fabric.thickness = 1e-4;  // nothing touches
    cloth.fabric.stretch_warp = cloth.fabric.stretch_weft = 2000;
    cloth.fabric.bend_warp = cloth.fabric.bend_weft = cloth.fabric.bend_twist = bend;
    cloth.fabric.stretch_damping = cloth.fabric.shear_damping = cloth.fabric.bend_damping = 0;
    const double cell = length / kCells;
    cloth.shape = rectangle_shape(length + cell, 4 * cell, kCells + 1, 4);
    return cloth;
}

Scene vibration_scene(const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.settings.frame_rate = kFrameRate;
    scene.solver.steps_per_frame = 1;
    return scene;
}

/// Every vertex begins with the speed of a mode along y (0 where it is held).
void strike(World& world, const std::function<double(const Vec3& rest)>& mode) {
    std::vector<Vec3> velocities;
    for (const Vec3& p : world.cloths()[0].mesh.positions) velocities.push_back({0, mode(p), 0});
    world.set_velocities(0, velocities);
}

/// Angular frequency, rad/s, of the height of a vertex, from its first and third passage through
/// where it began.
double frequency(World& world, int vertex) {
    constexpr int kMostFrames = 4000;
    std::vector<double> zeros;
    double before = 0;
    const double start = world.positions(0)[vertex][1];
    for (int i = 0; i < kMostFrames && zeros.size() < 3; ++i) {
        run_frames(world, 1);
        const double now = world.positions(0)[vertex][1] - start;
        if (before * now < 0) {
            zeros.push_back(world.time() - now / (now - before) / kFrameRate);
        }
        before = now;
    }
    if (zeros.size() < 3) throw ComputationFailed("The strip does not swing.");
    return 2 * std::numbers::pi / (zeros[2] - zeros[0]);
}

double cantilever_frequency(double length, double beta, const ValidationOptions& options) {
    Scene scene = vibration_scene(options);
    scene.settings.gravity = {0, 0, 0};
    ClothSetup cloth = undamped_strip(length, kBend);
    const double cell = length / kCells;
    cloth.translation = {(length - cell) / 2, 0, 0};
    cloth.pins = {holding(slab(0, -2 * cell, cell / 2))};
    scene.cloths = {cloth};
    World world(scene);
    const double ratio = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
    strike(world, [&](const Vec3& p) {
        const double z = beta * std::max(p[0], 0.0) / length;
        return 0.01 * (std::cosh(z) - std::cos(z) - ratio * (std::sinh(z) - std::sin(z)));
    });
    return frequency(world, vertices_in(world, slab(0, length - cell / 2, 2 * length))[0]);
}

/// A limp strip that hangs from one end: it swings along y, so gravity is along -x.
double chain_frequency(double length, double bessel_zero, const ValidationOptions& options) {
    Scene scene = vibration_scene(options);
    scene.settings.gravity = {kStandardGravity, 0, 0};
    ClothSetup cloth = undamped_strip(length, 1e-9);
    const double cell = length / kCells;
    cloth.translation = {(length - cell) / 2, 0, 0};
    cloth.pins = {holding(slab(0, -2 * cell, cell / 2))};
    scene.cloths = {cloth};
    World world(scene);
    strike(world, [&](const Vec3& p) {
        const double from_end = 1 - std::max(p[0], 0.0) / length;
        return 0.02 * std::cyl_bessel_j(0, bessel_zero * std::sqrt(std::max(from_end, 0.0)));
    });
    return frequency(world, vertices_in(world, slab(0, length - cell / 2, 2 * length))[0]);
}

}  // namespace

ValidationResult vibration_case(const ValidationOptions& options) {
    ValidationResult result;
    constexpr double kLength = 0.1, kChain = 0.3;
    int mode = 0;
    for (const double beta : {1.87510, 4.69409}) {
        const double answer = beta * beta * std::sqrt(kBend / (0.15 * std::pow(kLength, 4)));
        result.rows.push_back(relative_row(fmt::format("cantilever, mode {}, rad/s", ++mode),
                                           answer, cantilever_frequency(kLength, beta, options),
                                           kFrequencyBound));
    }
    mode = 0;
    for (const double zero : {2.404826, 5.520078}) {
        const double answer = zero / 2 * std::sqrt(kStandardGravity / kChain);
        result.rows.push_back(
            relative_row(fmt::format("hanging limp strip, mode {}, rad/s", ++mode), answer,
                         chain_frequency(kChain, zero, options), kFrequencyBound));
    }
    return result;
}

}  // namespace toile
