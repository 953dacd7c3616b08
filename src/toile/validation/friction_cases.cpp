// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/cases.h"
#include "toile/validation/experiment.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kSlope = std::numbers::pi / 6;
const double kTangent = std::tan(kSlope);

/// A patch on a level plate, under gravity that is slanted along x: a slope.
Scene slope_scene(double friction, const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.settings.gravity = kStandardGravity * Vec3(std::sin(kSlope), -std::cos(kSlope), 0);
    ClothSetup patch;
    patch.name = "patch";
    patch.shape = rectangle_shape(0.1, 0.1, 4, 4);
    patch.fabric = named_fabric("cotton");
    patch.material = "cloth";
    patch.translation = {0, 0.501 * patch.fabric.thickness, 0};
    scene.cloths = {patch};
    ObstacleSetup plate;
    plate.name = "plate";
    plate.shape = rectangle_shape(20, 20, 1, 1);
    plate.material = "plate";
    scene.obstacles = {plate};
    scene.friction = {{{"cloth", "plate"}, friction}};
    return scene;
}

/// m, down the slope.
double way(const World& world) {
    double sum = 0;
    for (size_t v = 0; v < world.positions(0).size(); ++v) {
        sum += world.positions(0)[v][0] - world.cloths()[0].mesh.positions[v][0];
    }
    return sum / static_cast<double>(world.positions(0).size());
}

double exact_way(double friction, double time) {
    const double pull = std::sin(kSlope) - friction * std::cos(kSlope);
    return 0.5 * kStandardGravity * pull * time * time;
}

// Belt round a post ------------------------------------------------------------------------------

constexpr double kPost = 0.06;  // m, radius
constexpr double kBeltFriction = 0.3;
constexpr double kShortEnd = 0.08;   // m, that hangs down on one side
constexpr double kBeltCell = 0.004;  // m

/// Length of the other end over that of the short one at which a heavy belt over half of a post
/// slips: T' = μ T + w r (cos θ + μ sin θ) from T(0) = w l₁ to T(π) = w l₂, with θ from the short
/// end. Without the weight on the post this is l₂ / l₁ = exp(μ π) [Euler].
double slipping_ratio(double radius) {
    const double mu = kBeltFriction;
    const double with_cosine = -2 * mu * radius / (1 + mu * mu);
    return ((kShortEnd - with_cosine) * std::exp(mu * std::numbers::pi) - with_cosine) / kShortEnd;
}

/// m that a belt goes towards its long end within a second after it is let go.
double belt_way(double long_end, const ValidationOptions& options) {
    Scene scene = experiment_scene(options);
    scene.air.linear_drag = 4;  // 1/s; no part of whether the belt slips
    ClothSetup belt;
    belt.name = "belt";
    belt.fabric = named_fabric("silk");
    belt.material = "belt";
    const double radius = kPost + belt.fabric.thickness / 2;
    const double length = kShortEnd + std::numbers::pi * radius + long_end;
    belt.shape = rectangle_shape(length, 2 * kBeltCell, static_cast<int>(length / kBeltCell), 2);
    belt.translation = {(long_end - kShortEnd) / 2, kPost + 0.51 * belt.fabric.thickness, 0};
    scene.cloths = {belt};
    ObstacleSetup post;
    post.name = "post";
    post.material = "post";
    post.shape = {
        "cylinder",
        {{"radius", kPost}, {"height", 0.1}, {"segments", 200.0}, {"height_divisions", 1.0}}};
    post.rotation = {{1, 0, 0}, 90};
    scene.obstacles = {post};
    scene.friction = {{{"belt", "post"}, kBeltFriction}};
    World world(scene);
    const std::vector<int> top = vertices_in(world, slab(0, -kBeltCell, kBeltCell));
    world.pin(0, top);
    constexpr int kFramesToWrap = 50, kFramesFree = 25;
    run_frames(world, kFramesToWrap);
    world.release(0, top);
    const std::vector<int> end =
        vertices_in(world, slab(0, belt.translation[0] + length / 2 - kBeltCell / 2, 2 * length));
    const double start = mean_position(world, end)[1];
    run_frames(world, kFramesFree);
    return start - mean_position(world, end)[1];
}

}  // namespace

ValidationResult incline_case(const ValidationOptions& options) {
    ValidationResult result;
    ValidationCurve curve = {.name = "incline",
                             .title = "A patch on a slope of 30 degrees, friction 0.1, 0.3, 0.5",
                             .x_label = "s",
                             .y_label = "m",
                             .series = {}};
    constexpr int kFrames = 25;
    World sticking(slope_scene(1.01 * kTangent, options));
    run_frames(sticking, 2 * kFrames);
    result.rows.push_back(
        absolute_row("way in 2 s, m, friction 1 % above the slope", 0, way(sticking), 1e-3));
    World slipping(slope_scene(0.99 * kTangent, options));
    run_frames(slipping, 2 * kFrames);
    const double slow = exact_way(0.99 * kTangent, slipping.time());
    result.rows.push_back(
        range_row("way in 2 s, m, friction 1 % below", 0.5 * slow, 1.5 * slow, way(slipping)));
    for (const double friction : {0.1, 0.3, 0.5}) {
        World world(slope_scene(friction, options));
        ValidationSeries exact = {.name = "Coulomb", .exact = true, .points = {}};
        ValidationSeries measured = {.name = "Toile", .points = {}};
        for (int frame = 1; frame <= kFrames; ++frame) {
            run_frames(world, 1);
            exact.points.push_back({world.time(), exact_way(friction, world.time())});
            measured.points.push_back({world.time(), way(world)});
        }
        result.rows.push_back(relative_row(fmt::format("way in 1 s, m, friction {:g}", friction),
                                           exact.points.back()[1], way(world), 0.03));
        curve.series.push_back(exact);
        curve.series.push_back(measured);
    }
    result.curves = {curve};
    return result;
}

ValidationResult belt_case(const ValidationOptions& options) {
    constexpr double kStuck = 0.005, kSlipped = 0.02;  // m
    const double ratio = slipping_ratio(kPost + named_fabric("silk").thickness / 2);
    ValidationResult result;
    ValidationCurve curve = {
        .name = "belt",
        .title = "Belt over a post, friction 0.3: way in 1 s after it is let go",
        .x_label = "long end / short end",
        .y_label = "m",
        .series = {{.name = "slips beyond", .exact = true, .points = {}},
                   {.name = "Toile", .points = {}}}};
    curve.series[0].points = {{ratio, 0}, {ratio, 0.1}};
    for (const double part : {0.9, 1.1, 1.3}) {
        const double way = belt_way(part * ratio * kShortEnd, options);
        curve.series[1].points.push_back({part * ratio, way});
        const std::string quantity =
            fmt::format("way, m, long end / short end {:.3f} ({:g} of limit)", part * ratio, part);
        if (part < 1) {
            result.rows.push_back(range_row(quantity + ", sticks", -kStuck, kStuck, way));
        } else {
            result.rows.push_back(range_row(quantity + ", slips", kSlipped, 1, way));
        }
    }
    result.curves = {curve};
    return result;
}

}  // namespace toile
