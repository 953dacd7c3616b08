// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// One body's share of a contact surface: vertices, edges and triangles are consecutive.
struct ContactBody {
    std::string name;
    int first_vertex = 0;
    int n_vertices = 0;
    int first_triangle = 0;
    int n_triangles = 0;
    double thickness = 0;  ///< m; a pair keeps (thickness_a + thickness_b) / 2 apart
    /// Moves as it is told: an obstacle; never collides with itself or its like.
    bool prescribed = false;
};

/// What `make_contact_surface` needs to know of a body.
struct ContactBodyInput {
    std::string name;
    int n_vertices = 0;
    std::span<const Triangle> triangles = {};  ///< indices into the body's own vertices
    double thickness = 0;                      ///< m, 0 or more
    bool prescribed = false;
    /// n_vertices values, 1/kg; 0 = the vertex moves as it is told (pinned). Not read, and may be
    /// empty, where the body is prescribed.
    std::span<const double> inverse_masses = {};
};

/// All surfaces of a world as one: what contacts know of it. Edges and owners are found once, since
/// connectivity never changes; inverse masses and friction may be changed between steps.
struct ContactSurface {
    std::vector<ContactBody> bodies;
    std::vector<int> body_of_vertex;
    std::vector<Triangle> triangles;
    std::vector<Edge> edges;  ///< of all triangles, each once, sorted by (smaller, larger) vertex
    std::vector<int> body_of_triangle;
    std::vector<int> body_of_edge;
    std::vector<int> n_triangles_of_vertex;
    std::vector<int> n_triangles_of_edge;
    std::vector<double> inverse_masses;  ///< 1/kg per vertex; 0 = prescribed (obstacle or pinned)
    /// Coulomb coefficient of every pair of bodies, row-major n_bodies x n_bodies, symmetric.
    std::vector<double> friction;

    [[nodiscard]] int n_vertices() const { return static_cast<int>(body_of_vertex.size()); }
    [[nodiscard]] int n_bodies() const { return static_cast<int>(bodies.size()); }

    [[nodiscard]] double thickness_of_vertex(int v) const {
        return bodies[body_of_vertex[v]].thickness;
    }
    /// Distance that the bodies of two vertices keep, m [Manen10, eq. 2.10].
    [[nodiscard]] double pair_thickness(int v, int w) const {
        return 0.5 * (thickness_of_vertex(v) + thickness_of_vertex(w));
    }
    [[nodiscard]] double pair_friction(int v, int w) const {
        return friction[body_of_vertex[v] * n_bodies() + body_of_vertex[w]];
    }
    /// Index in `edges` of the edge between two vertices, -1 where there is none. O(log n_edges).
    [[nodiscard]] int find_edge(int v, int w) const;
};

/// Puts bodies after each other, in the given order. `friction`: n_bodies x n_bodies, symmetric, 0
/// or more. Throws InvalidInput where a size, an index, a thickness, a mass or a coefficient is
/// wrong.
ContactSurface make_contact_surface(std::span<const ContactBodyInput> bodies,
                                    std::span<const double> friction);

}  // namespace toile
