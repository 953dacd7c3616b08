// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/scene_export.h"

#include "toile/io/atomic_file.h"
#include "toile/io/mesh_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/bodies.h"

namespace toile {
namespace {

struct MeshToWrite {
    BodySetup* body;
    std::filesystem::path path;
    TriangleMesh mesh;
};

void add_mesh(BodySetup& body, const std::filesystem::path& folder, std::vector<MeshToWrite>& out) {
    if (body.shape || body.mesh.empty()) return;
    out.push_back({&body, folder / (body.name + ".obj"), unplaced_mesh(body)});
}

}  // namespace

SceneExport export_scene(const Scene& scene, const std::filesystem::path& path, bool overwrite) {
    const std::filesystem::path folder =
        std::filesystem::absolute(path).lexically_normal().parent_path();
    Scene exported = scene;
    std::vector<MeshToWrite> meshes;
    for (ClothSetup& cloth : exported.cloths) add_mesh(cloth, folder, meshes);
    for (ObstacleSetup& obstacle : exported.obstacles) add_mesh(obstacle, folder, meshes);
    check_output(path, {.overwrite = overwrite});
    for (const MeshToWrite& m : meshes) check_output(m.path, {.overwrite = overwrite});

    SceneExport done = {.scene = path, .meshes = {}};
    for (MeshToWrite& m : meshes) {
        write_mesh(m.path, m.mesh, {.overwrite = overwrite});
        m.body->mesh = m.path;
        done.meshes.push_back(m.path);
    }
    write_file(path, scene_text(exported, folder), {.overwrite = overwrite});
    return done;
}

}  // namespace toile
