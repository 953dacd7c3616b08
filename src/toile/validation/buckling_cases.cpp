// SPDX-License-Identifier: Apache-2.0
// Critical loads are read from how much a slight slant of gravity is amplified below them: by
// 1 / (1 - load / critical) or nearly so. The answer to that slant is known exactly, so each
// measured amplification says which load, in an exact strip, would have given it.
#include "toile/validation/cases.h"
#include "toile/validation/elastica.h"
#include "toile/validation/heavy_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace toile {
namespace {

constexpr double kSlant = 0.005;  // rad, of gravity
constexpr double kGreenhill = 7.8373;
constexpr double kBucklingBound = 0.02;

/// The argument in (low, high) at which a rising function has the value.
double inverse(const std::function<double(double)>& rising, double value, double low, double high) {
    constexpr int kHalvings = 40;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (rising(middle) < value ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// Turn of the tip of an upright strip over the slant.
double exact_upright_turn(double gamma) {
    const double clamp = -std::numbers::pi / 2 + kSlant;
    return (Elastica(gamma, clamp).tip_angle() - clamp) / kSlant;
}

/// The strip stands along x: gravity pulls towards -x, and to -y by the slant.
double measured_upright_turn(const HeavyStrip& strip, const ValidationOptions& options) {
    Scene scene = heavy_strip_scene(strip, options);
    scene.settings.gravity = kStandardGravity * Vec3(-std::cos(kSlant), -std::sin(kSlant), 0);
    World world(scene);
    settle(world);
    const Vec3 last = mean_position(world, strip_row(world, strip, strip.cells)) -
                      mean_position(world, strip_row(world, strip, strip.cells - 1));
    return std::atan2(-last[1], last[0]) / kSlant;
}

/// Tip twist over the slant of a narrow cantilever whose width is along gravity. With load
/// Λ = w L³ / sqrt(EI GJ) and ξ along the length, twist φ and slant ε, ψ = φ + ε:
/// ψ'' = -Λ² (1 - ξ)⁴ / 4 ψ, ψ(0) = ε, ψ'(1) = 0. Shot from the tip; grows without bound towards
/// Λ = 12.854.
double exact_twist(double load) {
    constexpr int kSteps = 1000;
    constexpr double h = 1.0 / kSteps;
    double psi = 1, rate = 0;  // rate by the distance from the tip
    for (int i = 0; i < kSteps; ++i) {
        const auto bend = [&](double u) { return -load * load * std::pow(u, 4) / 4; };
        const double u = i * h;
        const double k1 = bend(u) * psi;
        const double k2 = bend(u + h / 2) * (psi + h / 2 * rate);
        const double k3 = bend(u + h / 2) * (psi + h / 2 * rate + h * h / 4 * k1);
        const double k4 = bend(u + h) * (psi + h * rate + h * h / 2 * k2);
        psi += h * rate + h * h / 6 * (k1 + k2 + k3);
        rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return 1 / psi - 1;
}

constexpr double kLateralLoad = 12.854;                           // Λ
const double kLateralGamma = kLateralLoad * std::numbers::sqrt2;  // GJ = 2 EI without Poisson

double measured_twist(const HeavyStrip& strip, const ValidationOptions& options) {
    Scene scene = heavy_strip_scene(strip, options);
    scene.settings.gravity = kStandardGravity * Vec3(0, -std::cos(kSlant), std::sin(kSlant));
    World world(scene);
    settle(world);
    const std::vector<int> tip = strip_row(world, strip, strip.cells);
    const auto x = world.positions(0);
    const auto rest = [&](int v) { return world.cloths()[0].mesh.positions[v][1]; };
    const auto [low, high] = std::ranges::minmax(tip, {}, rest);
    const Vec3 across = x[high] - x[low];
    return std::atan2(across[2], across[1]) / kSlant;
}

}  // namespace

ValidationResult self_buckling_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {.name = "self-buckling",
                             .title = "Upright strip: turn of the tip over the slant of gravity",
                             .x_label = "Γ = w L³ / B",
                             .y_label = "turn / slant",
                             .series = {{.name = "elastica", .exact = true, .points = {}},
                                        {.name = "Toile", .points = {}}}};
    for (double gamma = 1; gamma <= 7.5; gamma += 0.1) {
        curve.series[0].points.push_back({gamma, exact_upright_turn(gamma)});
    }
    for (const double gamma : {2.0, 4.0, 6.0, 7.0}) {
        const double turn = measured_upright_turn({.gamma = gamma, .cells = 25}, options);
        curve.series[1].points.push_back({gamma, turn});
        if (gamma < 5) continue;
        const double same = inverse(exact_upright_turn, turn, 0.1, 0.999 * kGreenhill);
        result.rows.push_back(relative_row(fmt::format("critical Γ, from Γ = {:g}", gamma),
                                           kGreenhill, kGreenhill * gamma / same, kBucklingBound));
    }
    result.curves = {curve};
    return result;
}

ValidationResult lateral_buckling_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {
        .name = "lateral-buckling",
        .title = "Cantilever on edge: twist of the tip over the slant of gravity",
        .x_label = "Γ = w L³ / B",
        .y_label = "twist / slant",
        .series = {{.name = "thin beam", .exact = true, .points = {}},
                   {.name = "Toile, width L / 25", .points = {}}}};
    for (double load = 1; load <= 12; load += 0.1) {
        curve.series[0].points.push_back({load * std::numbers::sqrt2, exact_twist(load)});
    }
    for (const double gamma : {6.0, 10.0, 14.0, 16.0}) {
        const HeavyStrip strip = {
            .gamma = gamma, .cells = 50, .cells_across = 2, .stiffness = 1e5, .upright = true};
        const double twist = measured_twist(strip, options);
        curve.series[1].points.push_back({gamma, twist});
        if (gamma < 12) continue;
        const double same =
            std::numbers::sqrt2 * inverse(exact_twist, twist, 0.1, 0.999 * kLateralLoad);
        result.rows.push_back(relative_row(fmt::format("critical Γ, from Γ = {:g}", gamma),
                                           kLateralGamma, kLateralGamma * gamma / same,
                                           kBucklingBound));
    }
    result.curves = {curve};
    return result;
}

}  // namespace toile
