// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/neighbourhood.h"

#include "toile/mesh/topology.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

/// The corner of `triangle` that is not on the edge.
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

double cross(const Vec2& a, const Vec2& b) {
    return a[0] * b[1] - a[1] * b[0];
}

/// A corner seen from the opposite edge a → b: place of its foot (0 at a, 1 at b), and height.
struct SeenFromEdge {
    double foot;
    double height;
};

SeenFromEdge seen_from_edge(const Vec2& a, const Vec2& b, const Vec2& corner) {
    const Vec2 e = b - a;
    return {.foot = (corner - a).dot(e) / e.squaredNorm(),
            .height = std::abs(cross(e, corner - a)) / e.norm()};
}

int corner_of_vertex(const Triangle& triangle, int vertex) {
    return static_cast<int>(std::find(triangle.begin(), triangle.end(), vertex) - triangle.begin());
}

}  // namespace

std::vector<TriangleNeighbours> triangle_neighbours(std::span<const Triangle> triangles,
                                                    int n_vertices) {
    const EdgeTopology topology = build_edges(triangles, n_vertices);
    std::vector<TriangleNeighbours> neighbours(triangles.size());
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        for (int i = 0; i < 3; ++i) {
            const int e = topology.edges_of_triangle[t][i];
            const int other = e < 0 ? -1 : partner(topology.triangles_of_edge(e), t);
            const int far = other < 0 ? -1 : corner_off(triangles[other], topology.edges[e]);
            if (far < 0 || triangles[other][far] == triangles[t][i]) continue;
            neighbours[t].triangle[i] = other;
            neighbours[t].far_corner[i] = far;
        }
    }
    return neighbours;
}

UnfoldedPatch unfolded_patch(std::span<const Triangle> triangles, const RestShape& rest,
                             const TriangleNeighbours& neighbours, int t) {
    UnfoldedPatch patch;
    patch.corners = rest.corners[t];
    if (!(flat_area(patch.corners) > 0)) return patch;
    for (int i = 0; i < 3; ++i) {
        const int other = neighbours.triangle[i];
        if (other < 0 || !(flat_area(rest.corners[other]) > 0)) continue;
        const int j1 = corner_of_vertex(triangles[other], triangles[t][(i + 1) % 3]);
        const int j2 = corner_of_vertex(triangles[other], triangles[t][(i + 2) % 3]);
        const auto& q = rest.corners[other];
        const SeenFromEdge far = seen_from_edge(q[j1], q[j2], q[neighbours.far_corner[i]]);
        const Vec2 &a = patch.corners[(i + 1) % 3], &b = patch.corners[(i + 2) % 3];
        const Vec2 e = b - a;
        Vec2 outward = Vec2(-e[1], e[0]).normalized();
        if (outward.dot(patch.corners[i] - a) > 0) outward = -outward;
        patch.far_corners[i] = a + far.foot * e + far.height * outward;
        patch.has_hinge[i] = true;
    }
    return patch;
}

}  // namespace toile
