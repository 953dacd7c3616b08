// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/environment_folder.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/scene/scene_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace toile {
namespace {

using test::TemporaryFolder;

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

const char* const kWorld = R"(# The parameters of the world.
# Change only the numbers.
Gravity (m/s^2): 9.81
Framerate (frames/second): 100
# end
)";

const char* const kList =
    R"(# dpo_ is the prefix of a deformable planar object, rig_ of a rigid one.
The list of the bodies' files:
dpo_Cloth  par_Cloth  vel_Cloth
rig_table
par_table
vel_table
)";

const char* const kClothParameters = R"(# All four must be there.
Density (kg/m^2) (only used for DPO): 1
Mass (kg) (only used for Rigid Objects): 0
Thickness (m) (for Rigid Objects this should be zero): 0.003
Diffuse color (rgb): 0 0 0.9
)";

const char* const kTableParameters = R"(Density (kg/m^2) (only used for DPO): 0
Mass (kg) (only used for Rigid Objects): 0
Thickness (m) (for Rigid Objects this should be zero): 0
Diffuse color (rgb): 0.5 0.25 0
)";

/// The example of [Manen10, §2.3.1].
const char* const kClothVelocities = R"(# Time blocks
Time: 0
Number of constraint vectors: 1
VertexId: 0  Vector: 0 0 0
Time: 1
Number of constraint vectors: 1
VertexId: 0  Vector: 0 0 0.1
Time: 2
Number of constraint vectors: 0
Time: 2.5
Number of constraint vectors: 2
VertexId: 0   Vector: 0.1 0.1 0
VertexId: 10  Vector: 0.1 0.1 0
)";

const char* const kStanding =
    "Time: 0\nNumber of constraint vectors: 1\nVertexId: 0  Vector: 0 0 0\n";

void write_environment(const std::filesystem::path& folder) {
    write(folder / "world_parameters/world_parameters", kWorld);
    write(folder / "bodies/body_list", kList);
    write(folder / "bodies/dpo_Cloth", "solid a\nendsolid a\n");
    write(folder / "bodies/rig_table", "solid b\nendsolid b\n");
    write(folder / "bodies/par_Cloth", kClothParameters);
    write(folder / "bodies/par_table", kTableParameters);
    write(folder / "bodies/vel_Cloth", kClothVelocities);
    write(folder / "bodies/vel_table", kStanding);
}

TEST(EnvironmentFolder, EveryValueArrives) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    const Scene scene = load_scene(folder.path());
    EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -9.81));
    EXPECT_EQ(scene.settings.frame_rate, 100);
    EXPECT_EQ(scene.settings.frames, 450) << "2 s after the last block, at 2.5 s";
    EXPECT_EQ(scene.solver.steps_per_frame, 2);
    ASSERT_EQ(scene.cloths.size(), 1u);
    const ClothSetup& cloth = scene.cloths[0];
    EXPECT_EQ(cloth.name, "Cloth");
    EXPECT_EQ(cloth.mesh.filename(), "dpo_Cloth");
    EXPECT_TRUE(cloth.mesh.is_absolute());
    EXPECT_EQ(cloth.fabric.density, 1);
    EXPECT_EQ(cloth.fabric.thickness, 0.003);
    EXPECT_EQ(cloth.fabric.stretch_warp, named_fabric("cotton").stretch_warp);
    EXPECT_EQ(cloth.colour, Vec3(0, 0, 0.9));
    ASSERT_EQ(scene.obstacles.size(), 1u);
    EXPECT_EQ(scene.obstacles[0].name, "table");
    EXPECT_EQ(scene.obstacles[0].thickness, 0);
    EXPECT_EQ(scene.obstacles[0].colour, Vec3(0.5, 0.25, 0));
    EXPECT_TRUE(scene.obstacles[0].pieces.empty());
}

TEST(EnvironmentFolder, BlocksBecomePinsThatBeginAndEnd) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    const auto pins = load_environment(folder.path()).cloths.at(0).pins;
    ASSERT_EQ(pins.size(), 2u);
    EXPECT_EQ(pins[0].vertices, (std::vector<int>{0}));
    EXPECT_EQ(pins[0].start, 0);
    EXPECT_EQ(pins[0].end, 2);
    EXPECT_EQ(pins[0].pieces, (std::vector<VelocityPiece>{{1, {0, 0, 0.1}}}));
    EXPECT_EQ(pins[1].vertices, (std::vector<int>{0, 10})) << "led alike";
    EXPECT_EQ(pins[1].start, 2.5);
    EXPECT_FALSE(pins[1].end);
    EXPECT_EQ(pins[1].pieces, (std::vector<VelocityPiece>{{2.5, {0.1, 0.1, 0}}}));
    EXPECT_TRUE(pins[1].source.words.ends_with("vel_Cloth:12")) << pins[1].source.words;
}

