// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/implicit_step.h"

#include "toile/cloth/energy.h"
#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/shapes/rectangle.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace toile {
namespace {

const Environment kStill = {.gravity = Vec3(0, 0, 0)};
const StepOptions kExact = {.step = 0.01, .relative_tolerance = 1e-12, .max_strain_change = 0};

TriangleMesh square(int divisions) {
    return make_rectangle({.width = 1,
                           .length = 1,
                           .width_divisions = divisions,
                           .length_divisions = divisions,
                           .diagonals = Diagonals::Forward});
}

/// Positions and velocities far from rest, the same each time.
ClothState shaken(const Cloth& cloth, double amount) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> offset(-amount, amount);
    ClothState state = cloth.initial_state();
    for (size_t v = 0; v < state.positions.size(); ++v) {
        state.positions[v] += Vec3(offset(random), offset(random), offset(random));
        state.velocities[v] = 10 * Vec3(offset(random), offset(random), offset(random));
    }
    return state;
}

Vec3 momentum(const Cloth& cloth, const ClothState& state) {
    Vec3 sum = Vec3::Zero();
    for (int v = 0; v < cloth.n_vertices(); ++v) sum += cloth.masses()[v] * state.velocities[v];
    return sum;
}

Vec3 angular_momentum(const Cloth& cloth, const ClothState& state) {
    Vec3 sum = Vec3::Zero();
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        sum += cloth.masses()[v] * state.positions[v].cross(state.velocities[v]);
    }
    return sum;
}

TEST(ClothSystem, RightHandSideOfAClothAtRestIsTheElasticForceTimesTheStep) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    ClothState state = shaken(cloth, 0.02);
    for (Vec3& v : state.velocities) v.setZero();
    ClothSystem system(cloth);
    system.assemble(state, kStill, 0.01);
    std::vector<Vec3> forces(state.positions.size());
    EdgeSlopes slopes(cloth);
    elastic_forces(slopes, state.positions, forces);
    double largest = 0;
    for (const Vec3& f : forces) largest = std::max(largest, f.norm());
    for (size_t v = 0; v < forces.size(); ++v) {
        EXPECT_LE((system.rhs()[v] - 0.01 * forces[v]).norm(), 1e-14 * largest);
    }
}

TEST(ClothSystem, MatrixIsTheSumOfTheElementsHessians) {
    Fabric fabric = named_fabric("cotton");
    fabric.stretch_damping = 0.02;
    fabric.shear_damping = 0;
    fabric.bend_damping = 0;
    fabric.shear = 0;
    const Cloth cloth(square(3), fabric);
    const ClothState state = shaken(cloth, 0.02);
    const double h = 0.01;
    ClothSystem system(cloth);
    system.assemble(state, kStill, h);
    const int n = 3 * cloth.n_vertices();
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(n, n), found = expected;
    EdgeSlopes slopes(cloth);
    const auto splits = slopes.solve(state.positions);
    for (int t = 0; t < cloth.n_triangles(); ++t) {
        const ShellTriangle& shell = cloth.shells()[t];
        const BendingCorners p = gather(shell, state.positions);
        const MembraneHessian membrane = membrane_hessian_positive(
            shell.membrane, cloth.membrane_stiffness(), {p[0], p[1], p[2]});
        const BendingHessian bending = bending_hessian_positive(shell.bending, splits[t], p);
        for (int a = 0; a < 6; ++a) {
            for (int b = 0; b < 6; ++b) {
                auto block = expected.block<3, 3>(3 * shell.vertices[a], 3 * shell.vertices[b]);
                block += h * h * bending.block<3, 3>(3 * a, 3 * b);
                if (a < 3 && b < 3) block += h * h * membrane.block<3, 3>(3 * a, 3 * b);
            }
        }
        const Stretch w = stretch(shell.membrane, {p[0], p[1], p[2]});
        const double k = shell.membrane.area * fabric.stretch_warp * fabric.stretch_damping * h;
        const double l = shell.membrane.area * fabric.stretch_weft * fabric.stretch_damping * h;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                expected.block<3, 3>(3 * shell.vertices[a], 3 * shell.vertices[b]) +=
                    k * shell.membrane.d_warp[a] * shell.membrane.d_warp[b] * w.warp.normalized() *
                        w.warp.normalized().transpose() +
                    l * shell.membrane.d_weft[a] * shell.membrane.d_weft[b] * w.weft.normalized() *
                        w.weft.normalized().transpose();
            }
        }
    }
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        for (int i = 0; i < 3; ++i) expected(3 * v + i, 3 * v + i) += cloth.masses()[v];
    }
    system.matrix().for_each_block([&](int row, int column, const Mat3& block) {
        found.block<3, 3>(3 * row, 3 * column) = block;
    });
    EXPECT_LE((found - expected).norm(), 1e-13 * expected.norm());
    EXPECT_LE((found - found.transpose()).norm(), 1e-15 * expected.norm());
}

