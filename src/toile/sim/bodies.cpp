// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/bodies.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/mesh_file.h"

#include <fmt/format.h>

namespace toile {
namespace {

TriangleMesh unplaced_mesh(const BodySetup& setup) {
    if (!setup.shape) return read_mesh(setup.mesh);
    TriangleMesh mesh = make_shape(setup.shape->type, setup.shape->parameters);
    for (Vec2& uv : mesh.uvs) uv *= setup.scale;
    return mesh;
}

}  // namespace

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
        throw InvalidInput(fmt::format("Body '{}': its mesh has no triangles.", setup.name));
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
    return {setup.name, std::move(mesh), std::move(cloth), std::move(pins)};
}

ObstacleBody make_obstacle_body(const ObstacleSetup& setup) {
    return {setup.name, body_mesh(setup), KeyframePath(setup.keyframes),
            setup.pivot.value_or(setup.translation)};
}

void place_obstacle(const ObstacleBody& obstacle, double time, std::span<Vec3> out_positions) {
    const RigidDisplacement displacement = obstacle.path.at(time);
    const bool at_home =
        displacement.rotation == Mat3::Identity() && displacement.translation.isZero(0);
    for (size_t v = 0; v < out_positions.size(); ++v) {
        const Vec3& x = obstacle.mesh.positions[v];
        out_positions[v] = at_home ? x : displacement.apply(x, obstacle.pivot);
    }
}

Environment environment_of(const Scene& scene) {
    return {.gravity = scene.settings.gravity,
            .wind = scene.air.wind,
            .air_drag = scene.air.air_drag,
            .linear_drag = scene.air.linear_drag};
}

}  // namespace toile
