// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/diagnosis.h"

#include "toile/mesh/topology.h"

#include <algorithm>
#include <iterator>
#include <numbers>
#include <numeric>
#include <utility>

namespace toile {
namespace {

using Positions = std::span<const Vec3>;
using Triangles = std::span<const Triangle>;

bool names_a_vertex_twice(const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

bool is_finite(Positions positions, const Triangle& t) {
    return std::all_of(t.begin(), t.end(), [&](int v) { return positions[v].allFinite(); });
}

void find_vertex_problems(Positions positions, const VertexTriangles& around, MeshDiagnosis& out) {
    for (int v = 0; v < out.n_vertices; ++v) {
        if (!positions[v].allFinite()) out.non_finite_vertices.push_back(v);
        if (around.triangles_of_vertex(v).empty()) out.unreferenced_vertices.push_back(v);
    }
}

void find_coincident_vertices(Positions positions, MeshDiagnosis& out) {
    std::vector<int> order;
    for (int v = 0; v < out.n_vertices; ++v) {
        if (positions[v].allFinite()) order.push_back(v);
    }
    const auto place = [&](int v) {
        return std::array{positions[v].x(), positions[v].y(), positions[v].z()};
    };
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::pair(place(a), a) < std::pair(place(b), b); });
    for (size_t i = 0, first = 0; i < order.size(); ++i) {
        if (place(order[i]) != place(order[first])) first = i;
        if (i != first) out.coincident_vertices.push_back({order[i], order[first]});
    }
    std::sort(out.coincident_vertices.begin(), out.coincident_vertices.end());
}

void find_duplicate_triangles(Triangles triangles, MeshDiagnosis& out) {
    std::vector<std::pair<Triangle, int>> sorted;
    for (int t = 0; t < out.n_triangles; ++t) {
        Triangle corners = triangles[t];
        std::sort(corners.begin(), corners.end());
        sorted.emplace_back(corners, t);
    }
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0, first = 0; i < sorted.size(); ++i) {
        if (sorted[i].first != sorted[first].first) first = i;
        if (i != first) out.duplicate_triangles.push_back({sorted[i].second, sorted[first].second});
    }
    std::sort(out.duplicate_triangles.begin(), out.duplicate_triangles.end());
}

/// How often triangle t passes the edge from its smaller to its larger vertex, less how often back.
int direction(const Triangle& t, const Edge& edge) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        const int a = t[i];
        const int b = t[(i + 1) % 3];
        sum += (a == edge[0] && b == edge[1]) - (a == edge[1] && b == edge[0]);
    }
    return sum;
}

void find_edge_problems(Triangles triangles, const EdgeTopology& topology, MeshDiagnosis& out) {
    for (int e = 0; e < topology.n_edges(); ++e) {
        const auto around = topology.triangles_of_edge(e);
        out.n_boundary_edges += around.size() == 1;
        if (around.size() > 2) out.non_manifold_edges.push_back(topology.edges[e]);
        int forward = 0;
        int backward = 0;
        for (const int t : around) {
            const int sign = direction(triangles[t], topology.edges[e]);
            forward += sign > 0;
            backward += sign < 0;
        }
        if (forward > 1 || backward > 1) {
            out.inconsistently_oriented_edges.push_back(topology.edges[e]);
        }
    }
}

/// Parts of the triangles round a vertex that hang together through edges at that vertex.
int n_fans(std::span<const int> around, int v, const EdgeTopology& topology) {
    std::vector<int> part(around.size());
    std::iota(part.begin(), part.end(), 0);
    const auto root = [&](int i) {
        while (part[i] != i) i = part[i];
        return i;
    };
    int n_parts = static_cast<int>(around.size());
    for (int i = 0; i < static_cast<int>(around.size()); ++i) {
        for (int corner = 0; corner < 3; ++corner) {
            const int e = topology.edges_of_triangle[around[i]][corner];
            if (e < 0) continue;
            const auto& edge = topology.edges[e];
            if (edge[0] != v && edge[1] != v) continue;
            for (const int t : topology.triangles_of_edge(e)) {
                const auto found = std::lower_bound(around.begin(), around.end(), t);
                const int a = root(i);
                const int b = root(static_cast<int>(found - around.begin()));
                if (a == b) continue;
                part[std::max(a, b)] = std::min(a, b);
                --n_parts;
            }
        }
    }
    return n_parts;
}