TEST(ImplicitStep, FreeFallGainsExactlyTheSpeedOfGravityAndNoStrain) {
    const Cloth cloth(square(8), named_fabric("silk"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(step.advance({}, kExact, state).status, StepStatus::Done);
    }
    for (const Vec3& v : state.velocities) EXPECT_LE((v - Vec3(0, -0.981, 0)).norm(), 1e-9);
    EXPECT_LE(max_strain(cloth, state.positions).value, 1e-9);
}

TEST(ImplicitStep, KeepsMomentumAndAngularMomentumOfWhatFliesFreely) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    const ClothState start = shaken(cloth, 0.005);
    ImplicitStep step(cloth);
    ClothState state = start;
    for (int i = 0; i < 40; ++i) {
        ASSERT_EQ(step.advance({kStill}, {.step = 0.005}, state).status, StepStatus::Done);
    }
    EXPECT_LE((momentum(cloth, state) - momentum(cloth, start)).norm(),
              1e-12 * momentum(cloth, start).norm());
    EXPECT_LE((angular_momentum(cloth, state) - angular_momentum(cloth, start)).norm(),
              1e-12 * angular_momentum(cloth, start).norm());
}

TEST(ImplicitStep, EnergyNeverRisesWithoutOutsideForces) {
    const Cloth cloth(square(8), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = shaken(cloth, 0.01);
    double energy =
        elastic_energy(cloth, state.positions).total() + kinetic_energy(cloth, state.velocities);
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(step.advance({kStill}, kExact, state).status, StepStatus::Done);
        const double now = elastic_energy(cloth, state.positions).total() +
                           kinetic_energy(cloth, state.velocities);
        EXPECT_LE(now, energy * (1 + 1e-9));
        energy = now;
    }
}

TEST(ImplicitStep, DampingDoesNotFeelRigidMotion) {
    Fabric damped = named_fabric("cotton"), undamped = damped;
    damped.stretch_damping = damped.shear_damping = damped.bend_damping = 10;
    undamped.stretch_damping = undamped.shear_damping = undamped.bend_damping = 0;
    for (const Fabric& fabric : {damped, undamped}) {
        const Cloth cloth(square(5), fabric);
        ClothState state = cloth.initial_state();
        const Vec3 spin(0.3, 0.5, -0.2);
        for (size_t v = 0; v < state.positions.size(); ++v) {
            state.velocities[v] = Vec3(1, 2, 3) + spin.cross(state.positions[v]);
        }
        ClothSystem system(cloth);
        system.assemble(state, kStill, 1e-9);
        for (const Vec3& impulse : system.rhs()) EXPECT_LE(impulse.norm(), 1e-9 * 1e-9);
    }
}

TEST(ImplicitStep, IsTheSameInARotatedAndShiftedFrame) {
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const Vec3 shift(5, -3, 2);
    const Cloth cloth(square(6), named_fabric("wool"));
    ClothState state = shaken(cloth, 0.01), moved = state;
    for (size_t v = 0; v < state.positions.size(); ++v) {
        moved.positions[v] = turn * state.positions[v] + shift;
        moved.velocities[v] = turn * state.velocities[v];
    }
    const Environment wind = {
        .gravity = Vec3(0, -9.81, 0), .wind = Vec3(3, 0, 1), .air_drag = 0.6, .linear_drag = 0.1};
    Environment turned = wind;
    turned.gravity = turn * wind.gravity;
    turned.wind = turn * wind.wind;
    ImplicitStep step(cloth), moved_step(cloth);
    for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(step.advance({wind}, kExact, state).status, StepStatus::Done);
        ASSERT_EQ(moved_step.advance({turned}, kExact, moved).status, StepStatus::Done);
    }
    for (size_t v = 0; v < state.positions.size(); ++v) {
        EXPECT_LE((turn * state.positions[v] + shift - moved.positions[v]).norm(), 1e-8);
    }
}

