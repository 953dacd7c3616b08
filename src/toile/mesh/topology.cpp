// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/topology.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace toile {
namespace {

/// One side of one triangle, as it is sorted to find the edges.
struct Side {
    Edge edge;
    int triangle;
    int corner;  ///< opposite to the side

    friend auto operator<=>(const Side&, const Side&) = default;
};

std::vector<Side> sorted_sides(std::span<const Triangle> triangles) {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        const Triangle& corners = triangles[t];
        for (int i = 0; i < 3; ++i) {
            const auto [a, b] = std::minmax(corners[(i + 1) % 3], corners[(i + 2) % 3]);
            if (a != b) sides.push_back({{a, b}, t, i});
        }
    }
    std::sort(sides.begin(), sides.end());
    return sides;
}

/// Appends `side` to the lists of the edge that was added last.
void add_to_last_edge(EdgeTopology& topology, const Side& side) {
    topology.edges_of_triangle[side.triangle][side.corner] = topology.n_edges() - 1;
    const bool listed =
        static_cast<int>(topology.triangle_list.size()) > topology.first_triangle.back() &&
        topology.triangle_list.back() == side.triangle;
    if (!listed) topology.triangle_list.push_back(side.triangle);
}

/// Sets of vertices that grow together; the smallest vertex of a set stands for it.
class VertexSets {
  public:
    explicit VertexSets(int n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

    int find(int v) {
        while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
        return v;
    }
    void join(int a, int b) {
        const int root_a = find(a);
        const int root_b = find(b);
        parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
    }

  private:
    std::vector<int> parent_;
};

/// Boundary edges round every vertex, and which of them have been walked already.
class BoundaryWalk {
  public:
    BoundaryWalk(const EdgeTopology& topology, int n_vertices)
        : topology_(topology), edges_of_vertex_(n_vertices), walked_(topology.edges.size(), 0) {
        for (int e = 0; e < topology.n_edges(); ++e) {
            if (!topology.is_boundary(e)) continue;
            for (const int v : topology.edges[e]) edges_of_vertex_[v].push_back(e);
        }
    }

    [[nodiscard]] bool starts_loop(int e) const { return topology_.is_boundary(e) && !walked_[e]; }

    /// The loop through `e`; where the way ends before it closes, the whole chain through `e`.
    std::vector<int> loop_from(int e) {
        std::vector<int> loop = {topology_.edges[e][0]};
        if (!walk(e, loop)) {
            std::reverse(loop.begin(), loop.end());
            walk(next_edge(loop.back()), loop);
        }
        return loop;
    }

  private:
    [[nodiscard]] int next_edge(int v) const {
        const auto& edges = edges_of_vertex_[v];
        const auto free =
            std::find_if(edges.begin(), edges.end(), [&](int e) { return !walked_[e]; });
        return free == edges.end() ? -1 : *free;
    }

    /// Goes on from the end of `loop` along `e`; returns true when back at its start.
    bool walk(int e, std::vector<int>& loop) {
        for (; e >= 0; e = next_edge(loop.back())) {
            walked_[e] = 1;
            const Edge& edge = topology_.edges[e];
            const int v = edge[0] == loop.back() ? edge[1] : edge[0];
            if (v == loop.front()) return true;
            loop.push_back(v);
        }
        return false;
    }

    const EdgeTopology& topology_;
    std::vector<std::vector<int>> edges_of_vertex_;
    std::vector<char> walked_;
};

}  // namespace

void require_valid_indices(std::span<const Triangle> triangles, int n_vertices) {
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        for (const int v : triangles[t]) {
            if (v >= 0 && v < n_vertices) continue;
            throw InvalidInput(
                fmt::format("Triangle {} names vertex {}, but there are only {} vertices "
                            "(0 to {}).",
                            t, v, n_vertices, n_vertices - 1));
        }
    }
}

EdgeTopology build_edges(std::span<const Triangle> triangles, int n_vertices) {
    require_valid_indices(triangles, n_vertices);
    const std::vector<Side> sides = sorted_sides(triangles);
    EdgeTopology topology;
    topology.edges_of_triangle.assign(triangles.size(), {-1, -1, -1});
    for (const Side& side : sides) {
        if (topology.edges.empty() || topology.edges.back() != side.edge) {
            topology.edges.push_back(side.edge);
            topology.first_triangle.push_back(static_cast<int>(topology.triangle_list.size()));
        }
        add_to_last_edge(topology, side);
    }
    topology.first_triangle.push_back(static_cast<int>(topology.triangle_list.size()));
    return topology;
}

VertexTriangles build_vertex_triangles(std::span<const Triangle> triangles, int n_vertices) {
    require_valid_indices(triangles, n_vertices);
    const auto for_each_corner = [&](const auto& visit) {
        for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
            const auto [a, b, c] = triangles[t];
            visit(a, t);
            if (b != a) visit(b, t);
            if (c != a && c != b) visit(c, t);
        }
    };
    VertexTriangles result;
    result.first_triangle.assign(static_cast<size_t>(n_vertices) + 1, 0);
    for_each_corner([&](int v, int) { ++result.first_triangle[v + 1]; });
    std::partial_sum(result.first_triangle.begin(), result.first_triangle.end(),
                     result.first_triangle.begin());
    result.triangle_list.resize(result.first_triangle.back());
    std::vector<int> next = result.first_triangle;
    for_each_corner([&](int v, int t) { result.triangle_list[next[v]++] = t; });
    return result;
}

std::vector<int> vertex_components(std::span<const Triangle> triangles, int n_vertices) {
    require_valid_indices(triangles, n_vertices);
    VertexSets sets(n_vertices);
    for (const Triangle& corners : triangles) {
        sets.join(corners[0], corners[1]);
        sets.join(corners[0], corners[2]);
    }
    std::vector<int> component(n_vertices);
    int n_components = 0;
    for (int v = 0; v < n_vertices; ++v) {
        const int root = sets.find(v);
        component[v] = root == v ? n_components++ : component[root];
    }
    return component;
}

std::vector<std::vector<int>> boundary_loops(const EdgeTopology& topology, int n_vertices) {
    BoundaryWalk walk(topology, n_vertices);
    std::vector<std::vector<int>> loops;
    for (int e = 0; e < topology.n_edges(); ++e) {
        if (walk.starts_loop(e)) loops.push_back(walk.loop_from(e));
    }
    return loops;
}

}  // namespace toile