void find_non_manifold_vertices(const EdgeTopology& topology, const VertexTriangles& around,
                                MeshDiagnosis& out) {
    for (int v = 0; v < out.n_vertices; ++v) {
        if (n_fans(around.triangles_of_vertex(v), v, topology) > 1) {
            out.non_manifold_vertices.push_back(v);
        }
    }
}

void count_parts(Triangles triangles, const EdgeTopology& topology, MeshDiagnosis& out) {
    const auto component = vertex_components(triangles, out.n_vertices);
    const int n = component.empty() ? 0 : 1 + *std::max_element(component.begin(), component.end());
    const int n_lone = static_cast<int>(out.unreferenced_vertices.size());
    out.n_components = n - n_lone;
    out.n_boundary_loops = static_cast<int>(boundary_loops(topology, out.n_vertices).size());
    out.euler_number = out.n_vertices - n_lone - out.n_edges + out.n_triangles;
    const bool is_solid = out.is_closed() && out.is_manifold() && out.is_oriented() &&
                          out.triangles_naming_a_vertex_twice.empty();
    if (is_solid) out.genus = out.n_components - out.euler_number / 2;
}

/// Smallest height over longest side of a triangle; 0 where it has no extent.
double relative_height(Positions positions, const Triangle& t) {
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
        longest = std::max(longest, (positions[t[(i + 1) % 3]] - positions[t[i]]).stableNorm());
    }
    if (longest == 0) return 0;
    const Vec3 a = (positions[t[1]] - positions[t[0]]) / longest;
    const Vec3 b = (positions[t[2]] - positions[t[0]]) / longest;
    return a.cross(b).norm();
}

void measure_triangles(Positions positions, Triangles triangles, MeshDiagnosis& out) {
    constexpr double kEquilateral = 0.5 * std::numbers::sqrt3;  // its height over its side
    int n_measured = 0;
    for (int t = 0; t < out.n_triangles; ++t) {
        if (names_a_vertex_twice(triangles[t])) {
            out.triangles_naming_a_vertex_twice.push_back(t);
            continue;
        }
        if (!is_finite(positions, triangles[t])) continue;
        const auto [a, b, c] = triangles[t];
        out.area += triangle_area(positions[a], positions[b], positions[c]);
        const double height = relative_height(positions, triangles[t]);
        if (height < kDegenerateHeight) {
            out.degenerate_triangles.push_back(t);
            continue;
        }
        const double aspect = kEquilateral / height;
        out.mean_aspect_ratio += (aspect - out.mean_aspect_ratio) / ++n_measured;
        if (aspect <= out.max_aspect_ratio) continue;
        out.max_aspect_ratio = aspect;
        out.worst_aspect_triangle = t;
    }
}

void measure_edges(Positions positions, const EdgeTopology& topology, MeshDiagnosis& out) {
    std::vector<Edge> finite;
    std::copy_if(
        topology.edges.begin(), topology.edges.end(), std::back_inserter(finite),
        [&](const Edge& e) { return positions[e[0]].allFinite() && positions[e[1]].allFinite(); });
    out.edge_lengths = edge_length_statistics(positions, finite);
}

}  // namespace

bool MeshDiagnosis::has_problems() const {
    return !(triangles_naming_a_vertex_twice.empty() && degenerate_triangles.empty() &&
             duplicate_triangles.empty() && non_manifold_edges.empty() &&
             inconsistently_oriented_edges.empty() && non_manifold_vertices.empty() &&
             unreferenced_vertices.empty() && non_finite_vertices.empty());
}

MeshDiagnosis diagnose(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    MeshDiagnosis result;
    result.n_vertices = static_cast<int>(positions.size());
    result.n_triangles = static_cast<int>(triangles.size());
    const EdgeTopology topology = build_edges(triangles, result.n_vertices);
    const VertexTriangles around = build_vertex_triangles(triangles, result.n_vertices);
    result.n_edges = topology.n_edges();
    result.box = bounding_box(positions);
    find_vertex_problems(positions, around, result);
    find_coincident_vertices(positions, result);
    find_duplicate_triangles(triangles, result);
    find_edge_problems(triangles, topology, result);
    find_non_manifold_vertices(topology, around, result);
    measure_triangles(positions, triangles, result);
    measure_edges(positions, topology, result);
    count_parts(triangles, topology, result);
    if (result.genus && result.non_finite_vertices.empty()) {
        result.volume = enclosed_volume(positions, triangles);
    }
    return result;
}

}  // namespace toile
