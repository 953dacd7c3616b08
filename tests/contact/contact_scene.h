// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/contact_surface.h"

#include <random>
#include <span>
#include <string>
#include <vector>

namespace toile::test {

/// One body of a scene before the surface is made.
struct SceneBody {
    std::string name;
    std::vector<Vec3> positions = {};
    std::vector<Triangle> triangles = {};
    double thickness = 0;
    bool prescribed = false;
    double inverse_mass = 1;  // 1/kg of every vertex
};

/// A contact surface with its positions.
struct Scene {
    ContactSurface surface;
    std::vector<Vec3> start, end;
};

/// Puts bodies together; end = start, and every pair of bodies has the same friction.
Scene make_scene(const std::vector<SceneBody>& bodies, double friction = 0);

/// n x n vertices in the plane y = 0, centred, `size` wide, counter-clockwise seen from above.
SceneBody cloth_grid(int n, double size, double thickness);

/// A closed box, prescribed, centred at the origin.
SceneBody box_obstacle(const Vec3& size, double thickness);

/// Separate triangles of about `size`, at random in a cube, all at least `gap` apart.
SceneBody triangle_soup(int n_triangles, double size, double cube, double gap,
                        std::mt19937_64& random);

double uniform(std::mt19937_64& random, double from, double to);
Vec3 uniform_in_cube(std::mt19937_64& random, double half_size);

void translate(std::span<Vec3> positions, const Vec3& by);

/// The part of `positions` that belongs to a body.
std::span<Vec3> of_body(std::vector<Vec3>& positions, const ContactBody& body);

/// sum m (end - start) and sum x_start x m (end - start) over the vertices of finite mass.
Vec3 linear_momentum(const Scene& scene, std::span<const Vec3> end);
Vec3 angular_momentum(const Scene& scene, std::span<const Vec3> end);

}  // namespace toile::test
