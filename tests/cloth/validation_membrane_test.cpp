// SPDX-License-Identifier: Apache-2.0
// Exact answers for stretching: patch test, moduli, hanging strip, catenary.
#include "cloth/static_solver.h"
#include "toile/mesh/shapes/rectangle.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace toile {
namespace {

constexpr double kGravity = 9.81;

TriangleMesh random_square(int cells) {
    TriangleMesh mesh = make_rectangle(
        {.width = 1, .length = 1, .width_divisions = cells, .length_divisions = cells});
    std::mt19937 random(11);
    std::uniform_real_distribution<double> offset(-0.3 / cells, 0.3 / cells);
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3& p = mesh.positions[v];
        const double dx = offset(random), dz = offset(random);
        if (std::abs(p[0]) > 0.499 || std::abs(p[2]) > 0.499) continue;
        p += Vec3(dx, 0, dz);
        mesh.uvs[v] += Vec2(dx, -dz);
    }
    return mesh;
}

Fabric anisotropic() {
    Fabric fabric = named_fabric("cotton");
    fabric.stretch_warp = 900;
    fabric.stretch_weft = 400;
    fabric.shear = 150;
    return fabric;
}

/// The square under x → F (u, v), F's columns the images of warp and weft.
std::vector<Vec3> affine(const TriangleMesh& mesh, const Vec3& warp, const Vec3& weft) {
    std::vector<Vec3> x;
    for (const Vec2& uv : mesh.uvs) x.push_back(uv[0] * warp + uv[1] * weft);
    return x;
}

TEST(MembranePatch, AffineDeformationHasNoForceInsideARandomMesh) {
    const TriangleMesh mesh = random_square(8);
    const Cloth cloth(mesh, anisotropic());
    const auto x = affine(mesh, Vec3(1.1, 0.05, 0.2), Vec3(-0.1, 0.2, 0.9));
    EdgeSlopes slopes(cloth);
    std::vector<Vec3> forces(x.size());
    elastic_forces(slopes, x, forces);
    double on_edge = 0, inside = 0;
    for (size_t v = 0; v < x.size(); ++v) {
        const Vec3& p = mesh.positions[v];
        const bool edge = std::abs(p[0]) > 0.499 || std::abs(p[2]) > 0.499;
        (edge ? on_edge : inside) = std::max(edge ? on_edge : inside, forces[v].norm());
    }
    EXPECT_GT(on_edge, 1.0);
    EXPECT_LE(inside, 1e-12 * on_edge);
}

TEST(MembraneModuli, TensionPerWidthIsStiffnessTimesStrain) {
    const TriangleMesh mesh = random_square(4);
    const Cloth cloth(mesh, anisotropic());
    const auto energy = [&](const Vec3& warp, const Vec3& weft) {
        return elastic_energy(cloth, affine(mesh, warp, weft)).membrane;
    };
    const double e = 0.02;  // of a square of 1 m²: E = ½ k e²
    EXPECT_NEAR(energy({1 + e, 0, 0}, {0, 1, 0}), 0.5 * 900 * e * e, 1e-12);
    EXPECT_NEAR(energy({1, 0, 0}, {0, 0, 1 - e}), 0.5 * 400 * e * e, 1e-12);
    const double angle = 0.03;  // trellis shear: lengths stay, the right angle closes
    const double cosine = std::sin(angle);
    EXPECT_NEAR(energy({1, 0, 0}, {std::sin(angle), std::cos(angle), 0}),
                0.5 * 150 * cosine * cosine, 1e-12);
}

TEST(MembraneModuli, BiasExtensionCostsShearOnly) {
    const TriangleMesh mesh = random_square(4);
    const Cloth cloth(mesh, anisotropic());
    const double half = 0.7;  // rad between bias direction and threads; 45 degrees at rest
    const auto x =
        affine(mesh, {std::cos(half), std::sin(half), 0}, {std::cos(half), -std::sin(half), 0});
    const double cosine = std::cos(2 * half);
    EXPECT_NEAR(elastic_energy(cloth, x).membrane, 0.5 * 150 * cosine * cosine, 1e-12);
}

TEST(HangingStrip, StretchesByItsWeight) {
    const double length = 0.5;
    const TriangleMesh mesh = make_rectangle({.width = 0.1,
                                              .length = length,
                                              .width_divisions = 6,
                                              .length_divisions = 30,
                                              .plane = Plane::Upright});
    const Cloth cloth(mesh, anisotropic());
    std::vector<bool> fixed;
    for (const Vec3& p : mesh.positions) fixed.push_back(p[1] > length / 2 - 1e-9);
    std::vector<Vec3> x = mesh.positions;
    test::StaticSolver solver(cloth, {0, -kGravity, 0}, fixed);
    EXPECT_LE(solver.solve(x), 1e-7);
    const double weight = cloth.fabric().density * kGravity;  // N/m²
    const double exact = weight * length * length / (2 * cloth.fabric().stretch_weft);
    EXPECT_NEAR((-length / 2 - x[0][1]) / exact, 1, 0.005);
}

/// Sag over span of a limp strip whose length is `ratio` times its span.
double sag(double ratio) {
    constexpr double kSpan = 1;
    constexpr int kCells = 60;
    const TriangleMesh mesh = make_rectangle(
        {.width = ratio * kSpan, .length = 0.1, .width_divisions = kCells, .length_divisions = 3});
    Fabric limp = named_fabric("cotton");
    limp.bend_warp = limp.bend_weft = limp.bend_twist = 1e-8;
    limp.stretch_warp = limp.stretch_weft = 2e4;
    const Cloth cloth(mesh, limp);
    std::vector<bool> fixed;
    std::vector<Vec3> x = mesh.positions;
    const double start_sag = kSpan * std::sqrt(ratio * ratio - 1) / 2;
    for (Vec3& p : x) {
        const double at = p[0] / (ratio * kSpan / 2);  // -1 … 1
        fixed.push_back(std::abs(at) > 1 - 1e-9);
        p = {at * kSpan / 2, -start_sag * (1 - at * at), p[2]};
    }
    test::StaticSolver solver(cloth, {0, -kGravity, 0}, fixed);
    EXPECT_LE(solver.solve(x), 1e-6);
    double lowest = 0;
    for (const Vec3& p : x) lowest = std::min(lowest, p[1]);
    return -lowest / kSpan;
}

TEST(Catenary, HasTheSagOfALimpChain) {
    EXPECT_NEAR(sag(1.05) / 0.13930, 1, 0.02);
    EXPECT_NEAR(sag(1.2) / 0.29234, 1, 0.01);
    EXPECT_NEAR(sag(2.0) / 0.79639, 1, 0.01);
}

}  // namespace
}  // namespace toile
