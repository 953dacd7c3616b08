// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kDisc = 0.15, kSupport = 0.09;  // m, radii of BS 5058 and ISO 9073-9
constexpr int kRings = 15;                       // the ninth is the rim of the support

/// Published drape coefficients, per cent.
struct PublishedDrape {
    const char* fabric;
    double low, high;
};
constexpr std::array<PublishedDrape, 5> kPublished = {{{"silk", 20, 40},
                                                       {"cotton", 60, 76},
                                                       {"wool", 40, 70},
                                                       {"denim", 70, 90},
                                                       {"leather", 47, 70}}};

/// The disc lies between the support and a plate, and hangs over the rim all round.
Scene drape_scene(const Fabric& fabric, const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.air.linear_drag = 5;  // 1/s; no part of where the cloth comes to rest
    ClothSetup cloth;
    cloth.name = "specimen";
    cloth.shape = {"disc", {{"radius", kDisc}, {"rings", double(kRings)}}};
    cloth.fabric = fabric;
    scene.cloths = {cloth};
    return scene;
}

std::vector<int> held_between_plates(const World& world) {
    std::vector<int> held;
    const auto& rest = world.cloths()[0].mesh.positions;
    for (int v = 0; v < static_cast<int>(rest.size()); ++v) {
        if (rest[v].norm() < kSupport + 0.1 * kDisc / kRings) held.push_back(v);
    }
    return held;
}

/// m², of all triangles seen from above: counted on a grid of points.
double shadow(const World& world) {
    constexpr int kPoints = 1200;
    constexpr double kHalf = 1.05 * kDisc, kCell = 2 * kHalf / kPoints;
    std::vector<char> dark(static_cast<size_t>(kPoints) * kPoints, 0);
    const auto x = world.positions(0);
    const auto at = [&](int v) { return Vec2(x[v][0], x[v][2]); };
    const auto index = [&](double s) {
        return std::clamp(static_cast<int>((s + kHalf) / kCell), 0, kPoints - 1);
    };
    const auto side = [](const Vec2& a, const Vec2& b, const Vec2& p) {
        return (b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0];
    };
    for (const Triangle& t : world.mesh(0).triangles) {
        const Vec2 a = at(t[0]), b = at(t[1]), c = at(t[2]);
        const Vec2 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        for (int i = index(low[0]); i <= index(high[0]); ++i) {
            for (int j = index(low[1]); j <= index(high[1]); ++j) {
                const Vec2 p((i + 0.5) * kCell - kHalf, (j + 0.5) * kCell - kHalf);
                const double u = side(a, b, p), v = side(b, c, p), w = side(c, a, p);
                const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
                if (inside) dark[static_cast<size_t>(i) * kPoints + j] = 1;
            }
        }
    }
    return static_cast<double>(std::ranges::count(dark, 1)) * kCell * kCell;
}

/// Per cent of the ring round the support that the draped cloth still covers.
double drape_coefficient(const World& world) {
    const double support = std::numbers::pi * kSupport * kSupport;
    const double specimen = std::numbers::pi * kDisc * kDisc;
    return 100 * (shadow(world) - support) / (specimen - support);
}

ValidationSeries outline(const World& world, const std::string& name) {
    ValidationSeries series = {.name = name, .exact = true, .points = {}};
    const int n = 6 * kRings, first = world.mesh(0).n_vertices() - n;
    for (int i = 0; i <= n; ++i) {
        const Vec3& p = world.positions(0)[first + i % n];
        series.points.push_back({p[0], p[2]});
    }
    return series;
}

}  // namespace

std::vector<std::string> draped_fabrics() {
    std::vector<std::string> names;
    for (const PublishedDrape& published : kPublished) names.emplace_back(published.fabric);
    return names;
}

DrapeResult drape_of(const std::string& fabric, const ValidationOptions& options) {
    const auto* published = std::ranges::find(
        kPublished, fabric, [](const PublishedDrape& p) { return std::string(p.fabric); });
    World world(drape_scene(named_fabric(fabric), options));
    world.pin(0, held_between_plates(world));
    settle(world, {.speed = 1e-3, .seconds = 10});
    return {.row = range_row(fmt::format("drape coefficient of {}, per cent", fabric),
                             published->low, published->high, drape_coefficient(world)),
            .outline = outline(world, fabric)};
}

ValidationResult drape_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {.name = "drape",
                             .title = "Cusick drape: outlines from above",
                             .x_label = "m",
                             .y_label = "m",
                             .equal_scales = true,
                             .series = {}};
    for (const std::string& fabric : draped_fabrics()) {
        const DrapeResult draped = drape_of(fabric, options);
        result.rows.push_back(draped.row);
        curve.series.push_back(draped.outline);
    }
    result.curves = {curve};
    return result;
}

}  // namespace toile
