// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/surface_handle.h"

#include "support/mesh_battery.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/edit/surface_cells.h"
#include "toile/mesh/geodesic.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/topology.h"
#include "toile/mesh/transform.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace toile {
namespace {

constexpr double kEverywhere = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

// A strip along x, with waves so that it is not flat; its first columns are the selection.
TriangleMesh wavy_strip(double size = 1) {
    TriangleMesh mesh = make_rectangle({.width = 4 * size,
                                        .length = size,
                                        .width_divisions = 40,
                                        .length_divisions = 10,
                                        .center = Vec3(2 * size, 0, 0)});
    for (Vec3& p : mesh.positions) p.y() += 0.05 * size * std::sin(12 * p.x() / size);
    return mesh;
}

std::vector<int> columns(const TriangleMesh& mesh, double from, double to) {
    std::vector<int> result;
    for (int v = 0; v < mesh.n_vertices(); ++v) {
        const double x = mesh.positions[v].x();
        if (x >= from && x <= to) result.push_back(v);
    }
    return result;
}

double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (size_t v = 0; v < a.size(); ++v) largest = std::max(largest, (a[v] - b[v]).norm());
    return largest;
}

// Root of the mean squared change of the edges' lengths, relative.
double stretch(const TriangleMesh& mesh, std::span<const Vec3> moved) {
    double sum = 0;
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    for (const auto& [a, b] : topology.edges) {
        const double before = (mesh.positions[a] - mesh.positions[b]).norm();
        sum += std::pow((moved[a] - moved[b]).norm() / before - 1, 2);
    }
    return std::sqrt(sum / topology.n_edges());
}

const HandleMove kTurned{.translation = Vec3(0.3, 0.4, -0.2),
                         .rotation = Vec3(0.3, -0.9, 1.2),
                         .pivot = Vec3(0.2, 0.1, 0)};

TEST(SurfaceHandle, FollowsARigidMoveExactlyWhereNothingStays) {
    for (const double size : {1e-3, 1.0, 1e3}) {
        const TriangleMesh mesh = wavy_strip(size);
        SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, 0, 0.5 * size),
                             {.falloff = kEverywhere});
        EXPECT_EQ(handle.vertices().size(), mesh.positions.size());
        std::vector<Vec3> out(mesh.positions.size());
        HandleMove other = kTurned;
        other.rotation = Vec3(2, 2, 0);
        (void)handle.drag({.translation = Vec3(size, 0, 0), .scale = 1.5}, out);
        for (HandleMove move : {kTurned, other}) {
            move.translation *= size;
            const HandleReport report = handle.drag(move, out);
            const SharedMove whole(move, 1);
            for (int v = 0; v < mesh.n_vertices(); ++v) {
                EXPECT_LT((out[v] - whole(mesh.positions[v])).norm(), 1e-13 * size);
            }
            EXPECT_LT(report.energy, 1e-22 * size * size);
        }
    }
}

TEST(SurfaceHandle, LowersItsEnergyInEveryIteration) {
    const TriangleMesh mesh = wavy_strip();
    SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, 0, 0.3),
                         {.falloff = 3, .iterations = 1});
    std::vector<Vec3> out(mesh.positions.size());
    double before = kEverywhere;
    for (int k = 0; k < 60; ++k) {
        const double energy = handle.drag(kTurned, out).energy;
        EXPECT_LE(energy, before * (1 + 1e-12)) << "iteration " << k;
        before = energy;
    }
    EXPECT_GT(before, 0);
}