TEST(ImplicitStep, AgreesForAnyVertexOrder) {
    TriangleMesh mesh = square(6), shuffled = mesh;
    std::vector<int> new_place(mesh.positions.size());
    for (size_t v = 0; v < new_place.size(); ++v) new_place[v] = static_cast<int>(v);
    std::shuffle(new_place.begin(), new_place.end(), std::mt19937(3));
    for (size_t v = 0; v < new_place.size(); ++v) {
        shuffled.positions[new_place[v]] = mesh.positions[v];
    }
    for (Triangle& t : shuffled.triangles) {
        for (int& v : t) v = new_place[v];
    }
    const Cloth cloth(mesh, named_fabric("cotton")), other(shuffled, named_fabric("cotton"));
    ClothState state = cloth.initial_state(), other_state = other.initial_state();
    ImplicitStep step(cloth), other_step(other);
    const VelocityConstraint pin = {.vertex = 0}, other_pin = {.vertex = new_place[0]};
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(step.advance({.constraints = {&pin, 1}}, kExact, state).status, StepStatus::Done);
        ASSERT_EQ(other_step.advance({.constraints = {&other_pin, 1}}, kExact, other_state).status,
                  StepStatus::Done);
    }
    for (size_t v = 0; v < new_place.size(); ++v) {
        EXPECT_LE((state.positions[v] - other_state.positions[new_place[v]]).norm(), 1e-7);
    }
}

TEST(ImplicitStep, GivesTheSameBitsOnAnyNumberOfThreads) {
    const Cloth cloth(square(40), named_fabric("cotton"));
    const VelocityConstraint pins[] = {{.vertex = 0}, {.vertex = 40, .velocity = Vec3(0, 0.1, 0)}};
    std::vector<ClothState> results;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        ImplicitStep step(cloth);
        ClothState state = cloth.initial_state();
        for (int i = 0; i < 5; ++i) {
            ASSERT_EQ(step.advance({.environment = {.wind = Vec3(1, 0, 2), .air_drag = 0.6},
                                    .constraints = pins},
                                   {}, state)
                          .status,
                      StepStatus::Done);
        }
        results.push_back(state);
    }
    EXPECT_TRUE(results[0] == results[1]);
    EXPECT_TRUE(results[0] == results[2]);
}

TEST(ImplicitStep, HoldsPinsAndPrescribedVelocitiesExactly) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    const Vec3 normal = Vec3(1, 1, 0).normalized();
    const VelocityConstraint constraints[] = {
        {.vertex = 0},
        {.vertex = 6, .velocity = Vec3(0.1, 0, 0)},
        {.vertex = 42, .free_directions = free_across(normal)},
        {.vertex = 48, .velocity = Vec3(0, 0.2, 0), .free_directions = free_along(Vec3(0, 0, 2))}};
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    const ClothState start = state;
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(step.advance({.constraints = constraints}, {}, state).status, StepStatus::Done);
    }
    EXPECT_EQ(state.positions[0], start.positions[0]);
    EXPECT_LE((state.velocities[6] - Vec3(0.1, 0, 0)).norm(), 1e-15);
    EXPECT_LE(std::abs(state.velocities[42].dot(normal)), 1e-15);
    EXPECT_GT(state.velocities[42].norm(), 1e-3);
    EXPECT_LE(std::abs(state.velocities[48][1] - 0.2), 1e-15);
    EXPECT_EQ(state.velocities[48][0], 0.0);
}

TEST(ImplicitStep, FeelsNoWindWhenMovingWithIt) {
    const Cloth cloth(square(4), named_fabric("silk"));
    const Vec3 wind(3, 1, -2);
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    for (Vec3& v : state.velocities) v = wind;
    const Environment air = {
        .gravity = Vec3::Zero(), .wind = wind, .air_drag = 1, .linear_drag = 2};
    ASSERT_EQ(step.advance({air}, kExact, state).status, StepStatus::Done);
    for (const Vec3& v : state.velocities) EXPECT_LE((v - wind).norm(), 1e-12);
}

