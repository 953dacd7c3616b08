// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_cloth.h"

#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/run_check.h"
#include "toile/sim/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace toile {
namespace {

namespace fs = std::filesystem;
using test::small_drape;
using test::TemporaryFolder;

void make_run(const fs::path& path) {
    World world(small_drape(1));
    RunFolder folder(path, world);
    folder.append(world, world.step());
}

std::string refusal(const fs::path& run) {
    try {
        check_run(run);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

TEST(RunCloth, IsThatOfTheScene) {
    const TemporaryFolder temporary;
    const RunFiles files{temporary / "run"};
    make_run(files.folder);
    const Cloth cloth =
        make_run_cloth(load_scene(files.scene()).cloths[0], files, read_mesh(files.mesh("cloth")));
    EXPECT_EQ(cloth.n_vertices(), 441);
    EXPECT_EQ(refusal(files.folder), "");
}

TEST(RunCloth, OfASceneThatNamesAnotherMeshSinceIsRefused) {
    const TemporaryFolder temporary;
    const RunFiles files{temporary / "run"};
    make_run(files.folder);
    for (const int divisions : {5, 40}) {
        Scene scene = load_scene(files.scene());
        scene.cloths[0].shape = test::rectangle(1, 1, divisions);
        scene.cloths[0].mesh.clear();
        std::ofstream(files.scene()) << scene_text(scene, files.folder);
        const std::string told = refusal(files.folder);
        EXPECT_NE(told.find("scene.toml"), std::string::npos) << told;
        EXPECT_NE(told.find("cloth.obj has 441 vertices"), std::string::npos) << told;
    }
}

TEST(RunCloth, WhoseTrianglesAreOthersIsRefusedThoughTheyAreAsMany) {
    const TemporaryFolder temporary;
    const RunFiles files{temporary / "run"};
    make_run(files.folder);
    TriangleMesh mesh = read_mesh(files.mesh("cloth"));
    std::ranges::reverse(mesh.triangles);
    std::ranges::reverse(mesh.uv_triangles);
    write_mesh(files.folder / "other.obj", mesh);
    Scene scene = load_scene(files.scene());
    scene.cloths[0].shape.reset();
    scene.cloths[0].mesh = files.folder / "other.obj";
    std::ofstream(files.scene()) << scene_text(scene, files.folder);
    const std::string told = refusal(files.folder);
    EXPECT_NE(told.find("other triangles"), std::string::npos) << told;
}

}  // namespace
}  // namespace toile
