// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/bottle.h"
#include "toile/mesh/shapes/box.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/shapes/disc.h"
#include "toile/mesh/shapes/sphere.h"
#include "toile/mesh/shapes/table.h"
#include "toile/mesh/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kPi = std::numbers::pi;

/// Every edge has two triangles that pass it in opposite directions.
bool is_closed_and_oriented(const TriangleMesh& mesh) {
    std::vector<Edge> directed;
    for (const auto& [a, b, c] : mesh.triangles) {
        directed.insert(directed.end(), {Edge{a, b}, Edge{b, c}, Edge{c, a}});
    }
    std::sort(directed.begin(), directed.end());
    if (std::adjacent_find(directed.begin(), directed.end()) != directed.end()) return false;
    return std::all_of(directed.begin(), directed.end(), [&](const Edge& e) {
        return std::binary_search(directed.begin(), directed.end(), Edge{e[1], e[0]});
    });
}

int euler_number(const TriangleMesh& mesh) {
    return mesh.n_vertices() - build_edges(mesh.triangles, mesh.n_vertices()).n_edges() +
           mesh.n_triangles();
}

double volume(const TriangleMesh& mesh) {
    return enclosed_volume(mesh.positions, mesh.triangles);
}

TEST(Shapes, SolidsAreClosedOrientedOutwardsAndOfSphereType) {
    const TriangleMesh solids[] = {
        make_sphere({}), make_sphere({.subdivisions = 0}),   make_uv_sphere({}), make_cylinder({}),
        make_box({}),    make_box({.divisions = {3, 4, 5}}), make_bottle({})};
    for (const TriangleMesh& mesh : solids) {
        EXPECT_TRUE(is_closed_and_oriented(mesh));
        EXPECT_EQ(euler_number(mesh), 2);
        EXPECT_GT(volume(mesh), 0);
    }
}

TEST(Shapes, VolumesAreThoseOfTheSolids) {
    for (const double s : {1e-3, 1.0, 1e3}) {
        SCOPED_TRACE(s);
        const double cube = s * s * s;
        EXPECT_NEAR(volume(make_box({.size = s * Vec3(1, 2, 3), .divisions = {2, 3, 4}})) / cube, 6,
                    1e-12);
        const int n = 24;
        const double polygon =
            0.5 * n * std::sin(2 * kPi / n);  // area of the n-gon in the unit circle
        EXPECT_NEAR(volume(make_cylinder({.radius = s, .height = 2 * s, .segments = n})) / cube,
                    2 * polygon, 1e-12);
        EXPECT_NEAR(volume(make_uv_sphere({.radius = s, .segments = 128, .rings = 64})) / cube,
                    4 * kPi / 3, 0.01);
    }
}

TEST(Shapes, SphereVerticesLieOnTheSphereRoundItsCentre) {
    const Vec3 center(1, 2, 3);
    const TriangleMesh mesh = make_sphere({.radius = 0.3, .subdivisions = 3, .center = center});
    EXPECT_EQ(mesh.n_triangles(), 20 * 64);
    for (const Vec3& p : mesh.positions) EXPECT_NEAR((p - center).norm(), 0.3, 1e-15);
}

TEST(Shapes, DiscIsFlatRoundAndNearlyUniform) {
    const TriangleMesh mesh = make_disc({.radius = 2, .rings = 10});
    EXPECT_EQ(mesh.n_triangles(), 600);
    EXPECT_EQ(euler_number(mesh), 1);
    for (const Vec3& n : triangle_normals(mesh.positions, mesh.triangles)) {
        EXPECT_LT((n - Vec3::UnitY()).norm(), 1e-12);
    }
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    const LengthStatistics lengths = edge_length_statistics(mesh.positions, topology.edges);
    EXPECT_LT(lengths.max / lengths.min, 1.6);
    for (const auto& [a, b] : topology.edges) {
        EXPECT_NEAR((mesh.uvs[a] - mesh.uvs[b]).norm(),
                    (mesh.positions[a] - mesh.positions[b]).norm(), 1e-14);
    }
    EXPECT_EQ(boundary_loops(topology, mesh.n_vertices()).front().size(), 60u);
}

TEST(Shapes, TableStandsOnFourLegsThatDoNotTouchItsTop) {
    const TableOptions options;
    const TriangleMesh mesh = make_table(options);
    EXPECT_TRUE(is_closed_and_oriented(mesh));
    const auto component = vertex_components(mesh.triangles, mesh.n_vertices());
    EXPECT_EQ(*std::max_element(component.begin(), component.end()), 4);
    const BoundingBox box = bounding_box(mesh.positions);
    EXPECT_LT((box.min - Vec3(-0.5, 0, -0.3)).norm(), 1e-12);
    EXPECT_LT((box.max - Vec3(0.5, 0.75, 0.3)).norm(), 1e-12);
    for (int v = 0; v < mesh.n_vertices(); ++v) {
        const double below_top = options.height - options.top_thickness - mesh.positions[v].y();
        if (component[v] > 0) {
            EXPECT_GT(below_top, 0.005 * options.top_thickness);
        }
    }
}

TEST(Shapes, BottleNarrowsToItsNeck) {
    const TriangleMesh mesh = make_bottle({.height = 0.3, .radius = 0.04, .neck_radius = 0.01});
    for (const Vec3& p : mesh.positions) {
        const double radius = std::hypot(p.x(), p.z());
        EXPECT_LE(radius, 0.04 + 1e-15);
        if (p.y() > 0.75 * 0.3) {
            EXPECT_LE(radius, 0.01 + 1e-15);
        }
    }
}

TEST(Shapes, BadParametersAreRefusedInASentence) {
    const auto message = [](const auto& make) -> std::string {
        try {
            make();
        } catch (const InvalidInput& e) {
            return e.what();
        }
        return "accepted";
    };
    EXPECT_EQ(message([] { make_disc({.radius = -1}); }),
              "The disc's radius must be above 0 m; found -1.");
    EXPECT_EQ(message([] { make_disc({.rings = 0}); }),
              "The disc's rings must be 1 or more; found 0.");
    EXPECT_EQ(message([] { make_sphere({.subdivisions = 20}); }),
              "The sphere's subdivisions must lie in 0 to 8; found 20.");
    EXPECT_EQ(message([] {
                  make_box({.size = {1, 0, 1}});
              }),
              "The box's size along y must be above 0 m; found 0.");
    EXPECT_EQ(message([] { make_cylinder({.segments = 2}); }),
              "The cylinder's segments must be 3 or more; found 2.");
    EXPECT_EQ(message([] { make_bottle({.neck_radius = 1}); }),
              "The bottle's neck radius must not be above its radius of 0.04 m; found 1.");
    EXPECT_NE(message([] { make_table({.height = 0.01}); }).find("no room for legs"),
              std::string::npos);
    EXPECT_NE(message([] { make_table({.width = 0.1}); }).find("legs overlap"), std::string::npos);
}

}  // namespace
}  // namespace toile
