// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <string>
#include <vector>

namespace toile {

/// One body's share of a contact surface: vertices and triangles are consecutive.
struct ContactBody {
    std::string name;
    int first_vertex = 0;
    int n_vertices = 0;
    int first_triangle = 0;
    int n_triangles = 0;
    double thickness = 0;  ///< m; a pair keeps (thickness_a + thickness_b) / 2 apart
    bool prescribed =
        false;  ///< moves as it is told: obstacle; never collides with itself or its like
};

/// All surfaces of a world as one: what contacts know of it. Edges and owners are found once, since
/// connectivity never changes. Built by `make_contact_surface`.
struct ContactSurface {
    std::vector<ContactBody> bodies;
    std::vector<int> body_of_vertex;
    std::vector<Triangle> triangles;
    std::vector<Edge> edges;
    std::vector<int> body_of_triangle;
    std::vector<int> body_of_edge;
    std::vector<double> inverse_masses;  ///< 1/kg per vertex; 0 = prescribed (obstacle or pinned)
    /// Coulomb coefficient of every pair of bodies, row-major n_bodies × n_bodies, symmetric.
    std::vector<double> friction;

    [[nodiscard]] int n_vertices() const { return static_cast<int>(body_of_vertex.size()); }
};

}  // namespace toile
