// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/shapes/shape_catalogue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace toile {
namespace {

using test::ProgramResult;
using test::TemporaryFolder;

class Make : public testing::Test {
  protected:
    ProgramResult make(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "make");
        return test::run_toile(arguments, folder_.path());
    }
    TemporaryFolder folder_;
};

TEST_F(Make, EveryShapeIsWrittenAndReadsBackToTheSameBits) {
    for (const ShapeDescription& shape : shape_catalogue()) {
        SCOPED_TRACE(shape.name);
        const ProgramResult result = make({shape.name, "-o", shape.name + ".obj"});
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_EQ(result.output.find(shape.name + ".obj: "), 0u);
        const TriangleMesh expected = make_shape(shape.name, {});
        const TriangleMesh found = read_mesh(folder_ / (shape.name + ".obj"));
        EXPECT_EQ(found.positions, expected.positions);
        EXPECT_EQ(found.triangles, expected.triangles);
        EXPECT_EQ(found.uvs, expected.uvs);
    }
}

TEST_F(Make, ParametersAreUsedNegativeNumbersToo) {
    const ProgramResult result = make({"rectangle", "-o", "a.obj", "--width", "2", "--length=1",
                                       "--divisions", "4x3", "--centre", "-1,2,3", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["vertices"], 20);
    EXPECT_EQ(json["triangles"], 24);
    const BoundingBox box = bounding_box(read_mesh(folder_ / "a.obj").positions);
    EXPECT_EQ(box.min, Vec3(-2, 2, 2.5));
    EXPECT_EQ(box.max, Vec3(0, 2, 3.5));
}

TEST_F(Make, FabricTakesTheNineValuesOfFabricCreator) {
    const ProgramResult result =
        make({"fabric", "cloth.obj", "cloth", "1", "1", "15", "15", "-0.4", "0.3", "1.3"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const TriangleMesh mesh = read_mesh(folder_ / "cloth.obj");
    EXPECT_EQ(mesh.n_vertices(), 256);
    EXPECT_EQ(mesh.n_triangles(), 450);
    const BoundingBox box = bounding_box(mesh.positions);
    EXPECT_LT((box.min - Vec3(-0.9, -0.2, 1.3)).norm(), 1e-15);
    EXPECT_LT((box.max - Vec3(0.1, 0.8, 1.3)).norm(), 1e-15);
}

TEST_F(Make, ListNamesEveryShapeAndParameter) {
    const ProgramResult text = make({"--list"});
    const ProgramResult json_text = make({"--list", "--json"});
    EXPECT_EQ(text.exit_code, 0);
    const auto json = nlohmann::json::parse(json_text.output);
    ASSERT_EQ(json.size(), shape_catalogue().size());
    for (size_t i = 0; i < json.size(); ++i) {
        const ShapeDescription& shape = shape_catalogue()[i];
        EXPECT_EQ(json[i]["name"], shape.name);
        EXPECT_EQ(json[i]["parameters"].size(), shape.parameters.size());
        EXPECT_NE(text.output.find(shape.name + ": " + shape.doc), std::string::npos);
    }
}

TEST_F(Make, HelpOfAShapeTellsParametersWithDefaultsAndUnits) {
    const ProgramResult help = make({"rectangle", "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.output.find("--diagonals"), std::string::npos);
    EXPECT_NE(help.output.find("15x15"), std::string::npos);
    EXPECT_NE(make({"fabric", "--help"}).output.find("0.4 0.3 1.3"), std::string::npos);
}

TEST_F(Make, AnExistingFileStaysUnlessForced) {
    std::ofstream(folder_ / "a.obj") << "mine";
    const ProgramResult refused = make({"disc", "-o", "a.obj"});
    EXPECT_EQ(refused.exit_code, 4);
    EXPECT_NE(refused.errors.find("a.obj"), std::string::npos);
    std::string content;
    std::ifstream(folder_ / "a.obj") >> content;
    EXPECT_EQ(content, "mine");
    EXPECT_EQ(make({"disc", "-o", "a.obj", "--force"}).exit_code, 0);
    EXPECT_GT(read_mesh(folder_ / "a.obj").n_triangles(), 0);
}

TEST_F(Make, MistakesHaveTheirExitCodesAndTheNearestRightWord) {
    const ProgramResult shape = make({"rectangel", "-o", "a.obj"});
    EXPECT_EQ(shape.exit_code, 2);
    EXPECT_NE(shape.errors.find("Did you mean 'rectangle'?"), std::string::npos) << shape.errors;
    const ProgramResult option = make({"rectangle", "-o", "a.obj", "--widht", "2"});
    EXPECT_EQ(option.exit_code, 2);
    EXPECT_NE(option.errors.find("Did you mean '--width'?"), std::string::npos) << option.errors;
    const ProgramResult value = make({"rectangle", "-o", "a.obj", "--width", "-2"});
    EXPECT_EQ(value.exit_code, 3);
    EXPECT_NE(value.errors.find("The rectangle's width must be above 0 m; found -2."),
              std::string::npos)
        << value.errors;
    EXPECT_EQ(make({"rectangle", "-o", "a.xyz"}).exit_code, 3);
    EXPECT_EQ(make({"rectangle", "-o", "missing/a.obj"}).exit_code, 4);
    EXPECT_EQ(make({"rectangle"}).exit_code, 2);
    EXPECT_EQ(make({}).exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.obj"));
}

}  // namespace
}  // namespace toile