/// The energy of SurfaceHandle's comment as it stands there, each cell with the rotation that makes
/// it least, by a singular value decomposition.
class PlainEnergy {
  public:
    PlainEnergy(const TriangleMesh& mesh, std::span<const int> selection, double falloff)
        : rest_(mesh.positions), pulls_(mesh.positions.size(), 0) {
        const GeodesicDistances near =
            SurfaceDistance(mesh.triangles, mesh.n_vertices()).within(rest_, selection, falloff);
        std::vector<char> is_free(rest_.size(), 0);
        for (size_t k = 0; k < near.vertices.size(); ++k) {
            const double t = near.distances[k] / falloff;
            if (t == 0 || t >= 1) continue;
            is_free[near.vertices[k]] = 1;
            pulls_[near.vertices[k]] =
                2 * t * t * (3 - 2 * t) / ((1 - t) * (1 - t) * falloff * falloff);
        }
        cells_ = make_surface_cells(mesh.triangles, rest_, is_free);
        for (int i = 0; i < cells_.n_free; ++i) pulls_[cells_.vertices[i]] *= cells_.areas[i];
    }

    [[nodiscard]] std::span<const int> free_vertices() const {
        return std::span(cells_.vertices).first(static_cast<size_t>(cells_.n_free));
    }

    [[nodiscard]] double operator()(std::span<const Vec3> x) const {
        double energy = 0;
        for (int c = 0; c < cells_.n_cells; ++c) energy += cell(c, x);
        for (const int v : free_vertices()) energy += pulls_[v] * (x[v] - rest_[v]).squaredNorm();
        return energy;
    }

  private:
    [[nodiscard]] double cell(int c, std::span<const Vec3> x) const {
        const int i = cells_.vertices[c];
        Mat3 sum = Mat3::Zero();
        for (int k = cells_.first[c]; k < cells_.first[c + 1]; ++k) {
            const int j = cells_.vertices[cells_.neighbours[k]];
            sum += cells_.weights[k] * (x[i] - x[j]) * (rest_[i] - rest_[j]).transpose();
        }
        const Eigen::JacobiSVD<Mat3> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
        const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant();
        const Mat3 rotation =
            svd.matrixU() * Vec3(1, 1, sign < 0 ? -1 : 1).asDiagonal() * svd.matrixV().transpose();
        double energy = 0;
        for (int k = cells_.first[c]; k < cells_.first[c + 1]; ++k) {
            const int j = cells_.vertices[cells_.neighbours[k]];
            const Vec3 edge = x[i] - x[j] - rotation * (rest_[i] - rest_[j]);
            energy += 0.5 * cells_.weights[k] * edge.squaredNorm();
        }
        return energy;
    }

    std::vector<Vec3> rest_;
    std::vector<double> pulls_;  // of vertices
    SurfaceCells cells_;
};

// The largest of the central differences by a coordinate of a free vertex.
double largest_slope(const PlainEnergy& energy, std::vector<Vec3> x) {
    constexpr double kStep = 1e-5;
    double largest = 0;
    for (const int v : energy.free_vertices()) {
        for (int axis = 0; axis < 3; ++axis) {
            const double at = x[v][axis];
            x[v][axis] = at + kStep;
            const double above = energy(x);
            x[v][axis] = at - kStep;
            const double below = energy(x);
            x[v][axis] = at;
            largest = std::max(largest, std::abs(above - below) / (2 * kStep));
        }
    }
    return largest;
}

TEST(SurfaceHandle, ComesToRestWhereTheGradientOfItsEnergyVanishes) {
    const TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 2});
    const std::vector<int> top = {0};
    constexpr double kFalloff = 2.5;
    SurfaceHandle handle(mesh.triangles, mesh.positions, top,
                         {.falloff = kFalloff, .iterations = 400});
    std::vector<Vec3> out(mesh.positions.size());
    const HandleMove move{.translation = Vec3(0.1, 0.6, 0)};
    const double found = handle.drag(move, out).energy;

    const PlainEnergy energy(mesh, top, kFalloff);
    EXPECT_NEAR(energy(out), found, 1e-9 * found);
    std::vector<Vec3> shares(mesh.positions.size());
    SurfaceHandle smooth(mesh.triangles, mesh.positions, top,
                         {.mode = HandleMode::Smooth, .falloff = kFalloff});
    (void)smooth.drag(move, shares);
    const double slope_at_start = largest_slope(energy, shares);
    EXPECT_GT(slope_at_start, 0.1);
    EXPECT_LT(largest_slope(energy, out), 1e-6 * slope_at_start);
}

