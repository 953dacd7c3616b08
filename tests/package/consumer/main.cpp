// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/distance.h"
#include "toile/mesh/topology.h"
#include "toile/version.h"

#include <cstdio>

int main() {
    const std::vector<toile::Triangle> triangles = {{0, 1, 2}, {2, 1, 3}};
    const toile::EdgeTopology topology = toile::build_edges(triangles, 4);
    const toile::PointTriangleClosest closest =
        toile::closest_point_triangle({0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    std::printf("toile %s: %zu edges, distance² %g\n", TOILE_VERSION, topology.edges.size(),
                closest.squared_distance);
    return topology.edges.size() == 5 && closest.squared_distance == 1 ? 0 : 1;
}
