// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// The edges of a triangle list, sorted by (smaller, larger) vertex index; any connectivity, also
/// non-manifold and inconsistently oriented.
struct EdgeTopology {
    std::vector<Edge> edges;  ///< unique, smaller vertex first
    /// edges_of_triangle[t][i]: edge opposite to corner i, that is from corner i+1 to corner i+2.
    std::vector<std::array<int, 3>> edges_of_triangle;
    /// Triangles round edge e, ascending: triangle_list[first_triangle[e] … first_triangle[e + 1]).
    std::vector<int> first_triangle;
    std::vector<int> triangle_list;

    [[nodiscard]] int n_edges() const { return static_cast<int>(edges.size()); }
    [[nodiscard]] std::span<const int> triangles_of_edge(int e) const {
        const auto begin = static_cast<size_t>(first_triangle[static_cast<size_t>(e)]);
        const auto end = static_cast<size_t>(first_triangle[static_cast<size_t>(e) + 1]);
        return std::span<const int>(triangle_list).subspan(begin, end - begin);
    }
    [[nodiscard]] bool is_boundary(int e) const { return triangles_of_edge(e).size() == 1; }
};

/// O(n log n). Indices of `triangles` must lie in [0, n_vertices), else InvalidInput names the
/// triangle; a triangle that names a vertex twice gives no edge between equal vertices (-1 in
/// edges_of_triangle), and stands once in the list of an edge that two of its sides share.
EdgeTopology build_edges(std::span<const Triangle> triangles, int n_vertices);

/// Triangles round every vertex, ascending: triangle_list[first_triangle[v]
/// … first_triangle[v + 1]).
struct VertexTriangles {
    std::vector<int> first_triangle;
    std::vector<int> triangle_list;

    [[nodiscard]] std::span<const int> triangles_of_vertex(int v) const {
        const auto begin = static_cast<size_t>(first_triangle[static_cast<size_t>(v)]);
        const auto end = static_cast<size_t>(first_triangle[static_cast<size_t>(v) + 1]);
        return std::span<const int>(triangle_list).subspan(begin, end - begin);
    }
};

/// O(n). A triangle that names a vertex twice stands once in that vertex's list. Throws as
/// build_edges.
VertexTriangles build_vertex_triangles(std::span<const Triangle> triangles, int n_vertices);

/// Connected component of every vertex through triangles, numbered by first vertex; a vertex of no
/// triangle is a component of its own. Throws as build_edges.
std::vector<int> vertex_components(std::span<const Triangle> triangles, int n_vertices);

/// The boundary as vertex loops (the first vertex is not repeated), each starting at its smallest
/// edge. Where boundary curves touch in a vertex they are parted arbitrarily but always the same
/// way; next to non-manifold edges a "loop" may be an open chain.
std::vector<std::vector<int>> boundary_loops(const EdgeTopology& topology, int n_vertices);

/// Throws InvalidInput, naming the first triangle with an index outside [0, n_vertices).
void require_valid_indices(std::span<const Triangle> triangles, int n_vertices);

}  // namespace toile
