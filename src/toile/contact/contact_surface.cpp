// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_surface.h"

#include "toile/core/error.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

void check_triangles(const ContactBodyInput& body) {
    for (size_t t = 0; t < body.triangles.size(); ++t) {
        for (const int v : body.triangles[t]) {
            if (v >= 0 && v < body.n_vertices) continue;
            throw InvalidInput(
                fmt::format("Triangle {} of body '{}' names vertex {}, but its vertices are 0 to "
                            "{}.",
                            t, body.name, v, body.n_vertices - 1));
        }
    }
}

void check_masses(const ContactBodyInput& body) {
    if (body.prescribed) return;
    if (body.inverse_masses.size() != static_cast<size_t>(body.n_vertices)) {
        throw InvalidInput(fmt::format("Body '{}' has {} vertices but {} inverse masses.",
                                       body.name, body.n_vertices, body.inverse_masses.size()));
    }
    for (size_t v = 0; v < body.inverse_masses.size(); ++v) {
        const double inverse_mass = body.inverse_masses[v];
        if (std::isfinite(inverse_mass) && inverse_mass >= 0) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of body '{}' has the inverse mass {} 1/kg; it "
                        "must be finite, 0 or more.",
                        v, body.name, inverse_mass));
    }
}

void check_body(const ContactBodyInput& body) {
    if (!std::isfinite(body.thickness) || body.thickness < 0) {
        throw InvalidInput(fmt::format("Body '{}' has the thickness {} m; it must be 0 or more.",
                                       body.name, body.thickness));
    }
    check_triangles(body);
    check_masses(body);
}

void check_friction(std::span<const ContactBodyInput> bodies, std::span<const double> friction) {
    const size_t n = bodies.size();
    if (friction.size() != n * n) {
        throw InvalidInput(
            fmt::format("{} bodies need {} friction coefficients, one for every ordered pair; "
                        "found {}.",
                        n, n * n, friction.size()));
    }
    for (size_t a = 0; a < n; ++a) {
        for (size_t b = 0; b < n; ++b) {
            const double mu = friction[a * n + b];
            if (std::isfinite(mu) && mu >= 0 && mu == friction[b * n + a]) continue;
            throw InvalidInput(
                fmt::format("The friction coefficient of '{}' on '{}' is {} and the reverse is {}; "
                            "both must be the same, 0 or more.",
                            bodies[a].name, bodies[b].name, mu, friction[b * n + a]));
        }
    }
}

void append_edges(const ContactBody& body, std::span<const Triangle> own_triangles, int body_index,
                  ContactSurface& out_surface) {
    const EdgeTopology topology = build_edges(own_triangles, body.n_vertices);
    for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e) {
        const Edge& edge = topology.edges[e];
        out_surface.edges.push_back({edge[0] + body.first_vertex, edge[1] + body.first_vertex});
        out_surface.body_of_edge.push_back(body_index);
        out_surface.n_triangles_of_edge.push_back(
            static_cast<int>(topology.triangles_of_edge(e).size()));
    }
}

void append_triangles(const ContactBody& body, std::span<const Triangle> own_triangles,
                      int body_index, ContactSurface& out_surface) {
    for (Triangle triangle : own_triangles) {
        for (int& v : triangle) v += body.first_vertex;
        out_surface.triangles.push_back(triangle);
        out_surface.body_of_triangle.push_back(body_index);
        for (int i = 0; i < 3; ++i) {
            const bool repeated =
                (i > 0 && triangle[i] == triangle[0]) || (i > 1 && triangle[i] == triangle[1]);
            if (!repeated) ++out_surface.n_triangles_of_vertex[triangle[i]];
        }
    }
}

void append_body(const ContactBodyInput& input, ContactSurface& out_surface) {
    const int index = out_surface.n_bodies();
    const ContactBody body{.name = input.name,
                           .first_vertex = out_surface.n_vertices(),
                           .n_vertices = input.n_vertices,
                           .first_triangle = static_cast<int>(out_surface.triangles.size()),
                           .n_triangles = static_cast<int>(input.triangles.size()),
                           .thickness = input.thickness,
                           .prescribed = input.prescribed};
    out_surface.bodies.push_back(body);
    const size_t n_vertices = static_cast<size_t>(body.first_vertex + body.n_vertices);
    out_surface.body_of_vertex.resize(n_vertices, index);
    out_surface.n_triangles_of_vertex.resize(n_vertices, 0);
    out_surface.inverse_masses.resize(n_vertices, 0.0);
    if (!input.prescribed) {
        std::copy(input.inverse_masses.begin(), input.inverse_masses.end(),
                  out_surface.inverse_masses.begin() + body.first_vertex);
    }
    append_triangles(body, input.triangles, index, out_surface);
    append_edges(body, input.triangles, index, out_surface);
}

}  // namespace

int ContactSurface::find_edge(int v, int w) const {
    const Edge wanted{std::min(v, w), std::max(v, w)};
    const auto found = std::lower_bound(edges.begin(), edges.end(), wanted);
    if (found == edges.end() || *found != wanted) return -1;
    return static_cast<int>(found - edges.begin());
}

ContactSurface make_contact_surface(std::span<const ContactBodyInput> bodies,
                                    std::span<const double> friction) {
    for (const ContactBodyInput& body : bodies) check_body(body);
    check_friction(bodies, friction);
    ContactSurface surface;
    for (const ContactBodyInput& body : bodies) append_body(body, surface);
    surface.friction.assign(friction.begin(), friction.end());
    return surface;
}

}  // namespace toile
