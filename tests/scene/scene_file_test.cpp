// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_file.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace toile {
namespace {

std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

const char* const kSmallest = R"(
[[cloth]]
name = "towel"
mesh = "towel.obj"
)";

const char* const kLarge = R"(
[scene]
gravity = [0, 0, -9.8]
frame_rate = 30
duration = 2.5
[air]
wind = [1, 0, 0.5]
air_drag = 0.1
[solver]
steps_per_frame = 7
tolerance = 1e-5
[[cloth]]
name = "towel"
mesh = "meshes/\"towel\".obj"
translation = [0, 0.1, 0.333333333333333333]
rotation = [1, 0, 0, 90]
scale = 0.01
colour = [0.1, 0.2, 0.3]
fabric = "silk"
density = 0.2
rest_from_uvs = false
velocity = [0.5, 0, 0]
spin = [0, 0, 1, 45]
[[cloth.pin]]
vertices = [0, 7]
start = 0.25
end = 1.5
velocity = [0, 0.1, 0]
[[cloth.pin.piece]]
time = 0.25
velocity = [0, 0, 0.3333333333333333]
[[cloth.pin.piece]]
time = 1
velocity = [0, 0, 0]
[[cloth.pin]]
positions = [[0, 0, 0], [1, 1e-17, 0]]
box = [[-1, -1, -1], [0, 1e300, 0]]
pivot = [0, 1, 0]
[[cloth.pin.keyframe]]
time = -0.5
[[cloth.pin.keyframe]]
time = 1
translation = [0, 1, 0]
rotation = [0, 1, 1, 720]
[[cloth]]
name = "flag"
shape = { type = "rectangle", width = 1.5, centre = [0, 1, 0], orientation = "upright" }
material = "nylon"
[[obstacle]]
name = "table.1"
mesh = "/tables/table.ply"
translation = [0, 1, 0]
thickness = 0.002
[[obstacle.keyframe]]
time = 1
translation = [1, 2, 3]
[[obstacle.piece]]
time = 0.5
velocity = [0, 0.1, 0]
[[obstacle]]
name = "dancer"
[obstacle.frames]
path = "dance/*.obj"
start = 0.5
interpolation = "linear"
[[friction]]
between = ["silk", "nylon"]
coefficient = 0.15
[[friction]]
between = ["rigid"]
coefficient = 0
[expect]
outcome = "either"
largest_strain = 0.3
rest_from = 2.2
ends_in = [[-1, -1, -1], [1, 1, 1]]
)";

TEST(SceneFile, DefaultsAreFilledIn) {
    const Scene scene = parse_scene(kSmallest, "/scenes/a.toml");
    EXPECT_EQ(scene.settings, SceneSettings());
    ASSERT_EQ(scene.cloths.size(), 1u);
    EXPECT_EQ(scene.cloths[0].mesh, "/scenes/towel.obj");
    EXPECT_EQ(scene.cloths[0].fabric, named_fabric("cotton"));
    EXPECT_EQ(scene.cloths[0].material, "cotton");
}

TEST(SceneFile, EveryValueArrives) {
    const Scene scene = parse_scene(kLarge, "/scenes/a.toml");
    EXPECT_EQ(scene.settings.frames, 75);
    EXPECT_EQ(scene.solver.steps_per_frame, 7);
    const ClothSetup& towel = scene.cloths.at(0);
    EXPECT_EQ(towel.mesh, "/scenes/meshes/\"towel\".obj");
    EXPECT_EQ(towel.fabric.density, 0.2);
    EXPECT_EQ(towel.fabric.stretch_warp, named_fabric("silk").stretch_warp);
    EXPECT_EQ(towel.pins.at(0).vertices, (std::vector<int>{0, 7}));
    EXPECT_EQ(towel.pins.at(1).keyframes.at(1).rotation.degrees, 720);
    EXPECT_EQ(scene.cloths.at(1).shape->type, "rectangle");
    EXPECT_EQ(scene.obstacles.at(0).pivot, Vec3(0, 1, 0));
    EXPECT_EQ(scene.friction.at(0).between, (std::vector<std::string>{"silk", "nylon"}));
}

