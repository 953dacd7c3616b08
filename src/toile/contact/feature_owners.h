// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <array>
#include <cstdint>
#include <vector>

namespace toile {

/// A triangle, or a vertex of no triangle, and the vertices and edges that it stands for.
struct FeatureOwner {
    int triangle = -1;
    int n_vertices = 0, n_edges = 0;
    std::array<int, 3> vertices{}, edges{};
};

/// A pair of features as one number; the numbers order as the stencils do.
using PairKey = std::uint64_t;

/// Every vertex and every edge of a contact surface belongs to one triangle that holds it, so that
/// one tree of triangles finds pairs of all three kinds, each once [Curtis08].
struct FeatureOwners {
    std::vector<Triangle> triangles;  ///< those of the surface
    std::vector<Edge> edges;
    std::vector<char> prescribed_vertices;
    std::vector<FeatureOwner> free, prescribed;  ///< by body
    /// Triangles in the order of their vertices, and each one's place in it.
    std::vector<int> triangle_of_rank, rank_of_triangle;

    [[nodiscard]] PairKey point_triangle_key(int vertex, int triangle) const {
        return static_cast<PairKey>(vertex) << kSecondBits |
               static_cast<PairKey>(rank_of_triangle[triangle]);
    }
    [[nodiscard]] static PairKey edge_edge_key(int first, int second) {
        return kEdgePair | static_cast<PairKey>(first) << kSecondBits |
               static_cast<PairKey>(second);
    }
    [[nodiscard]] ContactStencil stencil_of(PairKey key) const;

  private:
    static constexpr int kSecondBits = 31;
    static constexpr PairKey kEdgePair = PairKey{1} << 63;
};

/// Whether the owners are those of this surface. O(n).
bool fit(const FeatureOwners& owners, const ContactSurface& surface);

/// O(n log n).
FeatureOwners find_feature_owners(const ContactSurface& surface);

}  // namespace toile
