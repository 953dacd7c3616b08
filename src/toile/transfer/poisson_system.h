// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/deformation/gradient.h"
#include "toile/linalg/sparse_cholesky.h"
#include "toile/mesh/topology.h"

#include <optional>
#include <span>
#include <vector>

namespace toile {

/// Positions whose gradients on every triangle come nearest to wanted ones:
/// min Σ_t area_t ‖T_t − S_t‖² over the n vertices, that is (Gᵀ D G) x = Gᵀ D S [Botsch06, eq. 8].
/// Triangles so thin that their rows would drown the others weigh less than their area, which
/// changes nothing where the wanted gradients fit together.
/// The wanted gradients act on the tangents of their triangles alone, so fourth vertices are no
/// unknowns. Construct = assemble and factor; `solve` is const.
class PoissonSystem {
  public:
    /// Vertices of `fixed` (ascending, each once) keep the positions given to `solve`. Every part
    /// (triangles with area that hang together by vertices) without one is held at its first
    /// vertex, at the origin: the caller moves it to its place. Vertices of no triangle with area
    /// are in no part, and the solve leaves them alone. Indices must be valid.
    PoissonSystem(std::span<const Vec3> rest_positions, std::span<const Triangle> triangles,
                  std::span<const int> fixed);

    /// Part of every vertex, from 0 in the order of their first vertices; -1: in none.
    [[nodiscard]] const std::vector<int>& part_of_vertex() const { return part_of_vertex_; }
    [[nodiscard]] int n_parts() const { return static_cast<int>(anchored_.size()); }
    /// Whether the part has a fixed vertex, so that its place is decided.
    [[nodiscard]] bool is_anchored(int part) const {
        return anchored_[static_cast<size_t>(part)] != 0;
    }
    /// Area of every triangle, m²; 0 where it is degenerate.
    [[nodiscard]] const std::vector<double>& areas() const { return areas_; }

    /// `gradients`: one a triangle. `in_out_positions`: the places of the fixed vertices are read,
    /// all others of parts are written. The same bits on any number of threads. `scratch` is for
    /// reuse from call to call.
    void solve(std::span<const Mat3> gradients, std::span<Vec3> in_out_positions,
               std::vector<Vec3>& scratch) const;

  private:
    /// Column of the Laplacian that belongs to a held vertex, against a free row.
    struct Coupling {
        int free_row;
        int held_vertex;
        double value;
    };
    /// Area times hat of one corner of one triangle.
    struct CornerWeight {
        int triangle;
        Vec3 weight;
    };

    void find_parts(std::span<const TriangleHats> hats, std::span<const Triangle> triangles);
    void number_rows(std::span<const int> fixed);
    void collect_corner_weights(std::span<const TriangleHats> hats,
                                std::span<const Triangle> triangles);
    void factor(const SparseMatrix& lower);
    [[nodiscard]] const Vec3& base_position(int vertex, std::span<const Vec3> positions) const;

    std::vector<double> areas_;
    std::vector<int> part_of_vertex_;
    std::vector<char> anchored_;      ///< of each part
    std::vector<int> base_;           ///< of each part, the first held vertex
    std::vector<int> row_of_vertex_;  ///< -1: held, or in no part
    std::vector<int> vertex_of_row_;
    std::vector<Coupling> couplings_;  ///< ascending by row
    std::vector<int> first_corner_;    ///< of each row, into corner_weights_
    std::vector<CornerWeight> corner_weights_;
    std::optional<SparseCholesky> factor_;
};

}  // namespace toile
