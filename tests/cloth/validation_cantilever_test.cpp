// SPDX-License-Identifier: Apache-2.0
// The cantilever of [Romero21]: drop over reach of a heavy strip against the exact elastica.
#include "cloth/static_solver.h"
#include "toile/cloth/implicit_step.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/validation/elastica.h"

#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

constexpr double kGravity = 9.81;

struct StripOptions {
    double length = 0.2;  // m, free
    int cells = 50;       // along the free length
    int cells_across = 10;
    Diagonals diagonals = Diagonals::Alternating;
    double jitter = 0;  // of interior points, cells
};

/// A strip in the plane y = 0 from one cell before the clamp at x = 0 to its free end.
TriangleMesh strip(const StripOptions& o) {
    const double h = o.length / o.cells;
    TriangleMesh mesh = make_rectangle({.width = o.length + h,
                                        .length = h * o.cells_across,
                                        .width_divisions = o.cells + 1,
                                        .length_divisions = o.cells_across,
                                        .center = Vec3((o.length - h) / 2, 0, 0),
                                        .diagonals = o.diagonals});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> offset(-o.jitter * h, o.jitter * h);
    const double edge = h * (o.cells_across / 2.0 - 0.5);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3& p = mesh.positions[v];
        const double dx = offset(random), dz = offset(random);
        if (p[0] < h / 2 || p[0] > o.length - h / 2 || std::abs(p[2]) > edge) continue;
        p += Vec3(dx, 0, dz);
        mesh.uvs[v] += Vec2(dx, -dz);
    }
    return mesh;
}

Fabric heavy(double gamma, double length) {
    Fabric fabric = named_fabric("cotton");
    const double bend = fabric.density * kGravity * std::pow(length, 3) / gamma;
    fabric.bend_warp = fabric.bend_weft = fabric.bend_twist = bend;
    // Stiff enough not to stretch, soft enough not to lock: 2e-4 strain under the whole weight.
    fabric.stretch_warp = fabric.stretch_weft = 5e3 * fabric.density * kGravity * length;
    fabric.shear = 0.3 * fabric.stretch_warp;
    return fabric;
}

std::vector<bool> clamped(const TriangleMesh& mesh, double length) {
    std::vector<bool> fixed;
    for (const Vec3& p : mesh.positions) fixed.push_back(p[0] < 1e-6 * length);
    return fixed;
}

double drop_over_reach(const TriangleMesh& mesh, std::span<const Vec3> x, double length) {
    double drop = 0, reach = 0;
    for (size_t v = 0; v < x.size(); ++v) {
        if (mesh.positions[v][0] < length * (1 - 1e-6)) continue;
        drop -= x[v][1];
        reach += x[v][0];
    }
    return drop / reach;
}

/// Relative error of drop over reach. The elastica is only the start of Newton's method.
double error(const StripOptions& options, double gamma) {
    const TriangleMesh mesh = strip(options);
    const Elastica exact(gamma);
    const Cloth cloth(mesh, heavy(gamma, options.length));
    std::vector<Vec3> x = mesh.positions;
    for (Vec3& p : x) {
        const Vec2 at = options.length * exact.point(p[0] / options.length);
        p = {at[0], -at[1], p[2]};
    }
    test::StaticSolver solver(cloth, {0, -kGravity, 0}, clamped(mesh, options.length));
    EXPECT_LE(solver.solve(x), 1e-6);
    return drop_over_reach(mesh, x, options.length) / exact.drop_over_reach() - 1;
}

class Cantilever : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Gamma, Cantilever, testing::Values(1.0, 5.0, 10.0, 50.0));

// 2,040 triangles, with every pattern of diagonals.
TEST_P(Cantilever, AgreesWithTheElasticaOnRegularMeshes) {
    for (const Diagonals diagonals : {Diagonals::Forward, Diagonals::Backward,
                                      Diagonals::Alternating, Diagonals::AlternatingRows}) {
        EXPECT_LE(std::abs(error({.cells = 101, .diagonals = diagonals}, GetParam())), 0.003);
    }
}

TEST_P(Cantilever, AgreesWithTheElasticaOnAMeshOfRandomInteriorPoints) {
    EXPECT_LE(std::abs(error({.cells = 101, .jitter = 0.3}, GetParam())), 0.005);
}

TEST_P(Cantilever, ErrorFallsFourfoldWhenTheEdgeIsHalved) {
    const double coarse = error({.cells = 12, .cells_across = 2}, GetParam());
    const double fine = error({.cells = 24, .cells_across = 4}, GetParam());
    EXPECT_LE(std::abs(fine), std::abs(coarse) / 3);
}

TEST(CantileverScale, GivesTheSameShapeAtEveryScale) {
    const double metre = error({.length = 1, .cells = 12, .cells_across = 2}, 10);
    for (const double length : {1e-3, 1e3}) {
        EXPECT_NEAR(error({.length = length, .cells = 12, .cells_across = 2}, 10), metre, 1e-5);
    }
}

TEST(CantileverDynamics, ComesToRestInTheShapeOfLeastEnergy) {
    const StripOptions options = {.cells = 10, .cells_across = 2, .jitter = 0.3};
    const TriangleMesh mesh = strip(options);
    const Cloth cloth(mesh, heavy(10, options.length));
    const std::vector<bool> fixed = clamped(mesh, options.length);
    std::vector<VelocityConstraint> pins;
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        if (fixed[v]) pins.push_back({.vertex = v});
    }
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    for (int i = 0; i < 600; ++i) {
        ASSERT_EQ(step.advance({.environment = {.linear_drag = 4}, .constraints = pins},
                               {.max_strain_change = 0}, state)
                      .status,
                  StepStatus::Done);
    }
    std::vector<Vec3> x = mesh.positions;
    test::StaticSolver solver(cloth, {0, -kGravity, 0}, fixed);
    EXPECT_LE(solver.solve(x), 1e-6);
    EXPECT_NEAR(drop_over_reach(mesh, state.positions, options.length) /
                    drop_over_reach(mesh, x, options.length),
                1, 2e-3);
}

}  // namespace
}  // namespace toile
