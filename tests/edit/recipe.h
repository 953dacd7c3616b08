// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <vector>

namespace toile::test {

/// Lengths of shortest paths along edges from `source` to every vertex; infinite where none leads.
std::vector<double> edge_distances(const TriangleMesh& mesh, int source);

/// An edit that can be made again in any frame, so that there is an answer to compare with: where
/// the edited part went is known by its best rigid fit.
class Recipe {
  public:
    enum class Kind { Turn, Swell, Emblem, Widen };

    struct Options {
        Kind kind = Kind::Turn;
        int tip = 0;       ///< vertex in the middle, or at the end, of the edited part
        double reach = 0;  ///< metres along edges from the tip to where the edit ends
        double band = 0;   ///< of these, over which it fades
        /// Turn: radians; Swell, Widen: factor - 1; Emblem: metres along the normal.
        double amount = 0;
        Vec3 axis = Vec3::UnitY();  ///< Turn: about this; Widen: along this
    };

    /// `mesh` is the frame to edit.
    Recipe(const TriangleMesh& mesh, const Options& options);

    /// The edit made in the frame with these positions.
    [[nodiscard]] std::vector<Vec3> made_in(std::span<const Vec3> positions) const;
    [[nodiscard]] const std::vector<Vec3>& original() const { return mesh_.positions; }
    [[nodiscard]] const std::vector<int>& moved() const { return moved_; }
    /// Root of the mean squared offset of moved vertices in the edited frame; metres.
    [[nodiscard]] double size() const;

  private:
    [[nodiscard]] Vec3 offset(const Vec3& p, double weight, const Vec3& center,
                              const Vec3& axis) const;

    TriangleMesh mesh_;
    Options options_;
    std::vector<double> weights_;
    std::vector<int> moved_;
    Vec3 center_ = Vec3::Zero();
};

/// Root of the mean squared distance over the vertices that the recipe moves; metres.
double distance_over_moved(const Recipe& recipe, std::span<const Vec3> found,
                           std::span<const Vec3> expected);

/// Triangles whose normals are more than 90 degrees apart.
int opposed_triangles(const TriangleMesh& mesh, std::span<const Vec3> found,
                      std::span<const Vec3> expected);

}  // namespace toile::test
