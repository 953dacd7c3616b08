// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/geometry.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace toile {

/// What a mesh is and what is wrong with it. All lists hold indices, ascending; none of what they
/// name forbids to use the mesh with care.
struct MeshDiagnosis {
    int n_vertices = 0;
    int n_edges = 0;
    int n_triangles = 0;
    int n_components = 0;  ///< connected sets of triangles; lone vertices do not count
    int n_boundary_edges = 0;
    int n_boundary_loops = 0;  ///< as of boundary_loops()
    int euler_number = 0;      ///< vertices of triangles - edges + triangles
    /// Handles of all components together, where the surface is a closed oriented manifold.
    std::optional<int> genus;

    std::vector<int> triangles_naming_a_vertex_twice;
    /// Of three different vertices, but with a height below kDegenerateHeight of the longest side.
    /// Triangles with a vertex that is not finite are not judged.
    std::vector<int> degenerate_triangles;
    /// {triangle, earlier triangle of the same three vertices in any order}
    std::vector<std::array<int, 2>> duplicate_triangles;
    std::vector<Edge> non_manifold_edges;             ///< of more than two triangles
    std::vector<Edge> inconsistently_oriented_edges;  ///< passed twice in one direction
    std::vector<int>
        non_manifold_vertices;  ///< whose triangles make several fans that share no edge
    std::vector<int> unreferenced_vertices;
    /// {vertex, earliest vertex at exactly the same place}
    std::vector<std::array<int, 2>> coincident_vertices;
    std::vector<int> non_finite_vertices;

    BoundingBox box;                ///< of the finite vertices; metres
    double area = 0;                ///< m², of triangles whose vertices are finite
    std::optional<double> volume;   ///< m³, where the surface is closed, oriented and finite
    LengthStatistics edge_lengths;  ///< metres, of edges between finite vertices
    /// Longest side over smallest height, in those of an equilateral triangle (1); over triangles
    /// that are neither degenerate nor lack a finite vertex. `worst` is -1 where there is none.
    double max_aspect_ratio = 0;
    double mean_aspect_ratio = 0;
    int worst_aspect_triangle = -1;

    [[nodiscard]] bool is_closed() const { return n_triangles > 0 && n_boundary_edges == 0; }
    [[nodiscard]] bool is_manifold() const {
        return non_manifold_edges.empty() && non_manifold_vertices.empty();
    }
    [[nodiscard]] bool is_oriented() const { return inconsistently_oriented_edges.empty(); }
    /// Whether any list but that of coincident vertices, which seams have too, names something.
    [[nodiscard]] bool has_problems() const;
};

/// A triangle is degenerate where its smallest height is below this part of its longest side: ten
/// times the resolution of float32, in which most files hold coordinates.
inline constexpr double kDegenerateHeight = 1e-6;

/// O(n log n). Throws InvalidInput where an index does not name a vertex.
MeshDiagnosis diagnose(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace toile
