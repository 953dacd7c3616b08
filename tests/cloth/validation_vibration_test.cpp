// SPDX-License-Identifier: Apache-2.0
// First frequencies of a clamped strip and of a hanging limp one.
#include "toile/cloth/implicit_step.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace toile {
namespace {

Fabric undamped() {
    Fabric fabric = named_fabric("cotton");
    fabric.stretch_damping = fabric.shear_damping = fabric.bend_damping = 0;
    fabric.stretch_warp = fabric.stretch_weft = 2000;
    return fabric;
}

/// Angular frequency from the first and third zero of what `reading` says, by interpolation.
double frequency(ImplicitStep& step, const StepInput& input, double h, ClothState& state,
                 const std::function<double(const ClothState&)>& reading) {
    std::vector<double> zeros;
    double before = reading(state), time = 0;
    while (zeros.size() < 3 && time < 10) {
        const StepReport report = step.advance(
            input, {.step = h, .relative_tolerance = 1e-8, .max_strain_change = 0}, state);
        if (report.status != StepStatus::Done) return 0;
        const double now = reading(state);
        if (before * now < 0) zeros.push_back(time + h * before / (before - now));
        before = now;
        time += h;
    }
    return zeros.size() < 3 ? 0 : 2 * std::numbers::pi / (zeros[2] - zeros[0]);
}

TEST(CantileverVibration, HasTheFirstFrequencyOfABeam) {
    constexpr double kLength = 0.1, kCell = 0.005;
    const TriangleMesh mesh = make_rectangle({.width = kLength + kCell,
                                              .length = 0.02,
                                              .width_divisions = 21,
                                              .length_divisions = 4,
                                              .center = Vec3((kLength - kCell) / 2, 0, 0)});
    Fabric fabric = undamped();
    fabric.bend_warp = fabric.bend_weft = fabric.bend_twist = 1e-4;
    const Cloth cloth(mesh, fabric);
    ClothState state = cloth.initial_state();
    std::vector<VelocityConstraint> pins;
    int tip = 0;
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        const double s = mesh.positions[v][0] / kLength;
        if (s < 1e-9) pins.push_back({.vertex = v});
        if (s > 1 - 1e-9) tip = v;
        constexpr double kBeta = 1.87510, kRatio = 0.734096;  // first mode of a clamped-free beam
        const double z = kBeta * std::max(s, 0.0);
        const double mode = std::cosh(z) - std::cos(z) - kRatio * (std::sinh(z) - std::sin(z));
        state.positions[v][1] = 5e-4 * mode;
    }
    ImplicitStep step(cloth);
    const double found =
        frequency(step, {.environment = {.gravity = Vec3::Zero()}, .constraints = pins}, 1e-3,
                  state, [&](const ClothState& s) { return s.positions[tip][1]; });
    const double exact =
        1.8751 * 1.8751 * std::sqrt(fabric.bend_warp / (fabric.density * std::pow(kLength, 4)));
    EXPECT_NEAR(found / exact, 1, 0.02);
}

TEST(HangingVibration, HasTheFirstFrequencyOfALimpChain) {
    constexpr double kLength = 0.3;
    const TriangleMesh mesh = make_rectangle({.width = 0.04,
                                              .length = kLength,
                                              .width_divisions = 3,
                                              .length_divisions = 24,
                                              .plane = Plane::Upright});
    Fabric fabric = undamped();
    fabric.bend_warp = fabric.bend_weft = fabric.bend_twist = 1e-9;
    const Cloth cloth(mesh, fabric);
    ClothState state = cloth.initial_state();
    std::vector<VelocityConstraint> pins;
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        const double from_end = mesh.positions[v][1] + kLength / 2;
        if (from_end > kLength - 1e-9) pins.push_back({.vertex = v});
        const double mode = std::cyl_bessel_j(0, 2.404826 * std::sqrt(from_end / kLength));
        state.positions[v][2] = 2e-3 * mode;
    }
    ImplicitStep step(cloth);
    const double found = frequency(step, {.constraints = pins}, 1e-3, state,
                                   [](const ClothState& s) { return s.positions[0][2]; });
    EXPECT_NEAR(found / (1.2024 * std::sqrt(9.81 / kLength)), 1, 0.02);
}

}  // namespace
}  // namespace toile
