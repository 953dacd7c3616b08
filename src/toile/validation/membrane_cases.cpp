// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/energy.h"
#include "toile/mesh/shapes/random_rectangle.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kDensity = 0.15;  // kg/m²
constexpr double kWeight = kDensity * kStandardGravity;
constexpr double kThickness = 1e-4;  // m; nothing touches

Fabric membrane(double stretch, double shear) {
    Fabric fabric;
    fabric.name = "membrane";
    fabric.density = kDensity;
    fabric.thickness = kThickness;
    fabric.stretch_warp = fabric.stretch_weft = stretch;
    fabric.shear = shear;
    fabric.bend_warp = fabric.bend_weft = fabric.bend_twist = 1e-8;
    return fabric;
}

// Patch test ------------------------------------------------------------------------------------

/// Largest force on a vertex inside of a square that is deformed evenly, over the largest on one
/// of its border, where the forces that hold it act.
double inner_force(const TriangleMesh& mesh) {
    Fabric fabric = membrane(400, 150);
    fabric.stretch_warp = 900;
    const Cloth cloth(mesh, fabric);
    const Vec3 warp(1.1, 0.05, 0.2), weft(-0.1, 0.2, 0.9);
    std::vector<Vec3> x, forces(mesh.uvs.size());
    for (const Vec2& uv : mesh.uvs) x.push_back(uv[0] * warp + uv[1] * weft);
    EdgeSlopes slopes(cloth);
    elastic_forces(slopes, x, forces);
    double border = 0, inside = 0;
    for (size_t v = 0; v < x.size(); ++v) {
        const Vec3& p = mesh.positions[v];
        constexpr double kBorder = 0.499;
        const bool on_border = std::max(std::abs(p[0]), std::abs(p[2])) > kBorder;
        double& largest = on_border ? border : inside;
        largest = std::max(largest, forces[v].norm());
    }
    return inside / border;
}

/// Rows of cells whose widths grow thirtyfold from one side to the other.
TriangleMesh sliver_mesh() {
    TriangleMesh mesh =
        make_rectangle({.width = 1, .length = 1, .width_divisions = 12, .length_divisions = 5});
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        const double at = mesh.positions[v][0] + 0.5;
        const double moved = (std::pow(30, at) - 1) / 29 - 0.5;
        mesh.uvs[v][0] += moved - mesh.positions[v][0];
        mesh.positions[v][0] = moved;
    }
    return mesh;
}

// Catenary --------------------------------------------------------------------------------------

/// Half of the length over half of the span of a chain is sinh(a) / a, its sag over the span
/// (cosh(a) - 1) / 2a.
double exact_sag(double length_over_span) {
    double low = 1e-6, high = 10;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (std::sinh(middle) / middle < length_over_span ? low : high) = middle;
    }
    return (std::cosh(low) - 1) / (2 * low);
}

constexpr double kSpan = 0.5;  // m

/// Points (x, y) over the span, from one end to the other, of a limp strip that was straight and
/// whose ends were led together.
std::vector<Vec2> hung_between_two_points(double length_over_span,
                                          const ValidationOptions& options) {
    constexpr int kCells = 60;
    constexpr double kRelaxingDrag = 5;  // 1/s; no part of where the strip hangs at rest
    constexpr int kClosingFrames = 25;
    const double length = length_over_span * kSpan, cell = length / kCells;
    Scene scene = experiment_scene(options);
    scene.solver.tolerance = 1e-5;
    scene.air.linear_drag = kRelaxingDrag;
    ClothSetup cloth;
    cloth.name = "strip";
    cloth.shape = rectangle_shape(length, 2 * cell, kCells, 2);
    cloth.fabric = membrane(2e4 * kWeight * kSpan, 1e3 * kWeight * kSpan);
    scene.cloths = {cloth};
    World world(scene);
    const auto end = [&](double side) {
        const double x = side * length / 2;
        return vertices_in(world, slab(0, x - cell / 2, x + cell / 2));
    };
    const double speed = (length - kSpan) / 2 * scene.settings.frame_rate / kClosingFrames;
    world.pin(0, end(-1), {speed, 0, 0});
    world.pin(0, end(1), {-speed, 0, 0});
    run_frames(world, kClosingFrames);
    world.pin(0, end(-1));
    world.pin(0, end(1));
    settle(world, {.speed = 1e-4});
    std::vector<Vec2> points;
    for (int i = 0; i <= kCells; ++i) {
        const double x = (i - kCells / 2) * cell;
        const Vec3 at =
            mean_position(world, vertices_in(world, slab(0, x - cell / 2, x + cell / 2)));
        points.push_back({at[0] / kSpan, at[1] / kSpan});
    }
    return points;
}

