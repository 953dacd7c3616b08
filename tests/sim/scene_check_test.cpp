// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/scene_check.h"

#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/scene/scene_file.h"
#include "toile/scene/scene_templates.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

using test::small_drape;

bool finds(const SceneCheck& check, Severity severity, const std::string& words) {
    return std::ranges::any_of(check.findings, [&](const Finding& f) {
        return f.severity == severity && f.text.find(words) != std::string::npos;
    });
}

TEST(CheckScene, AGoodSceneHasNoFindings) {
    const SceneCheck check = check_scene(small_drape(1));
    for (const Finding& f : check.findings) ADD_FAILURE() << f.text;
    EXPECT_FALSE(check.has_errors());
}

TEST(CheckScene, FindsUnitsThatCannotBeMeant) {
    Scene scene = small_drape(1);
    scene.cloths[0].scale = 1000;
    scene.cloths[0].translation = {0, 1000, 0};
    EXPECT_TRUE(finds(check_scene(scene), Severity::Warning, "in metres?"));
}

TEST(CheckScene, FindsThicknessTooLargeForTheMesh) {
    Scene scene = small_drape(1);
    scene.cloths[0].fabric.thickness = 0.04;
    EXPECT_TRUE(finds(check_scene(scene), Severity::Warning, "thickness"));
}

TEST(CheckScene, FindsARestShapeOfAnotherSize) {
    Scene scene = small_drape(1);
    scene.cloths[0].uv_scale = 2;
    EXPECT_TRUE(finds(check_scene(scene), Severity::Warning, "uv_scale"));
}

TEST(CheckScene, ListsThePairsOfAStartThatCrosses) {
    Scene scene = small_drape(1);
    scene.cloths[0].translation = {0, 0.2, 0};
    const SceneCheck check = check_scene(scene);
    EXPECT_TRUE(check.has_errors());
    EXPECT_GT(check.crossings.size(), 0u);
    EXPECT_EQ(check.crossing_sentences.size(), check.crossings.size());
    EXPECT_GT(check.n_inside, 0);
}

TEST(CheckScene, FindsWhatARunWouldRefuse) {
    for (const double far : {1e6, 1e9, 1e39}) {
        Scene scene = small_drape(1);
        scene.cloths[0].translation = {far, 1, 0};
        // At 1e39 even doubles keep no shape: the triangles have no area and cross.
        const char* words = far < 1e38 ? "float32" : "crossing";
        EXPECT_TRUE(finds(check_scene(scene), Severity::Error, words)) << far;
        EXPECT_THROW(World{scene}, InvalidInput) << far;
    }
}

TEST(CheckScene, FindsCoordinatesThatFilesKeepTooCoarsely) {
    Scene scene = small_drape(1);
    EXPECT_FALSE(finds(check_scene(scene), Severity::Warning, "float32 files keep steps"));
    for (const double far : {1e5, -1e9}) {
        scene.cloths[0].translation = {0, 1, far};
        EXPECT_TRUE(finds(check_scene(scene), Severity::Warning, "float32 files keep steps"))
            << far;
    }
}

TEST(CheckScene, ReportsEveryBodyThatCannotBeMade) {
    Scene scene = small_drape(1);
    scene.cloths[0].pins.resize(1);
    scene.cloths[0].pins[0].vertices = {100000};
    scene.obstacles[0].shape.reset();
    scene.obstacles[0].mesh = "/nowhere/mesh.obj";
    const SceneCheck check = check_scene(scene);
    EXPECT_TRUE(finds(check, Severity::Error, "names vertex 100000"));
    EXPECT_TRUE(finds(check, Severity::Error, "/nowhere/mesh.obj"));
}

TEST(CheckMesh, FindsTrianglesWithoutAreaAndSelfCrossings) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0},      {1, 0, 0},     {0, 1, 0},    {2, 0, 0},
                      {0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}};
    mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {4, 5, 6}};
    const SceneCheck check = check_mesh_alone("mesh.obj", mesh);
    EXPECT_TRUE(finds(check, Severity::Warning, "without area: 1"));
    ASSERT_GE(check.crossings.size(), 1u);
    EXPECT_TRUE(
        finds(check, Severity::Error, "triangle 0 of 'mesh.obj' touches or crosses triangle 2"));
}

TEST(CheckMesh, FindsVerticesThatWantWelding) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.triangles = {{0, 1, 2}, {3, 5, 4}};
    const SceneCheck check = check_mesh_alone("mesh.obj", mesh);
    EXPECT_TRUE(finds(check, Severity::Warning, "2 vertices, the first is 3 at vertex 1"));
    EXPECT_TRUE(finds(check, Severity::Error, "touches or crosses"));
    mesh.triangles = {{0, 1, 2}, {1, 5, 2}};
    EXPECT_FALSE(check_mesh_alone("mesh.obj", mesh).has_errors());
}

TEST(SceneTemplates, AllAreReadAndStart) {
    for (const SceneTemplate& t : scene_templates()) {
        const Scene scene = parse_scene(t.text, t.name + ".toml");
        const SceneCheck check = check_scene(scene);
        for (const Finding& f : check.findings) ADD_FAILURE() << t.name << ": " << f.text;
        World world(scene);
        EXPECT_FALSE(world.step().failure) << t.name;
    }
}

TEST(Examples, AllAreReadAndStart) {
    int n_examples = 0;
    const std::filesystem::path folder = std::filesystem::path(TOILE_SOURCE_DIR) / "examples";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::filesystem::path path = entry.path() / "scene.toml";
        if (!std::filesystem::exists(path)) continue;
        ++n_examples;
        const Scene scene = load_scene(path);
        const SceneCheck check = check_scene(scene);
        for (const Finding& f : check.findings) ADD_FAILURE() << path << ": " << f.text;
        World world(scene);
        EXPECT_FALSE(world.step().failure) << path;
    }
    EXPECT_GE(n_examples, 3);
}

}  // namespace
}  // namespace toile
