// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/cases.h"
#include "toile/validation/elastica.h"
#include "toile/validation/heavy_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kCantileverBound = 0.01;

/// Drop over reach of the heavy elastica as [Romero21]'s master curve has it, computed twice by
/// independent methods (shooting and collocation).
struct CurvePoint {
    double gamma;
    double drop_over_reach;
};
constexpr std::array<CurvePoint, 13> kMasterCurve = {{{0.1, 0.01250},
                                                      {1, 0.12456},
                                                      {2, 0.24667},
                                                      {5, 0.58572},
                                                      {8, 0.88433},
                                                      {10, 1.06680},
                                                      {20, 1.86393},
                                                      {30, 2.54721},
                                                      {50, 3.70556},
                                                      {100, 5.88810},
                                                      {200, 8.90677},
                                                      {500, 14.76880},
                                                      {1000, 21.33544}}};

/// The length over which a strip bends is Γ^(-1/3) of its own: as many cells for each, and no fewer
/// than the least.
int cells_for(double gamma) {
    constexpr double kCellsPerBendingLength = 10;
    constexpr int kLeastCells = 40;
    return std::max(kLeastCells, static_cast<int>(kCellsPerBendingLength * std::cbrt(gamma)));
}

/// (x, y) over the length of every row, from the clamp on.
std::vector<Vec2> shape_at_rest(const HeavyStrip& strip, const ValidationOptions& options) {
    World world(heavy_strip_scene(strip, options));
    settle(world);
    std::vector<Vec2> shape;
    for (int row = 0; row <= strip.cells; ++row) {
        const Vec3 at = mean_position(world, strip_row(world, strip, row)) / strip.length;
        shape.push_back({at[0], at[1]});
    }
    return shape;
}

std::vector<Vec2> exact_shape(double gamma) {
    const Elastica elastica(gamma);
    std::vector<Vec2> shape;
    constexpr int kPoints = 100;
    for (int i = 0; i <= kPoints; ++i) {
        const Vec2 p = elastica.point(double(i) / kPoints);
        shape.push_back({p[0], -p[1]});
    }
    return shape;
}

bool is_drawn(double gamma) {
    return gamma == 1 || gamma == 5 || gamma == 10 || gamma == 50 || gamma == 1000;
}

}  // namespace

double drop_over_reach(std::span<const Vec2> shape) {
    return -shape.back()[1] / shape.back()[0];
}

std::vector<double> cantilever_gammas() {
    std::vector<double> gammas;
    for (const CurvePoint& point : kMasterCurve) gammas.push_back(point.gamma);
    return gammas;
}

ValidationRow cantilever_row(double gamma, double measured) {
    const auto* point = std::ranges::find(kMasterCurve, gamma, &CurvePoint::gamma);
    return relative_row(fmt::format("drop / reach at Γ = {:g}", gamma), point->drop_over_reach,
                        measured, kCantileverBound);
}

std::vector<Vec2> cantilever_shape(double gamma, const ValidationOptions& options) {
    return shape_at_rest({.gamma = gamma, .cells = cells_for(gamma)}, options);
}

ValidationResult cantilever_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve master = {.name = "cantilever",
                              .title = "Cantilever: drop over reach",
                              .x_label = "Γ = w L³ / B",
                              .y_label = "drop / reach",
                              .logarithmic = true,
                              .series = {{.name = "elastica", .exact = true, .points = {}},
                                         {.name = "Toile", .points = {}}}};
    ValidationCurve shapes = {.name = "cantilever-shapes",
                              .title = "Cantilever: shapes at rest, Γ = 1, 5, 10, 50, 1000",
                              .x_label = "x / L",
                              .y_label = "y / L",
                              .equal_scales = true,
                              .series = {}};
    for (const auto& [gamma, exact] : kMasterCurve) {
        const std::vector<Vec2> shape = cantilever_shape(gamma, options);
        const double measured = drop_over_reach(shape);
        result.rows.push_back(cantilever_row(gamma, measured));
        master.series[0].points.push_back({gamma, exact});
        master.series[1].points.push_back({gamma, measured});
        if (!is_drawn(gamma)) continue;
        shapes.series.push_back({.name = "elastica", .exact = true, .points = exact_shape(gamma)});
        shapes.series.push_back({.name = "Toile", .points = shape});
    }
    result.curves = {master, shapes};
    return result;
}

ValidationResult refinement_case(const ValidationOptions& options) {
    constexpr double kGamma = 10;
    const double exact = Elastica(kGamma).drop_over_reach();
    ValidationCurve curve = {.name = "refinement",
                             .title = "Cantilever at Γ = 10: error and edge length",
                             .x_label = "edge / L",
                             .y_label = "relative error",
                             .logarithmic = true,
                             .series = {{.name = "second order", .exact = true, .points = {}},
                                        {.name = "Toile", .points = {}}}};
    std::vector<double> errors;
    for (const int cells : {10, 20, 40}) {
        const HeavyStrip strip = {
            .gamma = kGamma, .cells = cells, .cells_across = cells / 5, .stiffness = 2e4};
        errors.push_back(std::abs(drop_over_reach(shape_at_rest(strip, options)) / exact - 1));
        curve.series[0].points.push_back({1.0 / cells, errors[0] * std::pow(10.0 / cells, 2)});
        curve.series[1].points.push_back({1.0 / cells, errors.back()});
    }
    ValidationResult result;
    result.rows = {
        absolute_row("order, from 10 to 20 cells", 2, std::log2(errors[0] / errors[1]), 0.4),
        absolute_row("order, from 20 to 40 cells", 2, std::log2(errors[1] / errors[2]), 0.4)};
    result.curves = {curve};
    return result;
}

}  // namespace toile
