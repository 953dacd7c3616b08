// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_scene.h"

#include "toile/core/hash.h"
#include "toile/scene/scene_file.h"

namespace toile {
namespace {

void point_to_run(BodySetup& body, const std::filesystem::path& folder) {
    body.mesh = folder / (body.name + ".obj");
    body.shape.reset();
    body.translation.setZero();
    body.rotation = {};
    body.scale = 1;
}

void add_mesh(const TriangleMesh& mesh, Hash& hash) {
    hash.add_values(std::span<const Vec3>(mesh.positions));
    hash.add_values(std::span<const Triangle>(mesh.triangles));
    hash.add_values(std::span<const Vec2>(mesh.uvs));
    hash.add_values(std::span<const Triangle>(mesh.uv_triangles));
}

}  // namespace

Scene self_contained_scene(const World& world, const std::filesystem::path& folder) {
    Scene scene = world.scene();
    for (ClothSetup& cloth : scene.cloths) point_to_run(cloth, folder);
    for (ObstacleSetup& obstacle : scene.obstacles) {
        obstacle.pivot = obstacle.pivot.value_or(obstacle.translation);
        if (obstacle.frames.path.empty()) point_to_run(obstacle, folder);
    }
    return scene;
}

std::uint64_t scene_hash(const World& world) {
    Scene scene = self_contained_scene(world, "/");
    scene.settings.frames = 1;
    for (ObstacleSetup& obstacle : scene.obstacles) {
        if (obstacle.frames.path.empty()) continue;
        obstacle.frames.path = "/frames";
        point_to_run(obstacle, "/");
    }
    Hash hash;
    hash.add_text(scene_text(scene, "/"));
    for (const ObstacleBody& obstacle : world.obstacles()) {
        if (!obstacle.sequence) continue;
        for (const auto& frame : obstacle.sequence->frames()) {
            hash.add_values(std::span<const Vec3>(frame));
        }
    }
    for (int body = 0; body < world.surface().n_bodies(); ++body) add_mesh(world.mesh(body), hash);
    return hash.value();
}

}  // namespace toile
