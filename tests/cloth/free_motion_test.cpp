// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/free_motion.h"

#include "toile/mesh/shapes/append.h"
#include "toile/mesh/shapes/rectangle.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <random>

namespace toile {
namespace {

TriangleMesh two_sheets(double scale) {
    TriangleMesh mesh = make_rectangle(
        {.width = scale, .length = scale, .width_divisions = 3, .length_divisions = 4});
    mesh.uvs.clear();
    mesh.uv_triangles.clear();
    detail::append_part(make_rectangle({.width = scale,
                                        .length = 2 * scale,
                                        .width_divisions = 2,
                                        .length_divisions = 3,
                                        .center = Vec3(3 * scale, scale, 0)}),
                        mesh);
    return mesh;
}

std::vector<Vec3> random_vectors(size_t n, double size) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-size, size);
    std::vector<Vec3> values(n);
    for (Vec3& value : values) value = {number(random), number(random), number(random)};
    return values;
}

struct Momenta {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Of the vertices from `first` to before `last`, about the origin.
Momenta momenta(const Cloth& cloth, std::span<const Vec3> x, std::span<const Vec3> v, int first,
                int last) {
    Momenta sum;
    for (int i = first; i < last; ++i) {
        sum.linear += cloth.masses()[i] * v[i];
        sum.angular += cloth.masses()[i] * x[i].cross(v[i]);
    }
    return sum;
}

class FreeMotionAtScale : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Scales, FreeMotionAtScale, testing::Values(1e-3, 1.0, 1e3));

TEST_P(FreeMotionAtScale, EveryFreePieceKeepsItsMomenta) {
    const double scale = GetParam();
    const TriangleMesh mesh = two_sheets(scale);
    const Cloth cloth(mesh, named_fabric("cotton"));
    const auto& x = mesh.positions;
    std::vector<Vec3> changes = random_vectors(x.size(), scale);
    FreeMotion free(cloth);
    free.begin();
    free.keep({.positions = x}, changes);
    for (const auto& [first, last] : {std::pair(0, 20), std::pair(20, cloth.n_vertices())}) {
        const Momenta sum = momenta(cloth, x, changes, first, last);
        double mass = 0;
        for (int v = first; v < last; ++v) mass += cloth.masses()[v];
        EXPECT_LE(sum.linear.norm(), 1e-14 * mass * scale);
        EXPECT_LE(sum.angular.norm(), 1e-13 * mass * scale * scale);
    }
}

TEST(FreeMotion, GainsWhatGravityGives) {
    const TriangleMesh mesh = two_sheets(1);
    const Cloth cloth(mesh, named_fabric("silk"));
    const Vec3 gain(0, -0.0981, 0.01);
    std::vector<Vec3> changes(mesh.positions.size(), Vec3::Zero());
    FreeMotion free(cloth);
    free.begin();
    free.keep({.positions = mesh.positions, .gain = gain}, changes);
    for (const Vec3& change : changes) EXPECT_LE((change - gain).norm(), 1e-15);
}

TEST(FreeMotion, APieceThatIsTouchedIsLeftAloneUntilTheNextStep) {
    const TriangleMesh mesh = two_sheets(1);
    const Cloth cloth(mesh, named_fabric("cotton"));
    const std::vector<Vec3> before = random_vectors(mesh.positions.size(), 1);
    FreeMotion free(cloth);
    free.begin();
    free.touch(7);
    std::vector<Vec3> changes = before;
    free.keep({.positions = mesh.positions}, changes);
    for (size_t v = 0; v < 20; ++v) EXPECT_EQ(changes[v], before[v]);
    EXPECT_NE(changes[20], before[20]);
    free.begin();
    free.keep({.positions = mesh.positions}, changes);
    EXPECT_NE(changes[0], before[0]);
}

TEST(FreeMotion, ALineAndALooseVertexGiveNumbers) {
    TriangleMesh mesh = two_sheets(1);
    mesh.positions.emplace_back(9, 9, 9);  // of no triangle
    const Cloth cloth(mesh, named_fabric("cotton"));
    std::vector<Vec3> on_a_line, changes = random_vectors(mesh.positions.size(), 1);
    for (const Vec3& p : mesh.positions) on_a_line.emplace_back(p[0], 0, 0);
    const Vec3 loose = changes.back();
    FreeMotion free(cloth);
    free.begin();
    free.keep({.positions = on_a_line}, changes);
    for (const Vec3& change : changes) EXPECT_TRUE(change.allFinite());
    EXPECT_EQ(changes.back(), loose);
    std::vector<Vec3> at_a_point(changes.size(), Vec3(1, 2, 3));
    free.keep({.positions = at_a_point}, changes);
    for (const Vec3& change : changes) EXPECT_TRUE(change.allFinite());
}

}  // namespace
}  // namespace toile
