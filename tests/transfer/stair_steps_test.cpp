// SPDX-License-Identifier: Apache-2.0
// A coarse source has one gradient on each of its large triangles; copied as they are, they show on
// a fine target as facets: stair steps.
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/topology.h"
#include "toile/transfer/deformation_transfer.h"
#include "transfer_scene.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace toile {
namespace {

/// Root mean square of the angles between triangles that share an edge; radians.
double roughness(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    const auto normal = [&](int t) {
        const auto& [a, b, c] = triangles[static_cast<size_t>(t)];
        const Vec3& p = positions[static_cast<size_t>(a)];
        return Vec3((positions[static_cast<size_t>(b)] - p)
                        .cross(positions[static_cast<size_t>(c)] - p)
                        .normalized());
    };
    const EdgeTopology edges = build_edges(triangles, static_cast<int>(positions.size()));
    double sum = 0;
    int n = 0;
    for (int e = 0; e < edges.n_edges(); ++e) {
        const auto sides = edges.triangles_of_edge(e);
        if (sides.size() != 2) continue;
        const Vec3 a = normal(sides[0]), b = normal(sides[1]);
        const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
        sum += angle * angle;
        ++n;
    }
    return std::sqrt(sum / n);
}

TEST(StairSteps, OfACoarseSourceHardlyShowOnAFineTarget) {
    const TriangleMesh coarse = make_cylinder({.segments = 16, .height_divisions = 12});
    const TriangleMesh fine = make_cylinder({.segments = 64, .height_divisions = 48});
    const DeformationTransfer transfer(coarse, fine, test::nearest_pairs(coarse, fine, 4));
    const std::vector<Vec3> wanted = test::bent(fine.positions, 1);
    const std::vector<Vec3> result = transfer.apply(test::bent(coarse.positions, 1));
    EXPECT_LT(roughness(result, fine.triangles), 1.5 * roughness(wanted, fine.triangles));
    EXPECT_LT(test::largest_distance(result, wanted), 0.03 * test::diagonal(fine));
}

}  // namespace
}  // namespace toile
