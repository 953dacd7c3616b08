// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/surface_cells.h"

#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

/// Half the cotangent of the angle at p between q and r.
double half_cotangent(const Vec3& p, const Vec3& q, const Vec3& r) {
    const double largest = 1 / std::tan(kSmallestAngle);
    const double along = (q - p).dot(r - p);
    const double across = (q - p).cross(r - p).norm();
    if (along == 0) return 0;
    return 0.5 * std::clamp(along / across, -largest, largest);
}

std::vector<double> edge_weights(const EdgeTopology& topology, std::span<const Triangle> triangles,
                                 std::span<const Vec3> positions) {
    std::vector<double> weights(topology.edges.size(), 0);
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (size_t corner = 0; corner < 3; ++corner) {
            const int edge = topology.edges_of_triangle[t][corner];
            if (edge < 0) continue;
            weights[edge] += half_cotangent(positions[triangles[t][corner]],
                                            positions[triangles[t][(corner + 1) % 3]],
                                            positions[triangles[t][(corner + 2) % 3]]);
        }
    }
    for (double& weight : weights) weight = std::max(weight, kSmallestWeight);
    return weights;
}

/// For every vertex of the mesh: 0 free, 1 beside a free one, 2 beside one of these, 3 elsewhere.
std::vector<int> rings(const EdgeTopology& topology, std::span<const char> is_free) {
    std::vector<int> ring(is_free.size(), 3);
    for (size_t v = 0; v < is_free.size(); ++v) ring[v] = is_free[v] ? 0 : 3;
    for (const int next : {1, 2}) {
        for (const auto& [a, b] : topology.edges) {
            if (ring[a] == next - 1 && ring[b] > next) ring[b] = next;
            if (ring[b] == next - 1 && ring[a] > next) ring[a] = next;
        }
    }
    return ring;
}

/// Numbers the local vertices; returns the place of every vertex of the mesh, -1 elsewhere.
std::vector<int> number_vertices(const std::vector<int>& ring, SurfaceCells& out) {
    std::vector<int> place(ring.size(), -1);
    for (const int wanted : {0, 1, 2}) {
        for (size_t v = 0; v < ring.size(); ++v) {
            if (ring[v] != wanted) continue;
            place[v] = static_cast<int>(out.vertices.size());
            out.vertices.push_back(static_cast<int>(v));
        }
        if (wanted == 0) out.n_free = static_cast<int>(out.vertices.size());
        if (wanted == 1) out.n_cells = static_cast<int>(out.vertices.size());
    }
    return place;
}

void add_neighbours(const EdgeTopology& topology, std::span<const double> weights,
                    std::span<const int> place, SurfaceCells& out) {
    const auto for_each_end = [&](const auto& visit) {
        for (size_t e = 0; e < topology.edges.size(); ++e) {
            const int a = place[topology.edges[e][0]];
            const int b = place[topology.edges[e][1]];
            if (a >= 0 && a < out.n_cells) visit(a, b, weights[e]);
            if (b >= 0 && b < out.n_cells) visit(b, a, weights[e]);
        }
    };
    out.first.assign(static_cast<size_t>(out.n_cells) + 1, 0);
    for_each_end([&](int cell, int, double) { ++out.first[cell + 1]; });
    for (int c = 0; c < out.n_cells; ++c) out.first[c + 1] += out.first[c];
    out.neighbours.resize(out.first.back());
    out.weights.resize(out.first.back());
    std::vector<int> next = out.first;
    for_each_end([&](int cell, int neighbour, double weight) {
        out.neighbours[next[cell]] = neighbour;
        out.weights[next[cell]++] = weight;
    });
}

void add_areas(std::span<const Triangle> triangles, std::span<const Vec3> positions,
               std::span<const int> place, SurfaceCells& out) {
    out.areas.assign(out.n_free, 0);
    for (const auto& [a, b, c] : triangles) {
        const double third = triangle_area(positions[a], positions[b], positions[c]) / 3;
        for (const int v : {a, b, c}) {
            if (place[v] >= 0 && place[v] < out.n_free) out.areas[place[v]] += third;
        }
    }
}

}  // namespace

SurfaceCells make_surface_cells(std::span<const Triangle> triangles,
                                std::span<const Vec3> positions, std::span<const char> is_free) {
    const EdgeTopology topology = build_edges(triangles, static_cast<int>(positions.size()));
    SurfaceCells cells;
    const std::vector<int> place = number_vertices(rings(topology, is_free), cells);
    add_neighbours(topology, edge_weights(topology, triangles, positions), place, cells);
    add_areas(triangles, positions, place, cells);
    return cells;
}

}  // namespace toile