std::vector<Vec2> exact_catenary(double length_over_span) {
    double low = 1e-6, high = 10;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (std::sinh(middle) / middle < length_over_span ? low : high) = middle;
    }
    std::vector<Vec2> points;
    for (int i = -50; i <= 50; ++i) {
        const double x = i / 100.0;
        points.push_back({x, (std::cosh(2 * low * x) - std::cosh(low)) / (2 * low)});
    }
    return points;
}

}  // namespace

ValidationResult patch_case(const ValidationOptions&) {
    constexpr double kRounding = 1e-12;
    ValidationResult result;
    const auto add = [&](const std::string& mesh_name, const TriangleMesh& mesh) {
        result.rows.push_back(absolute_row("force inside / at the border, " + mesh_name, 0,
                                           inner_force(mesh), kRounding));
    };
    for (const int seed : {1, 2, 3}) {
        add(fmt::format("random points, seed {}", seed),
            make_random_rectangle({.width = 1,
                                   .length = 1,
                                   .width_divisions = 12,
                                   .length_divisions = 12,
                                   .seed = static_cast<std::uint64_t>(seed)}));
    }
    add("slivers of 1 : 40", sliver_mesh());
    return result;
}

ValidationResult hanging_case(const ValidationOptions& options) {
    constexpr double kLength = 0.5, kRelaxingDrag = 10;
    constexpr int kCells = 30;
    ValidationResult result;
    for (const double stretch : {50.0, 400.0}) {
        Scene scene = experiment_scene(options);
        scene.air.linear_drag = kRelaxingDrag;
        ClothSetup cloth;
        cloth.name = "strip";
        cloth.shape = rectangle_shape(0.1, kLength, 6, kCells);
        cloth.shape->parameters.insert_or_assign("orientation", std::string("upright"));
        cloth.fabric = membrane(stretch, stretch / 3);
        const double cell = kLength / kCells;
        cloth.pins = {holding(slab(1, (kLength - cell) / 2, kLength))};
        scene.cloths = {cloth};
        World world(scene);
        settle(world);
        const Box end = slab(1, -kLength, -(kLength - cell) / 2);
        const double low = mean_position(world, vertices_in(world, end))[1];
        result.rows.push_back(
            relative_row(fmt::format("extension by its own weight, m, stretch {:g} N/m", stretch),
                         kWeight * kLength * kLength / (2 * stretch), -kLength / 2 - low, 0.005));
    }
    return result;
}

ValidationResult catenary_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {.name = "catenary",
                             .title = "A limp strip between two points: length / span 1.05 to 2",
                             .x_label = "x / span",
                             .y_label = "y / span",
                             .equal_scales = true,
                             .series = {}};
    for (const double ratio : {1.05, 1.2, 1.5, 2.0}) {
        const std::vector<Vec2> points = hung_between_two_points(ratio, options);
        const double sag = -std::ranges::min(points, {}, [](const Vec2& p) { return p[1]; })[1];
        result.rows.push_back(relative_row(fmt::format("sag / span, length / span {:g}", ratio),
                                           exact_sag(ratio), sag, 0.01));
        curve.series.push_back(
            {.name = "catenary", .exact = true, .points = exact_catenary(ratio)});
        curve.series.push_back({.name = "Toile", .points = points});
    }
    result.curves = {curve};
    return result;
}

}  // namespace toile
