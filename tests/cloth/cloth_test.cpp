// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/cloth.h"

#include "support/mesh_battery.h"
#include "toile/cloth/energy.h"
#include "toile/cloth/implicit_step.h"
#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>

namespace toile {
namespace {

TriangleMesh square(int divisions) {
    return make_rectangle(
        {.width = 1, .length = 1, .width_divisions = divisions, .length_divisions = divisions});
}

TEST(Fabric, NamedOnesAreValidDistinctAndSayTheirSource) {
    std::set<std::string> names;
    for (const Fabric& fabric : named_fabrics()) {
        EXPECT_NO_THROW(check_fabric(fabric));
        EXPECT_FALSE(fabric.source.empty()) << fabric.name;
        EXPECT_TRUE(names.insert(fabric.name).second) << fabric.name;
    }
    for (const char* name : {"silk", "cotton", "wool", "denim", "leather", "11oz-black-denim"}) {
        EXPECT_EQ(named_fabric(name).name, name);
    }
}

TEST(Fabric, WrongNamesAndNumbersAreRefusedWithASentence) {
    try {
        (void)named_fabric("coton");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find("Did you mean 'cotton'?"), std::string::npos);
    }
    Fabric fabric;
    fabric.density = 0;
    EXPECT_THROW(check_fabric(fabric), InvalidInput);
    fabric.density = 0.1;
    fabric.shear = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(check_fabric(fabric), InvalidInput);
}

TEST(Cloth, WeighsDensityTimesArea) {
    const Cloth cloth(square(5), named_fabric("denim"));
    EXPECT_NEAR(std::accumulate(cloth.masses().begin(), cloth.masses().end(), 0.0), 0.324, 1e-12);
    EXPECT_TRUE(cloth.loose_vertices().empty());
    EXPECT_TRUE(cloth.warnings().empty());
}

TEST(Cloth, StepsEveryMeshOfTheBatteryWithoutHarm) {
    for (const auto& [name, mesh, components, edges, loops, closed, manifold, oriented,
                      degenerate] : test::mesh_battery()) {
        SCOPED_TRACE(name);
        const Cloth cloth(mesh, named_fabric("cotton"), {.from_uvs = false});
        EXPECT_EQ(degenerate && cloth.warnings().empty(), false);
        ImplicitStep step(cloth);
        ClothState state = cloth.initial_state();
        EXPECT_LE(elastic_energy(cloth, state.positions).total(), 1e-15);
        for (int i = 0; i < 5; ++i) {
            const StepOptions exact = {.relative_tolerance = 1e-12, .max_strain_change = 0};
            ASSERT_EQ(step.advance({}, exact, state).status, StepStatus::Done);
        }
        for (int v = 0; v < cloth.n_vertices(); ++v) {
            const double speed = cloth.masses()[v] > 0 ? -5 * 0.01 * 9.81 : 0.0;
            EXPECT_NEAR(state.velocities[v][1], speed, 1e-6);
        }
    }
}

TEST(Cloth, HoldsAVertexWithoutTrianglesAndNamesIt) {
    TriangleMesh mesh = square(2);
    mesh.positions.emplace_back(5, 5, 5);
    const Cloth cloth(mesh, named_fabric("cotton"), {.from_uvs = false});
    ASSERT_EQ(cloth.loose_vertices().size(), 1u);
    EXPECT_EQ(cloth.loose_vertices()[0], 9);
    ASSERT_EQ(cloth.warnings().size(), 1u);
    EXPECT_NE(cloth.warnings()[0].find("(9)"), std::string::npos);
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    ASSERT_EQ(step.advance({}, {}, state).status, StepStatus::Done);
    EXPECT_EQ(state.positions[9], Vec3(5, 5, 5));
}

TEST(Cloth, RefusesIndicesAndPositionsThatAreNone) {
    TriangleMesh mesh = square(1);
    mesh.triangles[1][2] = 4;
    EXPECT_THROW(Cloth(mesh, named_fabric("cotton")), InvalidInput);
    mesh = square(1);
    mesh.positions[2][0] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(Cloth(mesh, named_fabric("cotton")), InvalidInput);
    EXPECT_THROW(Cloth(square(1), named_fabric("cotton"), {.uv_scale = 0}), InvalidInput);
}

TEST(RestShape, ComesFromUvsWithTheirScale) {
    TriangleMesh mesh = square(3);
    for (Vec2& uv : mesh.uvs) uv *= 10;  // decimetres
    const Cloth cloth(mesh, named_fabric("cotton"), {.uv_scale = 0.1});
    EXPECT_LE(max_strain(cloth, mesh.positions).value, 1e-12);
    const Cloth small(mesh, named_fabric("cotton"), {.uv_scale = 0.05});
    EXPECT_NEAR(strains(small, mesh.positions)[0].warp, 1, 1e-12);
}

TEST(RestShape, NamesUvTrianglesItCannotUseAndTakesTheir3dShape) {
    TriangleMesh mesh = square(3);
    mesh.uvs.resize(mesh.uvs.size() + 3, mesh.uvs[0]);  // triangle 4: a point
    const int extra = static_cast<int>(mesh.uvs.size()) - 3;
    mesh.uv_triangles[4] = {extra, extra + 1, extra + 2};
    std::swap(mesh.uv_triangles[7][0], mesh.uv_triangles[7][1]);  // against its island
    const RestShape rest = rest_shape(mesh, {});
    ASSERT_EQ(rest.warnings.size(), 2u);
    EXPECT_NE(rest.warnings[0].find("1 triangle (4) without area"), std::string::npos);
    EXPECT_NE(rest.warnings[1].find("1 triangle (7) inverted"), std::string::npos);
    for (const auto& corners : rest.corners) EXPECT_NEAR(flat_area(corners), 1.0 / 18, 1e-12);
}

TEST(RestShape, DoubtsAPatternOfQuiteAnotherSize) {
    TriangleMesh mesh = square(3);
    for (Vec2& uv : mesh.uvs) uv *= 100;  // centimetres
    EXPECT_EQ(rest_shape(mesh, {}).warnings.size(), 1u);
    EXPECT_TRUE(rest_shape(mesh, {.uv_scale = 0.01}).warnings.empty());
    EXPECT_TRUE(rest_shape(mesh, {.from_uvs = false}).warnings.empty());
}

TEST(RestShape, TakesAMirroredPatternAsItIs) {
    TriangleMesh mesh = square(3);
    for (Vec2& uv : mesh.uvs) uv[0] = -uv[0];
    const RestShape rest = rest_shape(mesh, {});
    EXPECT_TRUE(rest.warnings.empty());
    const Cloth cloth(mesh, named_fabric("cotton"));
    EXPECT_LE(elastic_energy(cloth, mesh.positions).total(), 1e-20);
}

TEST(RestShape, WithoutUvsFollowsTheWarpDirectionOnAnyPlane) {
    TriangleMesh mesh = square(2);
    for (Vec3& p : mesh.positions) p = Vec3(0, p[0], p[2]);  // across x: z takes its place
    const RestShape rest = rest_shape(mesh, {.from_uvs = false});
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        const Triangle& corners = mesh.triangles[t];
        const double dz = mesh.positions[corners[1]][2] - mesh.positions[corners[0]][2];
        EXPECT_NEAR(rest.corners[t][1][0] - rest.corners[t][0][0], dz, 1e-12);
    }
}