TEST(ImplicitStep, FallsInAirAtTheTerminalSpeedOfAPlate) {
    const Cloth cloth(square(4), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    const Environment air = {.air_drag = 0.6};
    for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(step.advance({air}, kExact, state).status, StepStatus::Done);
    }
    const double terminal = std::sqrt(cloth.fabric().density * 9.81 / 0.6);
    double force_free = 0;
    for (int v = 0; v < cloth.n_vertices(); ++v) force_free += cloth.masses()[v];
    EXPECT_NEAR(-momentum(cloth, state)[1] / force_free, terminal, 0.01 * terminal);
}

TEST(ImplicitStep, ReportsWhatItCannotDoAndLeavesTheStateAlone) {
    const Cloth cloth(square(4), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = shaken(cloth, 0.05);
    const ClothState before = state;
    EXPECT_EQ(step.advance({}, {.max_iterations = 1, .max_strain_change = 0}, state).status,
              StepStatus::SolverDidNotConverge);
    const StepReport report = step.advance({}, {.max_strain_change = 1e-4}, state);
    EXPECT_EQ(report.status, StepStatus::StrainChangedTooMuch);
    EXPECT_GE(report.worst_triangle, 0);
    EXPECT_TRUE(state == before);
    state.velocities[3][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(step.advance({}, {}, state).status, StepStatus::NotFinite);
}

TEST(ImplicitStep, RefusesWrongInputWithASentence) {
    const Cloth cloth(square(2), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    const VelocityConstraint missing = {.vertex = 9};
    const VelocityConstraint twice[] = {{.vertex = 1}, {.vertex = 1}};
    EXPECT_THROW((void)step.advance({.constraints = {&missing, 1}}, {}, state), InvalidInput);
    EXPECT_THROW((void)step.advance({.constraints = twice}, {}, state), InvalidInput);
    EXPECT_THROW((void)step.advance({}, {.step = 0}, state), InvalidInput);
    state.positions.pop_back();
    EXPECT_THROW((void)step.advance({}, {}, state), InvalidInput);
}

TEST(ImplicitStep, AnswersContactsWithTheirMomentumAndNothingWithoutThem) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    ASSERT_EQ(step.advance({}, kExact, state).status, StepStatus::Done);
    const ClothState free_fall = state;
    EXPECT_EQ(step.respond_to_contacts(free_fall.positions, kExact, state).status,
              StepStatus::Done);
    EXPECT_TRUE(state == free_fall);

    std::vector<Vec3> corrected = state.positions;
    corrected[24] += Vec3(0, 0.002, 0);
    corrected[10] += Vec3(0.001, 0.001, 0);
    ASSERT_EQ(step.respond_to_contacts(corrected, kExact, state).status, StepStatus::Done);
    const Vec3 impulse =
        (cloth.masses()[24] * Vec3(0, 0.002, 0) + cloth.masses()[10] * Vec3(0.001, 0.001, 0)) /
        kExact.step;
    EXPECT_LE((momentum(cloth, state) - momentum(cloth, free_fall) - impulse).norm(),
              1e-9 * impulse.norm());
    EXPECT_TRUE(state.positions == corrected);
}

TEST(ImplicitStep, AnAnswerThatDoesNotConvergeChangesNothing) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    ASSERT_EQ(step.advance({}, kExact, state).status, StepStatus::Done);
    const ClothState before = state;
    std::vector<Vec3> corrected = state.positions;
    corrected[24] += Vec3(0.001, 0.002, 0);
    StepOptions hasty = kExact;
    hasty.max_iterations = 1;
    EXPECT_EQ(step.respond_to_contacts(corrected, hasty, state).status,
              StepStatus::SolverDidNotConverge);
    EXPECT_TRUE(state == before);
}

TEST(ImplicitStep, StopsASheetThatLandsFlat) {
    const Cloth cloth(square(6), named_fabric("cotton"));
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    for (Vec3& v : state.velocities) v = Vec3(0, -2, 0);
    const std::vector<Vec3> floor = state.positions;
    ASSERT_EQ(step.advance({}, kExact, state).status, StepStatus::Done);
    ASSERT_EQ(step.respond_to_contacts(floor, kExact, state).status, StepStatus::Done);
    for (const Vec3& v : state.velocities) EXPECT_LE(v.norm(), 1e-8);
}

}  // namespace
}  // namespace toile