TEST(SurfaceHandle, ForgetsAMoveThatNoFileCanHold) {
    const TriangleMesh mesh = wavy_strip();
    const std::vector<int> end = columns(mesh, 0, 0.3);
    const HandleMove small{.translation = Vec3(0, 0.1, 0)};
    std::vector<Vec3> out(mesh.positions.size()), expected(mesh.positions.size());
    for (const HandleMode mode : {HandleMode::Arap, HandleMode::Smooth}) {
        SurfaceHandle fresh(mesh.triangles, mesh.positions, end, {.mode = mode, .falloff = 2});
        (void)fresh.drag(small, expected);
        SurfaceHandle handle(mesh.triangles, mesh.positions, end, {.mode = mode, .falloff = 2});
        for (const double far : {1.7e308, 1e200, 1e39}) {
            EXPECT_THROW((void)handle.drag({.translation = Vec3(far, 0, 0)}, out), InvalidInput);
            EXPECT_THROW((void)handle.drag({.scale = far}, out), InvalidInput);
        }
        (void)handle.drag(small, out);
        EXPECT_EQ(out, expected);
        (void)handle.drag({.translation = Vec3(3e38, -3e38, 0)}, out);
        for (const Vec3& p : out) EXPECT_TRUE(p.allFinite());
        (void)handle.drag(small, out);
        EXPECT_EQ(out, expected);
    }
}

TEST(SurfaceHandle, KeepsShapeWhereTheSmoothModeStretches) {
    const TriangleMesh mesh = wavy_strip();
    const std::vector<int> end = columns(mesh, 0, 0.3);
    const HandleMove bend{.translation = Vec3(0.8, 1.2, 0), .rotation = Vec3(0, 0, -kPi / 2)};
    std::vector<Vec3> rigid(mesh.positions.size()), smooth(mesh.positions.size());
    SurfaceHandle arap(mesh.triangles, mesh.positions, end, {.falloff = 3.5, .iterations = 60});
    SurfaceHandle shares(mesh.triangles, mesh.positions, end,
                         {.mode = HandleMode::Smooth, .falloff = 3.5});
    (void)arap.drag(bend, rigid);
    (void)shares.drag(bend, smooth);
    EXPECT_LT(stretch(mesh, rigid), 0.5 * stretch(mesh, smooth));
    EXPECT_GT(stretch(mesh, smooth), 0.05);
}

TEST(SurfaceHandle, MovesTheSelectionAsToldAndNothingBeyondTheFalloffByABit) {
    const TriangleMesh mesh = wavy_strip();
    const std::vector<int> end = columns(mesh, 0, 0.3);
    for (const HandleMode mode : {HandleMode::Arap, HandleMode::Smooth}) {
        SurfaceHandle handle(mesh.triangles, mesh.positions, end, {.mode = mode, .falloff = 1});
        std::vector<Vec3> out(mesh.positions.size());
        (void)handle.drag(kTurned, out);
        const SharedMove whole(kTurned, 1);
        for (const int v : end) EXPECT_EQ(out[v], whole(mesh.positions[v]));
        std::vector<char> may(mesh.positions.size(), 0);
        for (const int v : handle.vertices()) may[v] = 1;
        for (int v = 0; v < mesh.n_vertices(); ++v) {
            const Vec3 expected = may[v] ? out[v] : mesh.positions[v];
            EXPECT_EQ(out[v], expected);
        }
        EXPECT_EQ(may[columns(mesh, 2, 2.1).front()], 0);
    }
}

TEST(SurfaceHandle, FadesFlatAtTheFalloff) {
    const TriangleMesh mesh = make_rectangle({.width = 4,
                                              .length = 1,
                                              .width_divisions = 80,
                                              .length_divisions = 20,
                                              .center = Vec3(2, 0, 0)});
    for (const HandleMode mode : {HandleMode::Arap, HandleMode::Smooth}) {
        SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, -1, 1e-9),
                             {.mode = mode, .falloff = 2, .iterations = 20});
        std::vector<Vec3> out(mesh.positions.size());
        (void)handle.drag({.translation = Vec3(0, 0.2, 0)}, out);
        // A straight ramp would lift the last column but one by 0.005.
        EXPECT_LT(std::abs(out[10 * 81 + 39].y()), 5e-4);
        EXPECT_GT(out[10 * 81 + 10].y(), 0.02);
    }
}