/// A sheet rolled to a quarter of a cylinder of radius 1 about z: its bending energy, J.
double rolled_energy(TriangleMesh mesh, bool flat) {
    const TriangleMesh plane = mesh;
    for (Vec3& p : mesh.positions) p = Vec3(std::sin(p[0]), 1 - std::cos(p[0]), p[2]);
    const Cloth cloth(flat ? plane : mesh, named_fabric("cotton"), {.from_uvs = flat});
    return elastic_energy(cloth, mesh.positions).bending;
}

TEST(BendingOfCloth, HasTheEnergyOfACylinderWhicheverWayTrianglesAreOriented) {
    const double exact = 0.5 * named_fabric("cotton").bend_warp;  // per m², curvature 1/m
    TriangleMesh mesh = square(20);
    // Half a cell at each curved edge is free to flatten.
    EXPECT_NEAR(rolled_energy(mesh, true) / exact, 1, 0.06);
    const double oriented = rolled_energy(mesh, true);
    for (int t = 0; t < mesh.n_triangles(); t += 3) {
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        std::swap(mesh.uv_triangles[t][1], mesh.uv_triangles[t][2]);
    }
    EXPECT_NEAR(rolled_energy(mesh, true), oriented, 1e-9 * oriented);
}

TEST(BendingOfCloth, IsAtRestInItsOwnShapeWithoutUvs) {
    EXPECT_LE(rolled_energy(square(10), false), 1e-25);
}

