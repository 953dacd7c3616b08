// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/experiment.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <limits>

namespace toile {

Scene experiment_scene(const ValidationOptions& options) {
    Scene scene;
    scene.settings.gravity = {0, -kStandardGravity, 0};
    scene.solver.name = options.solver;
    return scene;
}

ShapeSpec rectangle_shape(double width, double length, int cells_along_width,
                          int cells_along_length) {
    return {
        "rectangle",
        {{"width", width},
         {"length", length},
         {"divisions", std::vector<double>{1.0 * cells_along_width, 1.0 * cells_along_length}}}};
}

Box slab(int axis, double from, double to) {
    constexpr double kAll = std::numeric_limits<double>::max();
    Box box = {Vec3::Constant(-kAll), Vec3::Constant(kAll)};
    box.min[axis] = from;
    box.max[axis] = to;
    return box;
}

PinSetup holding(const Box& box) {
    PinSetup pin;
    pin.box = box;
    return pin;
}

namespace {

double step_speed(World& world) {
    const FrameReport report = world.step();
    if (report.failure) throw ComputationFailed(report.failure->message());
    return report.rms_speed;
}

}  // namespace

void run_frames(World& world, int frames) {
    for (int i = 0; i < frames; ++i) step_speed(world);
}

void settle(World& world, const RestOptions& options) {
    const double end = world.time() + options.seconds;
    double speed = std::numeric_limits<double>::infinity();
    while (speed > options.speed) {
        if (world.time() > end) {
            throw ComputationFailed(fmt::format("The cloth still moves at {:.2g} m/s after {:g} s.",
                                                speed, options.seconds));
        }
        speed = step_speed(world);
    }
}

std::vector<int> vertices_in(const World& world, const Box& box) {
    std::vector<int> found;
    const auto& start = world.cloths()[0].mesh.positions;
    for (int v = 0; v < static_cast<int>(start.size()); ++v) {
        const Vec3& p = start[v];
        if ((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all()) {
            found.push_back(v);
        }
    }
    return found;
}

Vec3 mean_position(const World& world, std::span<const int> vertices) {
    Vec3 sum = Vec3::Zero();
    for (const int v : vertices) sum += world.positions(0)[v];
    return sum / static_cast<double>(vertices.size());
}

}  // namespace toile