TEST(EnvironmentFolder, OneVertexMovesARigidObjectAsAWhole) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    write(folder / "bodies/vel_table",
          "Time: 0.5\r\nNumber: 1\r\nVertexId: 7 Vector: (-0.1, 0, 0)\r\n"
          "Time: 1.5\r\nNumber: 0\r\n");
    const Scene scene = load_environment(folder.path());
    EXPECT_EQ(scene.obstacles[0].pieces,
              (std::vector<VelocityPiece>{{0.5, {-0.1, 0, 0}}, {1.5, {0, 0, 0}}}));
}

TEST(EnvironmentFolder, ItsTomlIsTheSameScene) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    const Scene scene = load_environment(folder.path());
    EXPECT_EQ(parse_scene(scene_text(scene, folder.path()), folder / "scene.toml"), scene);
}

TEST(EnvironmentFolder, FilesThatAreNotListedAreIgnored) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    write(folder / "bodies/dpo_other", "not even a mesh");
    write(folder / "bodies/vel_other", "nonsense");
    EXPECT_EQ(load_environment(folder.path()).cloths.size(), 1u);
}

TEST(EnvironmentFolder, AFolderWithoutAListIsNone) {
    const TemporaryFolder folder;
    EXPECT_FALSE(is_environment_folder(folder.path()));
    EXPECT_THROW(load_scene(folder.path()), IoError);
}

struct Fault {
    const char* file;
    const char* text;
    const char* place;  ///< file and line in the message
    const char* words;
};

/// A folder with one file spoilt.
class BrokenEnvironment : public testing::TestWithParam<Fault> {};

TEST_P(BrokenEnvironment, EndsInASentenceWithFileAndLine) {
    const TemporaryFolder folder;
    write_environment(folder.path());
    const Fault& fault = GetParam();
    write(folder / fault.file, fault.text);
    try {
        load_environment(folder.path());
        ADD_FAILURE() << "was read";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find(fault.place), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find(fault.words), std::string::npos) << e.what();
    }
}

constexpr const char* kWorldFile = "world_parameters/world_parameters";
constexpr const char* kListFile = "bodies/body_list";
constexpr const char* kParFile = "bodies/par_Cloth";
constexpr const char* kVelFile = "bodies/vel_Cloth";