TEST(BendingOfCloth, ReachesEveryTriangleOfANonManifoldEdge) {
    TriangleMesh fan;  // three triangles on one edge
    fan.positions = {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 0.5), Vec3(-1, 0, 0.5),
                     Vec3(0, 1, 0.5)};
    fan.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const Cloth cloth(fan, named_fabric("cotton"));
    for (int v = 2; v < 5; ++v) {
        auto bent = fan.positions;
        bent[v] += v == 4 ? Vec3(0.1, 0, 0) : Vec3(0, 0.1, 0);
        EXPECT_GT(elastic_energy(cloth, bent).bending, 1e-9) << v;
    }
}

TEST(EdgeSlopes, AreThoseOfLeastEnergy) {
    TriangleMesh mesh = square(4);
    const Cloth cloth(mesh, named_fabric("cotton"));
    auto x = mesh.positions;
    for (Vec3& p : x) p[1] += 0.1 * std::sin(3 * p[0]) * std::cos(4 * p[2]);
    EdgeSlopes slopes(cloth);
    const auto splits = slopes.solve(x);
    const auto energy_with = [&](int edge, double change) {
        double sum = 0;
        for (int t = 0; t < cloth.n_triangles(); ++t) {
            BendingSplit split = splits[t];
            for (int i = 0; i < 3; ++i) {
                if (cloth.shells()[t].edges[i] == edge) {
                    split.offset[i] += slopes.signs()[t][i] * change;
                }
            }
            sum += bending_value(cloth.shells()[t].bending, split, gather(cloth.shells()[t], x));
        }
        return sum;
    };
    const double least = energy_with(0, 0);
    for (int e = 0; e < cloth.n_edges(); ++e) {
        EXPECT_GT(energy_with(e, 1e-2), least);
        EXPECT_GT(energy_with(e, -1e-2), least);
    }
}

TEST(EdgeSlopes, MakeTheForceTheWholeDerivativeOfTheEnergy) {
    TriangleMesh mesh = square(3);
    const Cloth cloth(mesh, named_fabric("denim"));
    auto x = mesh.positions;
    for (Vec3& p : x) p[1] += 0.1 * std::sin(5 * p[0]) * std::cos(4 * p[2]);
    EdgeSlopes slopes(cloth);
    std::vector<Vec3> forces(x.size());
    elastic_forces(slopes, x, forces);
    for (const int v : {0, 5, 6, 9}) {
        for (int axis = 0; axis < 3; ++axis) {
            constexpr double kStep = 1e-6;
            auto plus = x, minus = x;
            plus[v][axis] += kStep;
            minus[v][axis] -= kStep;
            const double derivative =
                (elastic_energy(slopes, plus).total() - elastic_energy(slopes, minus).total()) /
                (2 * kStep);
            EXPECT_NEAR(-forces[v][axis], derivative, 1e-5 * (1 + forces[v].norm()));
        }
    }
}

TEST(Strain, OfAnAffineStretchIsThatStretch) {
    TriangleMesh mesh = square(2);
    const Cloth cloth(mesh, named_fabric("cotton"));
    auto x = mesh.positions;
    for (Vec3& p : x) p = Vec3(1.1 * p[0], 0, 0.8 * p[2]);
    for (const TriangleStrain& s : strains(cloth, x)) {
        EXPECT_NEAR(s.warp, 0.1, 1e-12);
        EXPECT_NEAR(s.weft, -0.2, 1e-12);
        EXPECT_NEAR(s.shear, 0, 1e-12);
        EXPECT_NEAR(s.largest, 0.1, 1e-12);
        EXPECT_NEAR(s.smallest, -0.2, 1e-12);
    }
    EXPECT_NEAR(max_strain(cloth, x).value, 0.2, 1e-12);
    EXPECT_NEAR(max_strain_change(cloth, mesh.positions, x).value, 0.2, 1e-12);
}

}  // namespace
}  // namespace toile