TEST(SurfaceHandle, WeighsTheSelectionOneAndFallsWithTheDistanceOverTheSurface) {
    const TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 4});
    const SurfaceHandle handle(mesh.triangles, mesh.positions, std::vector<int>{0}, {.falloff = 1});
    const GeodesicDistances near = SurfaceDistance(mesh.triangles, mesh.n_vertices())
                                       .within(mesh.positions, std::vector<int>{0}, 1);
    ASSERT_EQ(handle.vertices(), near.vertices);
    for (size_t k = 0; k < near.vertices.size(); ++k) {
        const double t = near.distances[k];
        EXPECT_NEAR(handle.weights()[k], 1 - t * t * (3 - 2 * t), 1e-12);
    }
    EXPECT_EQ(handle.weights()[0], 1);
}

TEST(SurfaceHandle, NeverMovesAFixedVertex) {
    const TriangleMesh mesh = wavy_strip();
    const std::vector<int> fixed = columns(mesh, 3.7, 4);
    SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, 0, 0.3),
                         {.falloff = kEverywhere, .fixed = fixed});
    std::vector<Vec3> out(mesh.positions.size());
    (void)handle.drag(kTurned, out);
    for (const int v : fixed) EXPECT_EQ(out[v], mesh.positions[v]);
    const int middle = columns(mesh, 1.9, 2.1).front();
    EXPECT_GT((out[middle] - mesh.positions[middle]).norm(), 0.05);
}

TEST(SurfaceHandle, GivesTheSameBitsOnAnyNumberOfThreads) {
    const TriangleMesh mesh = make_sphere({.radius = 1, .subdivisions = 4});
    std::vector<std::vector<Vec3>> results;
    for (const int threads : {1, 2, 5}) {
        const ThreadLimit limit(threads);
        SurfaceHandle handle(mesh.triangles, mesh.positions, std::vector<int>{0, 1, 2},
                             {.falloff = 2});
        std::vector<Vec3>& out = results.emplace_back(mesh.positions.size());
        for (const double share : {0.3, 0.6, 1.0}) {
            (void)handle.drag({.translation = share * Vec3(0.2, 0.5, 0)}, out);
        }
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(SurfaceHandle, ComesBackToTheBitWhenTheMoveIsTakenBack) {
    const TriangleMesh mesh = wavy_strip();
    SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, 0, 0.3), {.falloff = 2});
    std::vector<Vec3> out(mesh.positions.size());
    (void)handle.drag(kTurned, out);
    EXPECT_GT(largest_difference(out, mesh.positions), 0.3);
    (void)handle.drag({.pivot = Vec3(1, 2, 3)}, out);
    EXPECT_EQ(out, mesh.positions);
}

