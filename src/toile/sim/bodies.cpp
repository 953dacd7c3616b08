// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/bodies.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/mesh_file.h"
#include "toile/io/stl.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

/// Of a rigid motion about the centre of mass.
std::vector<Vec3> start_velocities(const ClothSetup& setup, std::span<const Vec3> positions,
                                   std::span<const double> masses) {
    double mass = 0;
    Vec3 moment = Vec3::Zero();
    for (size_t v = 0; v < positions.size(); ++v) {
        mass += masses[v];
        moment += masses[v] * positions[v];
    }
    const Vec3 center = mass > 0 ? Vec3(moment / mass) : Vec3(0, 0, 0);
    const Vec3 spin = rotation_vector(setup.spin);
    std::vector<Vec3> velocities;
    for (const Vec3& x : positions) velocities.push_back(setup.velocity + spin.cross(x - center));
    return velocities;
}

}  // namespace

TriangleMesh unplaced_mesh(const BodySetup& setup) {
    if (!setup.shape) {
        return setup.mesh.has_extension() ? read_mesh(setup.mesh) : read_stl_file(setup.mesh);
    }
    TriangleMesh mesh = make_shape(setup.shape->type, setup.shape->parameters);
    for (Vec2& uv : mesh.uvs) uv *= setup.scale;
    return mesh;
}

TriangleMesh body_mesh(const BodySetup& setup) {
    TriangleMesh mesh;
    try {
        mesh = unplaced_mesh(setup);
    } catch (const InvalidInput& e) {
        throw InvalidInput(fmt::format("Body '{}': {}", setup.name, e.what()));
    } catch (const IoError& e) {
        throw IoError(fmt::format("Body '{}': {}", setup.name, e.what()));
    }
    if (mesh.triangles.empty()) {
        throw InvalidInput(fmt::format("Body '{}': {} has no triangles.", setup.name,
                                       setup.shape ? "its shape" : setup.mesh.string()));
    }
    transform_points(placement(setup), mesh.positions);
    return mesh;
}

ClothBody make_cloth_body(const ClothSetup& setup) {
    TriangleMesh mesh = body_mesh(setup);
    const RestShapeOptions rest = {.from_uvs = setup.rest_from_uvs, .uv_scale = setup.uv_scale};
    Cloth cloth(mesh, setup.fabric, rest);
    for (const std::string& warning : cloth.warnings()) {
        log_warning(fmt::format("Cloth '{}': {}", setup.name, warning));
    }
    std::vector<PinGroup> pins = make_pins(setup, mesh.positions);
    std::vector<Vec3> velocities = start_velocities(setup, mesh.positions, cloth.masses());
    return {setup.name, std::move(mesh), std::move(cloth), std::move(pins), std::move(velocities)};
}

ObstacleBody make_obstacle_body(const ObstacleSetup& setup) {
    ObstacleBody body = {.name = setup.name,
                         .mesh = {},
                         .path = KeyframePath(setup.keyframes),
                         .velocities = VelocityPath(setup.pieces, Vec3::Zero()),
                         .pivot = setup.pivot.value_or(setup.translation),
                         .sequence = {}};
    if (setup.frames.path.empty()) {
        body.mesh = body_mesh(setup);
        return body;
    }
    AnimatedMesh animated = read_animated_mesh(setup, setup.frames);
    body.mesh = std::move(animated.mesh);
    body.sequence = std::move(animated.sequence);
    return body;
}

RigidDisplacement ObstacleBody::displacement(double time) const {
    RigidDisplacement displacement = path.at(time);
    if (!velocities.stands_still()) displacement.translation += velocities.way(time);
    return displacement;
}

void place_obstacle(const ObstacleBody& obstacle, double time, std::span<Vec3> out_positions) {
    place_obstacle(obstacle, time, obstacle.displacement(time), out_positions);
}

void place_obstacle(const ObstacleBody& obstacle, double time,
                    const RigidDisplacement& displacement, std::span<Vec3> out_positions) {
    if (obstacle.sequence) {
        obstacle.sequence->place(time, out_positions);
    } else {
        std::ranges::copy(obstacle.mesh.positions, out_positions.begin());
    }
    if (displacement.is_identity()) return;
    for (Vec3& x : out_positions) x = displacement.apply(x, obstacle.pivot);
}

Environment environment_of(const Scene& scene) {
    return {.gravity = scene.settings.gravity,
            .wind = scene.air.wind,
            .air_drag = scene.air.air_drag,
            .linear_drag = scene.air.linear_drag};
}

}  // namespace toile
