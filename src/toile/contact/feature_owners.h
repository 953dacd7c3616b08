// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_surface.h"

#include <array>
#include <vector>

namespace toile {

/// A triangle, or a vertex of no triangle, and the vertices and edges that it stands for.
struct FeatureOwner {
    int triangle = -1;
    int n_vertices = 0, n_edges = 0;
    std::array<int, 3> vertices{}, edges{};
};

/// Every vertex and every edge of a contact surface belongs to one triangle that holds it, so that
/// one tree of triangles finds pairs of all three kinds, each once [Curtis08].
struct FeatureOwners {
    std::vector<FeatureOwner> free, prescribed;  ///< by body
    /// Triangles in the order of their vertices, and each one's place in it.
    std::vector<int> triangle_of_rank, rank_of_triangle;
};

/// O(n log n).
FeatureOwners find_feature_owners(const ContactSurface& surface);

}  // namespace toile
