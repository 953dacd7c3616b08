// SPDX-License-Identifier: Apache-2.0
#include "contact/contact_scene.h"

#include "toile/contact/contact_stencil.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace toile::test {
namespace {

/// Smallest distance of two triangles that do not cross: over their 6 + 9 stencils.
double triangle_gap(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    double gap = 1e300;
    for (int i = 0; i < 3; ++i) {
        const auto point_triangle = StencilKind::PointTriangle;
        gap = std::min(gap, measure_gap(point_triangle, {a[i], b[0], b[1], b[2]}).distance);
        gap = std::min(gap, measure_gap(point_triangle, {b[i], a[0], a[1], a[2]}).distance);
        for (int j = 0; j < 3; ++j) {
            const StencilPoints edges{a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]};
            gap = std::min(gap, measure_gap(StencilKind::EdgeEdge, edges).distance);
        }
    }
    return gap;
}

bool edge_passes_through(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& t) {
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const double h0 = normal.dot(from - t[0]), h1 = normal.dot(to - t[0]);
    if (h0 * h1 > 0) return false;
    const Vec3 x = from + h0 / (h0 - h1) * (to - from);
    const StencilGap gap = measure_gap(StencilKind::PointTriangle, {x, t[0], t[1], t[2]});
    return gap.distance < 1e-12;
}

bool apart(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double gap) {
    for (int i = 0; i < 3; ++i) {
        if (edge_passes_through(a[i], a[(i + 1) % 3], b)) return false;
        if (edge_passes_through(b[i], b[(i + 1) % 3], a)) return false;
    }
    return triangle_gap(a, b) > gap;
}

}  // namespace

Scene make_scene(const std::vector<SceneBody>& bodies, double friction) {
    Scene scene;
    std::vector<std::vector<double>> inverse_masses;
    for (const SceneBody& body : bodies) {
        inverse_masses.emplace_back(body.positions.size(), body.inverse_mass);
    }
    std::vector<ContactBodyInput> inputs;
    for (size_t i = 0; i < bodies.size(); ++i) {
        const SceneBody& body = bodies[i];
        inputs.push_back({.name = body.name,
                          .n_vertices = static_cast<int>(body.positions.size()),
                          .triangles = body.triangles,
                          .thickness = body.thickness,
                          .prescribed = body.prescribed,
                          .inverse_masses = inverse_masses[i]});
        scene.start.insert(scene.start.end(), body.positions.begin(), body.positions.end());
    }
    const std::vector<double> coefficients(bodies.size() * bodies.size(), friction);
    scene.surface = make_contact_surface(inputs, coefficients);
    scene.end = scene.start;
    return scene;
}

SceneBody cloth_grid(int n, double size, double thickness) {
    SceneBody body{.name = "cloth", .thickness = thickness};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            body.positions.push_back(
                Vec3(size * (double(i) / (n - 1) - 0.5), 0, size * (double(j) / (n - 1) - 0.5)));
        }
    }
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            const int a = i * n + j, b = a + 1, c = a + n, d = c + 1;
            body.triangles.push_back({a, b, d});
            body.triangles.push_back({a, d, c});
        }
    }
    return body;
}

SceneBody box_obstacle(const Vec3& size, double thickness) {
    SceneBody body{.name = "box", .thickness = thickness, .prescribed = true};
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
        body.positions.push_back(corner.cwiseProduct(size));
    }
    body.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return body;
}

SceneBody triangle_soup(int n_triangles, double size, double cube, double gap,
                        std::mt19937_64& random) {
    SceneBody body{.name = "soup"};
    std::vector<std::array<Vec3, 3>> triangles;
    while (static_cast<int>(triangles.size()) < n_triangles) {
        const Vec3 center = uniform_in_cube(random, 0.5 * cube);
        std::array<Vec3, 3> triangle;
        for (Vec3& corner : triangle) corner = center + uniform_in_cube(random, size);
        const bool free = std::all_of(triangles.begin(), triangles.end(),
                                      [&](const auto& t) { return apart(t, triangle, gap); });
        if (free) triangles.push_back(triangle);
    }
    for (const auto& triangle : triangles) {
        const int first = static_cast<int>(body.positions.size());
        body.positions.insert(body.positions.end(), triangle.begin(), triangle.end());
        body.triangles.push_back({first, first + 1, first + 2});
    }
    return body;
}

double uniform(std::mt19937_64& random, double from, double to) {
    return from + (to - from) * std::uniform_real_distribution<double>(0, 1)(random);
}

Vec3 uniform_in_cube(std::mt19937_64& random, double half_size) {
    const double x = uniform(random, -half_size, half_size);
    const double y = uniform(random, -half_size, half_size);
    const double z = uniform(random, -half_size, half_size);
    return {x, y, z};
}

void translate(std::span<Vec3> positions, const Vec3& by) {
    for (Vec3& position : positions) position += by;
}

std::span<Vec3> of_body(std::vector<Vec3>& positions, const ContactBody& body) {
    return std::span(positions).subspan(body.first_vertex, body.n_vertices);
}

Vec3 linear_momentum(const Scene& scene, std::span<const Vec3> end) {
    Vec3 sum = Vec3::Zero();
    for (size_t v = 0; v < end.size(); ++v) {
        const double inverse_mass = scene.surface.inverse_masses[v];
        if (inverse_mass > 0) sum += (end[v] - scene.start[v]) / inverse_mass;
    }
    return sum;
}

Vec3 angular_momentum(const Scene& scene, std::span<const Vec3> end) {
    Vec3 sum = Vec3::Zero();
    for (size_t v = 0; v < end.size(); ++v) {
        const double inverse_mass = scene.surface.inverse_masses[v];
        if (inverse_mass > 0) sum += scene.start[v].cross(end[v] - scene.start[v]) / inverse_mass;
    }
    return sum;
}

}  // namespace toile::test