TEST(SurfaceHandle, OfEverythingMovesItAllAndOfNothingNone) {
    const TriangleMesh mesh = wavy_strip();
    std::vector<int> all(mesh.positions.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<Vec3> out(mesh.positions.size());
    SurfaceHandle whole(mesh.triangles, mesh.positions, all, {.falloff = 1});
    (void)whole.drag(kTurned, out);
    const SharedMove move(kTurned, 1);
    for (int v = 0; v < mesh.n_vertices(); ++v) EXPECT_EQ(out[v], move(mesh.positions[v]));
    SurfaceHandle none(mesh.triangles, mesh.positions, {}, {.falloff = 1});
    (void)none.drag(kTurned, out);
    EXPECT_EQ(out, mesh.positions);
    EXPECT_TRUE(none.vertices().empty());
}

TEST(SurfaceHandle, StaysFiniteAndObedientOnEveryMeshOfTheBattery) {
    for (const test::BatteryMesh& battery : test::mesh_battery()) {
        SCOPED_TRACE(battery.name);
        const TriangleMesh& mesh = battery.mesh;
        std::vector<int> selection;
        if (!mesh.positions.empty()) selection = {0};
        for (const double falloff : {0.0, 1.2, kEverywhere}) {
            SurfaceHandle handle(mesh.triangles, mesh.positions, selection, {.falloff = falloff});
            std::vector<Vec3> out(mesh.positions.size());
            (void)handle.drag(kTurned, out);
            for (const Vec3& p : out) EXPECT_TRUE(p.allFinite());
            for (const int v : selection) {
                EXPECT_EQ(out[v], SharedMove(kTurned, 1)(mesh.positions[v]));
            }
        }
    }
}

TEST(SurfaceHandle, CopesWithCoincidentVerticesAndSliverTriangles) {
    TriangleMesh mesh = wavy_strip();
    for (const int v : {60, 61, 62, 200}) mesh.positions[v] = mesh.positions[v + 1];
    mesh.positions[150] = 0.5 * (mesh.positions[149] + mesh.positions[151]) + Vec3(0, 0, 1e-14);
    SurfaceHandle handle(mesh.triangles, mesh.positions, columns(mesh, 0, 0.3), {.falloff = 3});
    std::vector<Vec3> out(mesh.positions.size());
    double before = kEverywhere;
    for (int k = 0; k < 5; ++k) {
        const double energy = handle.drag(kTurned, out).energy;
        EXPECT_LE(energy, before);
        before = energy;
    }
    for (const Vec3& p : out) EXPECT_LT(p.norm(), 10);
}

TEST(SurfaceHandle, RefusesWhatItCannotDo) {
    const TriangleMesh mesh = wavy_strip();
    const auto make = [&](std::vector<int> selection, HandleOptions options) {
        return SurfaceHandle(mesh.triangles, mesh.positions, selection, std::move(options));
    };
    EXPECT_THROW(make({-1}, {}), InvalidInput);
    EXPECT_THROW(make({mesh.n_vertices()}, {}), InvalidInput);
    EXPECT_THROW(make({3}, {.fixed = {3}}), InvalidInput);
    EXPECT_THROW(make({3}, {.fixed = {-3}}), InvalidInput);
    EXPECT_THROW(make({3}, {.falloff = -1}), InvalidInput);
    EXPECT_THROW(make({3}, {.falloff = std::nan("")}), InvalidInput);
    EXPECT_THROW(make({3}, {.iterations = 0}), InvalidInput);
    SurfaceHandle handle = make({3}, {.falloff = 1});
    std::vector<Vec3> out(mesh.positions.size());
    EXPECT_THROW((void)handle.drag({.scale = 0}, out), InvalidInput);
    EXPECT_THROW((void)handle.drag({.translation = Vec3(kEverywhere, 0, 0)}, out), InvalidInput);
    EXPECT_THROW((void)handle.drag({}, std::span(out).first(3)), InvalidInput);
    TriangleMesh broken = mesh;
    broken.positions[7].x() = std::nan("");
    EXPECT_THROW(SurfaceHandle(broken.triangles, broken.positions, {}), InvalidInput);
}

TEST(SharedMove, GrowsEvenlyAndIsTheWholeAtOne) {
    const HandleMove move{.translation = Vec3(1, 2, 3),
                          .rotation = Vec3(0, kPi / 2, 0),
                          .scale = 4,
                          .pivot = Vec3(1, 0, 0)};
    const Vec3 x(2, 0, 0);
    EXPECT_EQ(SharedMove(move, 0)(x), x);
    EXPECT_LT((SharedMove(move, 1)(x) - Vec3(2, 2, -1)).norm(), 1e-14);
    const Vec3 half =
        Vec3(1, 0, 0) + 2 * Vec3(std::sqrt(0.5), 0, -std::sqrt(0.5)) + Vec3(0.5, 1, 1.5);
    EXPECT_LT((SharedMove(move, 0.5)(x) - half).norm(), 1e-14);
}

}  // namespace
}  // namespace toile
