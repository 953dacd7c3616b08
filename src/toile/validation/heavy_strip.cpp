// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/heavy_strip.h"

#include <cmath>

namespace toile {
namespace {

constexpr double kDensity = 0.15;     // kg/m²
constexpr double kThickness = 1e-4;   // m; nothing touches
constexpr double kRelaxingDrag = 15;  // 1/s, about twice the slowest frequency
constexpr double kShearPart = 0.3;    // of stretch

Fabric strip_fabric(const HeavyStrip& strip) {
    const double weight = kDensity * kStandardGravity;  // N/m²
    Fabric fabric;
    fabric.name = "strip";
    fabric.density = kDensity;
    fabric.thickness = kThickness;
    fabric.bend_warp = weight * std::pow(strip.length, 3) / strip.gamma;
    fabric.bend_weft = fabric.bend_twist = fabric.bend_warp;
    fabric.stretch_warp = fabric.stretch_weft = strip.stiffness * weight * strip.length;
    fabric.shear = kShearPart * fabric.stretch_warp;
    return fabric;
}

}  // namespace

Scene heavy_strip_scene(const HeavyStrip& strip, const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.solver.steps_per_frame = 2;
    scene.solver.tolerance = 1e-5;
    scene.air.linear_drag = kRelaxingDrag;
    const double cell = strip.cell();
    ClothSetup cloth;
    cloth.name = "strip";
    cloth.shape = rectangle_shape(strip.length + cell, cell * strip.cells_across, strip.cells + 1,
                                  strip.cells_across);
    cloth.shape->parameters.insert_or_assign("orientation",
                                             std::string(strip.upright ? "upright" : "horizontal"));
    cloth.translation = {(strip.length - cell) / 2, 0, 0};
    cloth.fabric = strip_fabric(strip);
    cloth.pins = {holding(slab(0, -2 * cell, cell / 2))};
    scene.cloths = {cloth};
    return scene;
}

std::vector<int> strip_row(const World& world, const HeavyStrip& strip, int row) {
    const double cell = strip.cell();
    return vertices_in(world, slab(0, (row - 0.5) * cell, (row + 0.5) * cell));
}

}  // namespace toile