TEST(SceneFile, WritingAndReadingGivesTheSameScene) {
    for (const char* text : {kSmallest, kLarge}) {
        const Scene scene = parse_scene(text, "/scenes/a.toml");
        const std::string written = scene_text(scene, "/scenes");
        EXPECT_EQ(parse_scene(written, "/scenes/b.toml"), scene) << written;
        EXPECT_EQ(scene_text(parse_scene(written, "/scenes/b.toml"), "/scenes"), written);
    }
}

TEST(SceneFile, MeshesInsideTheFolderAreWrittenRelativeToIt) {
    const Scene scene = parse_scene(kSmallest, "/scenes/a.toml");
    EXPECT_NE(scene_text(scene, "/scenes").find("mesh = \"towel.obj\""), std::string::npos);
    EXPECT_NE(scene_text(scene, "/other").find("mesh = \"/scenes/towel.obj\""), std::string::npos);
}

TEST(SceneFile, BrokenScenesEndInASentenceThatNamesThePlace) {
    const std::filesystem::path folder =
        std::filesystem::path(TOILE_TEST_DATA_DIR) / "broken/scene";
    int n_files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string text = file_text(entry.path());
        const std::string mark = "# expect: ";
        ASSERT_EQ(text.rfind(mark, 0), 0u) << entry.path();
        const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
        ++n_files;
        try {
            load_scene(entry.path());
            ADD_FAILURE() << entry.path() << " was read";
        } catch (const InvalidInput& e) {
            EXPECT_NE(std::string(e.what()).find(expected), std::string::npos)
                << "found:    " << e.what() << "\nexpected: " << expected;
        }
    }
    EXPECT_GE(n_files, 30);
}

TEST(SceneFile, MissingFileAndFolderAreFileSystemErrors) {
    EXPECT_THROW(load_scene("/nowhere/scene.toml"), IoError);
    EXPECT_THROW(load_scene(std::filesystem::temp_directory_path()), IoError);
}

TEST(SceneFile, TruncatedScenesNeverCrash) {
    const std::string text = kLarge;
    int n_read = 0;
    for (size_t n = 0; n < text.size(); ++n) {
        try {
            parse_scene(text.substr(0, n), "cut.toml");
            ++n_read;
        } catch (const InvalidInput&) {
        }
    }
    EXPECT_GT(n_read, 10);
}

TEST(SceneFile, TheReferencePageIsUpToDate) {
    EXPECT_EQ(file_text(std::filesystem::path(TOILE_SOURCE_DIR) / "docs/scene.md"),
              scene_reference())
        << "Write it again: toile new --reference > docs/scene.md";
}

TEST(PairFriction, TableGoesBeforeTheGeometricMean) {
    const std::vector<FrictionSetup> table = {{{"silk", "wood"}, 0.1}, {{"silk"}, 0.9}};
    EXPECT_EQ(pair_friction(table, {"wood", 0.5}, {"silk", 0.3}), 0.1);
    EXPECT_EQ(pair_friction(table, {"silk", 0.5}, {"wood", 0.3}), 0.1);
    EXPECT_EQ(pair_friction(table, {"silk", 0.5}, {"silk", 0.5}), 0.9);
    EXPECT_EQ(pair_friction(table, {"wood", 0.5}, {"wood", 0.5}), 0.5);
    EXPECT_EQ(pair_friction(table, {"wood", 0.5}, {"ice", 0}), 0);
}

TEST(SceneFile, GreyIsAColourAndNoColourIsNone) {
    const std::string cloth = "[[cloth]]\nname = \"c\"\nshape = { type = \"rectangle\" }\n";
    const Scene grey = parse_scene(cloth + "colour = [0.8, 0.8, 0.8]\n", "grey.toml");
    EXPECT_EQ(grey.cloths[0].colour, Vec3(0.8, 0.8, 0.8));
    const Scene none = parse_scene(cloth, "none.toml");
    EXPECT_FALSE(none.cloths[0].colour);
    EXPECT_EQ(scene_text(none, ".").find("colour"), std::string::npos);
    EXPECT_TRUE(parse_scene(scene_text(grey, "."), "again.toml").cloths[0].colour);
}

}  // namespace
}  // namespace toile
