// SPDX-License-Identifier: Apache-2.0
#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/io/stl.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/scene_export.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

const std::filesystem::path kExample =
    std::filesystem::path(TOILE_SOURCE_DIR) / "examples/clothontable";

WorldState after(const Scene& scene, int frames) {
    World world(scene);
    for (int f = 0; f < frames; ++f) {
        const FrameReport report = world.step();
        EXPECT_FALSE(report.failure) << report.failure->message();
    }
    return world.state();
}

TEST(EnvironmentRun, FolderTomlAndTranslationAgreeToTheBit) {
    const test::TemporaryFolder folder;
    const Scene environment = load_environment(kExample / "environment");
    export_scene(environment, folder / "scene.toml", false);
    const Scene translated = load_scene(folder / "scene.toml");
    EXPECT_EQ(translated.cloths[0].mesh, folder / "cloth.obj");
    const Scene by_hand = load_scene(kExample / "scene.toml");
    EXPECT_EQ(by_hand.settings, environment.settings);
    const WorldState expected = after(environment, 4);
    EXPECT_EQ(after(translated, 4), expected);
    EXPECT_EQ(after(by_hand, 4), expected);
}

/// A towel of 9 vertices and a board under it, as STL without an extension; the towel's corner is
/// lifted, let go and caught again, while the board goes aside.
void write_small_environment(const test::TemporaryFolder& folder) {
    const std::filesystem::path bodies = folder / "environment/bodies";
    std::filesystem::create_directories(bodies);
    std::filesystem::create_directories(folder / "environment/world_parameters");
    const auto text = [&](const std::filesystem::path& path, const std::string& words) {
        std::ofstream(folder / "environment" / path) << words;
    };
    const auto mesh = [&](const char* name, const ShapeSpec& shape, double z) {
        TriangleMesh m = make_shape(shape.type, shape.parameters);
        for (Vec3& x : m.positions) x = Vec3(x.x(), -x.z(), x.y() + z);
        text(std::string("bodies/") + name, write_stl(m, {}));
    };
    mesh("dpo_towel", test::rectangle(0.2, 0.2, 2), 0.05);
    mesh("rig_board", test::rectangle(0.5, 0.5, 1), 0);
    text("world_parameters/world_parameters", "Gravity: 9.81\nFramerate: 50\n");
    text("bodies/body_list", "dpo_towel par_towel vel_towel\nrig_board par_board vel_board\n");
    text("bodies/par_towel", "Density: 0.2\nMass: 0\nThickness: 0.004\nDiffuse: 1 0 0\n");
    text("bodies/par_board", "Density: 0\nMass: 0\nThickness: 0\nDiffuse: 0 1 0\n");
    text("bodies/vel_towel",
         "Time: 0\nNumber: 2\nVertexId: 0 Vector: 0 0 0.5\nVertexId: 8 Vector: 0 0 0\n"
         "Time: 0.053\nNumber: 1\nVertexId: 8 Vector: 0 0.1 0\n"
         "Time: 0.1\nNumber: 2\nVertexId: 8 Vector: 0 0.1 0\nVertexId: 0 Vector: 0 0 0.2\n");
    text("bodies/vel_board", "Time: 0\nNumber: 1\nVertexId: 3 Vector: -0.3 0 0\n");
}

TEST(EnvironmentRun, VelocitiesHoldAsTheBlocksSay) {
    const test::TemporaryFolder folder;
    write_small_environment(folder);
    const Scene scene = load_scene(folder / "environment");
    World world(scene);
    const std::vector<Vec3> start = world.state().positions;
    for (int f = 0; f < 5; ++f) ASSERT_FALSE(world.step().failure);
    const Vec3 caught = world.positions(0)[0];
    EXPECT_LT(caught.z(), start[0].z() + 0.5 * 0.1 - 1e-3) << "let go at 0.055 s";
    EXPECT_LT((world.positions(0)[8] - start[8] - Vec3(0, 0.1 * 0.047, 0)).norm(), 1e-15);
    EXPECT_LT((world.positions(1)[2] - start[11] - Vec3(-0.03, 0, 0)).norm(), 1e-15);
    for (int f = 0; f < 5; ++f) ASSERT_FALSE(world.step().failure);
    EXPECT_LT((world.positions(0)[0] - caught - Vec3(0, 0, 0.02)).norm(), 1e-15);
    export_scene(scene, folder / "scene.toml", false);
    EXPECT_EQ(after(load_scene(folder / "scene.toml"), 10), world.state());
}

TEST(EnvironmentRun, AVertexThatIsNotThereIsNamedWithFileAndLine) {
    const test::TemporaryFolder folder;
    write_small_environment(folder);
    std::ofstream(folder / "environment/bodies/vel_towel")
        << "Time: 0\nNumber: 1\nVertexId: 9 Vector: 0 0 0\n";
    try {
        const World world(load_scene(folder / "environment"));
        ADD_FAILURE() << "was taken";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("vel_towel:3: "), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("vertices 0 to 8"), std::string::npos) << e.what();
    }
}

TEST(SceneExport, OverwritesNothingUnlessTold) {
    const test::TemporaryFolder folder;
    write_small_environment(folder);
    const Scene scene = load_scene(folder / "environment");
    std::ofstream(folder / "board.obj") << "mine";
    EXPECT_THROW(export_scene(scene, folder / "scene.toml", false), IoError);
    EXPECT_FALSE(std::filesystem::exists(folder / "towel.obj"));
    EXPECT_FALSE(std::filesystem::exists(folder / "scene.toml"));
    EXPECT_EQ(export_scene(scene, folder / "scene.toml", true).meshes.size(), 2u);
}

}  // namespace
}  // namespace toile
