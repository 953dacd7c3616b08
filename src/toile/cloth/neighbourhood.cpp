// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/neighbourhood.h"

#include "toile/mesh/topology.h"

#include <algorithm>

namespace toile {
namespace {

/// The corner of `triangle` that is not on the edge; -1 where there is none.
int corner_off(const Triangle& triangle, const Edge& edge) {
    for (int i = 0; i < 3; ++i) {
        if (triangle[i] != edge[0] && triangle[i] != edge[1]) return i;
    }
    return -1;
}

int partner(std::span<const int> round_edge, int t) {
    if (round_edge.size() < 2) return -1;
    return round_edge[0] == t ? round_edge[1] : round_edge[0];
}

/// Whether the triangle runs along the edge from its smaller vertex to its larger one.
bool runs_forward(const Triangle& triangle, const Edge& edge) {
    for (int i = 0; i < 3; ++i) {
        if (triangle[i] == edge[0] && triangle[(i + 1) % 3] == edge[1]) return true;
    }
    return false;
}

int side_of_edge(std::span<const Triangle> triangles, std::span<const int> round_edge,
                 const Edge& edge, int t) {
    if (round_edge[0] == t) return 1;
    if (round_edge[1] != t) return 0;
    const bool agree =
        runs_forward(triangles[round_edge[0]], edge) != runs_forward(triangles[t], edge);
    return agree ? -1 : 1;
}

}  // namespace

Neighbourhood find_neighbours(std::span<const Triangle> triangles, int n_vertices) {
    const EdgeTopology topology = build_edges(triangles, n_vertices);
    Neighbourhood result;
    result.n_edges = static_cast<int>(topology.edges.size());
    result.of_triangle.resize(triangles.size());
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        TriangleNeighbours& own = result.of_triangle[t];
        own.edge = topology.edges_of_triangle[t];
        for (int i = 0; i < 3; ++i) {
            if (own.edge[i] < 0) continue;
            const Edge& edge = topology.edges[own.edge[i]];
            const auto round_edge = topology.triangles_of_edge(own.edge[i]);
            own.side[i] = side_of_edge(triangles, round_edge, edge, t);
            const int other = partner(round_edge, t);
            const int far = other < 0 ? -1 : corner_off(triangles[other], edge);
            if (far < 0 || triangles[other][far] == triangles[t][i]) continue;
            own.triangle[i] = other;
            own.far_corner[i] = far;
        }
    }
    return result;
}

}  // namespace toile
