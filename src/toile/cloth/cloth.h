// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/bending_energy.h"
#include "toile/cloth/cloth_state.h"
#include "toile/cloth/fabric.h"
#include "toile/cloth/membrane_energy.h"
#include "toile/cloth/rest_shape.h"
#include "toile/core/types.h"
#include "toile/mesh/triangle_mesh.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// All that one triangle resists: stretch and shear of its own three corners, bending against its
/// neighbours' far corners.
struct ShellTriangle {
    /// Three corners, then the far corners (the triangle's own corner i where neighbour i is none).
    std::array<int, 6> vertices;
    MembraneShape membrane;
    BendingShape bending;
    std::array<int, 3> edges;       ///< number of the edge opposite to corner i, or -1
    std::array<int, 3> sides;       ///< see TriangleNeighbours::side
    std::array<int, 3> neighbours;  ///< the triangle it bends with across edge i, or -1
    /// Its part of hinge i's angle before EdgeSlopes: heights over the edge, this over both.
    Vec3 shares = Vec3::Zero();
};

/// A piece of cloth at rest: what it weighs and how it resists. Never changes; where it is and how
/// it moves is a ClothState.
class Cloth {
  public:
    /// Throws InvalidInput for a triangle that names a missing vertex, a position that is not
    /// finite, or a fabric that check_fabric() refuses. A mesh that can be used with care is used:
    /// see warnings().
    Cloth(const TriangleMesh& mesh, const Fabric& fabric, const RestShapeOptions& options = {});

    [[nodiscard]] int n_vertices() const { return static_cast<int>(masses_.size()); }
    [[nodiscard]] int n_triangles() const { return static_cast<int>(shells_.size()); }
    [[nodiscard]] int n_edges() const { return n_edges_; }
    [[nodiscard]] const Fabric& fabric() const { return fabric_; }
    [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }
    [[nodiscard]] std::span<const ShellTriangle> shells() const { return shells_; }
    [[nodiscard]] MembraneStiffness membrane_stiffness() const;

    /// kg per vertex: density × a third of the rest area of the triangles round it.
    [[nodiscard]] std::span<const double> masses() const { return masses_; }
    /// Ascending: vertices without mass, since no triangle with area holds them. They cannot move
    /// by themselves and stay where they are, unless a constraint moves them.
    [[nodiscard]] std::span<const int> loose_vertices() const { return loose_vertices_; }
    /// Sentences about what was found and how it was taken.
    [[nodiscard]] std::span<const std::string> warnings() const { return warnings_; }

    /// The mesh's positions, at rest.
    [[nodiscard]] ClothState initial_state() const;

  private:
    void build_shells(const RestShape& rest);
    void weigh();

    Fabric fabric_;
    std::vector<Vec3> positions_;
    std::vector<Triangle> triangles_;
    std::vector<ShellTriangle> shells_;
    std::vector<double> masses_;
    std::vector<int> loose_vertices_;
    std::vector<std::string> warnings_;
    int n_edges_ = 0;
};

/// The six points of a shell triangle among all positions (or velocities).
inline BendingCorners gather(const ShellTriangle& shell, std::span<const Vec3> values) {
    const auto& v = shell.vertices;
    return {values[v[0]], values[v[1]], values[v[2]], values[v[3]], values[v[4]], values[v[5]]};
}

}  // namespace toile