INSTANTIATE_TEST_SUITE_P(
    All, BrokenEnvironment,
    testing::Values(
        Fault{kWorldFile, "", "world_parameters:1:", "no value of 'gravity'"},
        Fault{kWorldFile, "Gravity: 9.81\n", "world_parameters:1:", "no value of 'framerate'"},
        Fault{kWorldFile, "Framerate: 100\nGravity: 9.81\n",
              "world_parameters:1:", "Found 'framerate', expected 'gravity'"},
        Fault{kWorldFile, "Gravity: 9.81\nGravity: 9.81\n",
              "world_parameters:2:", "expected 'framerate'"},
        Fault{kWorldFile, "Gravty: 9.81\nFramerate: 100\n",
              "world_parameters:1:", "Did you mean 'gravity'?"},
        Fault{kWorldFile, "Gravity: 9.81 3\nFramerate: 100\n", "world_parameters:1:", "2 numbers"},
        Fault{kWorldFile, "Gravity: 9.8.1\nFramerate: 100\n",
              "world_parameters:1:", "'9.8.1' is not a finite number"},
        Fault{kWorldFile, "Gravity: 1e999\nFramerate: 100\n", "world_parameters:1:", "finite"},
        Fault{kWorldFile, "Gravity: 9.81\nFramerate: 0\n", "world_parameters:2:", "above 0"},
        Fault{kListFile, "", "body_list:1:", "names no file"},
        Fault{kListFile, "dpo_Cloth par_Cloth\n", "body_list:1:", "expected vel_ next"},
        Fault{kListFile, "list\ndpo_Cloth vel_Cloth par_Cloth\n",
              "body_list:2:", "Found 'vel_Cloth', expected a name that begins with par_"},
        Fault{kListFile, "dop_Cloth par_Cloth vel_Cloth\n", "body_list:1:", "dpo_ or rig_"},
        Fault{kListFile, "dpo_Clth par_Cloth vel_Cloth\n",
              "body_list:1:", "Did you mean 'dpo_Cloth'?"},
        Fault{kListFile,
              "dpo_Cloth par_Cloth vel_Cloth\ndpo_Cloth par_Cloth vel_Cloth\n"
              "dpo_Cloth par_Cloth vel_Cloth\n",
              "body_list:3:", "A second body"},
        Fault{kListFile, "rig_table par_table vel_table\n", "body_list:1:", "no cloth"},
        Fault{kParFile, "Density: 1\nMass: 0\nThickness: 0.003\n", "par_Cloth:3:", "'diffuse'"},
        Fault{kParFile, "Density: 0\nMass: 0\nThickness: 0.003\nDiffuse: 0 0 1\n",
              "par_Cloth:1:", "density above 0"},
        Fault{kParFile, "Density: 1\nMass: 0\nThickness: 0\nDiffuse: 0 0 1\n",
              "par_Cloth:3:", "thickness above 0"},
        Fault{kParFile, "Density: 1\nMass: 0\nThickness: 1\nDiffuse: 0 0 2\n",
              "par_Cloth:4:", "from 0 to 1"},
        Fault{kParFile, "Density: 1\nMass: 0\nThickness: 1\nDiffuse: 0 0\n",
              "par_Cloth:4:", "2 numbers; expected 3"},
        Fault{"bodies/par_table", "Density: 1\nMass: 2\nThickness: 0\nDiffuse: 0 0 0\n",
              "par_table:2:", "mass without end"},
        Fault{kVelFile, "", "vel_Cloth:1:", "no line that begins with 'Time'"},
        Fault{kVelFile, "Time: -1\nNumber: 0\n", "vel_Cloth:1:", "0 or more"},
        Fault{kVelFile, "Time: 1\nNumber: 0\nTime: 1\nNumber: 0\n", "vel_Cloth:3:", "must rise"},
        Fault{kVelFile, "Time: 1\nTime: 2\n", "vel_Cloth:2:", "Expected 'number'"},
        Fault{kVelFile, "Time: 0\nNumber: 2\nVertexId: 0 Vector: 0 0 0\n",
              "vel_Cloth:3:", "ends before a number for 'vertexid'"},
        Fault{kVelFile, "Time: 0\nNumber: 0\nVertexId: 0 Vector: 0 0 0\n",
              "vel_Cloth:3:", "Expected 'time'"},
        Fault{kVelFile, "Time: 0\nNumber: 1\nVertexId: 0 Vector: 0 0\nTime: 3\nNumber: 0\n",
              "vel_Cloth:4:", "found 'time'"},
        Fault{kVelFile, "Time: 0\nNumber: 1\nVertexId: 0.5 Vector: 0 0 0\n",
              "vel_Cloth:3:", "whole number"},
        Fault{kVelFile, "Time: 0\nNumber: 1e99\n", "vel_Cloth:2:", "whole number"},
        Fault{kVelFile,
              "Time: 0\nNumber: 2\nVertexId: 1 Vector: 0 0 0\nVertexId: 1 Vector: 0 0 0\n",
              "vel_Cloth:4:", "led twice"},
        Fault{"bodies/vel_table",
              "Time: 0\nNumber: 2\nVertexId: 1 Vector: 0 0 0\nVertexId: 2 Vector: 0 0 0\n",
              "vel_table:4:", "leads 2 vertices"}));

TEST(EnvironmentFolder, MissingFilesAreNamed) {
    for (const char* file : {"bodies/par_Cloth", "bodies/vel_table", "bodies/dpo_Cloth"}) {
        const TemporaryFolder folder;
        write_environment(folder.path());
        std::filesystem::remove(folder / file);
        try {
            load_environment(folder.path());
            ADD_FAILURE() << file;
        } catch (const InvalidInput& e) {
            EXPECT_NE(std::string(e.what()).find(std::filesystem::path(file).filename()),
                      std::string::npos);
        }
    }
    const TemporaryFolder folder;
    write_environment(folder.path());
    std::filesystem::remove(folder / kWorldFile);
    EXPECT_THROW(load_environment(folder.path()), IoError);
}

TEST(EnvironmentFolder, CutFilesNeverCrash) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "vel";
    const std::string text = kClothVelocities;
    for (size_t n = 0; n < text.size(); ++n) {
        try {
            parse_velocity_blocks(EnvironmentText(std::string_view(text).substr(0, n), path));
        } catch (const InvalidInput&) {
        }
    }
}

}  // namespace
}  // namespace toile
