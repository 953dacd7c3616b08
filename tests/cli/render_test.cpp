// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/shape_catalogue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace toile {
namespace {

using test::ProgramResult;
using test::TemporaryFolder;

/// Width and height as the header of a PNG says; zeros for any other file.
std::pair<int, int> png_size(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.size() < 24 || bytes.substr(1, 3) != "PNG") return {0, 0};
    const auto number = [&](size_t at) {
        const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
        return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
    };
    return {number(16), number(20)};
}

class Render : public testing::Test {
  protected:
    Render() {
        TriangleMesh mesh = make_shape("sphere", {});
        std::filesystem::create_directory(folder_ / "fall");
        for (int frame = 0; frame < 5; ++frame) {
            for (Vec3& p : mesh.positions) p.y() -= 0.1;
            write_mesh(folder_ / ("fall/f" + std::to_string(frame) + ".obj"), mesh);
        }
    }
    ProgramResult render(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "render");
        return test::run_toile(arguments, folder_.path());
    }
    /// Small, so that a test takes no time.
    ProgramResult render_small(std::vector<std::string> arguments) const {
        for (const char* word : {"--size", "48x32", "--samples", "2"}) arguments.emplace_back(word);
        return render(arguments);
    }
    [[nodiscard]] std::string bytes(const std::string& name) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// A build without Embree says so and makes nothing.
    bool makes_pictures() const {
        return render_small({"fall/f0.obj", "-o", "try.png"}).exit_code != 5;
    }

    TemporaryFolder folder_;
};

TEST_F(Render, MakesAPictureOfAMeshInTheSizeAsked) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    const ProgramResult result = render_small({"fall/f0.obj", "-o", "a.png"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(png_size(folder_ / "a.png"), std::pair(48, 32));
}

TEST_F(Render, NumbersThePicturesOfARange) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    const ProgramResult result =
        render_small({"fall", "-o", "pictures", "--frames", "1:4:2", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(nlohmann::json::parse(result.output)["frames"], (std::vector<int>{1, 3}));
    EXPECT_EQ(png_size(folder_ / "pictures/frame_0001.png"), std::pair(48, 32));
    EXPECT_EQ(png_size(folder_ / "pictures/frame_0003.png"), std::pair(48, 32));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "pictures"), {}), 2);
}

TEST_F(Render, PutsFramesOnASheet) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    const ProgramResult result = render_small({"fall", "-o", "a.png", "--sheet", "3x1", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(nlohmann::json::parse(result.output)["frames"], (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(png_size(folder_ / "a.png"), std::pair(3 * 48 + 8, 32));
}

TEST_F(Render, KeepsTheCameraStillThroughAFilm) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    // Seen from one place, the falling ball is at another place of the picture in each frame.
    ASSERT_EQ(render_small({"fall", "-o", "all"}).exit_code, 0);
    ASSERT_EQ(render_small({"fall", "-o", "one.png", "--frame", "0"}).exit_code, 0);
    EXPECT_NE(bytes("all/frame_0000.png"), bytes("all/frame_0004.png"));
    EXPECT_NE(bytes("all/frame_0000.png"), bytes("one.png"));
}

TEST_F(Render, ShowsTheBodiesOfARunInItsColoursAndUpDirection) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    std::ofstream(folder_ / "scene.toml") << R"(
[scene]
gravity = [0, 0, -9.81]
frames = 2
[[cloth]]
name = "sheet"
shape = { type = "rectangle", width = 1, length = 1, divisions = [4, 4] }
fabric = "cotton"
colour = [0.1, 0.6, 0.1]
[[obstacle]]
name = "ball"
shape = { type = "sphere", radius = 0.2, subdivisions = 1 }
translation = [0, -0.5, 0]
)";
    ASSERT_EQ(test::run_toile({"simulate", "scene.toml", "-o", "run"}, folder_.path()).exit_code,
              0);
    const ProgramResult film = render_small({"run", "-o", "frames", "--json"});
    ASSERT_EQ(film.exit_code, 0) << film.errors;
    EXPECT_EQ(nlohmann::json::parse(film.output)["frames"], (std::vector<int>{0, 1, 2}));
    const ProgramResult wrong = render_small({"run", "-o", "a.png", "--color", "shet=#123456"});
    EXPECT_EQ(wrong.exit_code, 3);
    EXPECT_NE(wrong.errors.find("'sheet'"), std::string::npos) << wrong.errors;
    ASSERT_EQ(render_small({"run", "-o", "scene-up.png"}).exit_code, 0);
    ASSERT_EQ(render_small({"run", "-o", "same-up.png", "--up", "0,0,1"}).exit_code, 0);
    ASSERT_EQ(render_small({"run", "-o", "other-up.png", "--up", "0,1,0"}).exit_code, 0);
    EXPECT_EQ(bytes("scene-up.png"), bytes("same-up.png"));
    EXPECT_NE(bytes("scene-up.png"), bytes("other-up.png"));
}

TEST_F(Render, NeverOverwritesUnlessForced) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    ASSERT_EQ(render_small({"fall/f0.obj", "-o", "a.png"}).exit_code, 0);
    EXPECT_EQ(render_small({"fall/f0.obj", "-o", "a.png"}).exit_code, 4);
    EXPECT_EQ(render_small({"fall/f0.obj", "-o", "a.png", "--force"}).exit_code, 0);
}

TEST_F(Render, RefusesWhatIsNoPictureWithASentence) {
    if (!makes_pictures()) GTEST_SKIP() << "built without Embree";
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"-o", "a.tif"}, "a.tif"},
        {{"-o", "a.png", "--size", "12"}, "'12'"},
        {{"-o", "a.png", "--size", "0x5"}, "0 x 5"},
        {{"-o", "a.mp4", "--size", "31x32"}, "even"},
        {{"-o", "a.png", "--frame", "7"}, "frame 7"},
        {{"-o", "b", "--frames", "9:12"}, "9:12"},
        {{"-o", "b", "--frames", "a"}, "'a'"},
        {{"-o", "a.png", "--sheet", "0x0"}, "0x0"},
        {{"-o", "a.png", "--view", "frnt"}, "'front'"},
        {{"-o", "a.png", "--pattern", "weav"}, "'weave'"},
        {{"-o", "a.png", "--color", "fal=#123"}, "'fall'"},
        {{"-o", "a.png", "--color", "fall=red"}, "'red'"},
        {{"-o", "a.png", "--color", "red"}, "'red'"},
    };
    for (const auto& [arguments, expected] : cases) {
        std::vector<std::string> all = {"fall"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const bool has_size = std::ranges::find(all, "--size") != all.end();
        const ProgramResult result = has_size ? render(all) : render_small(all);
        EXPECT_EQ(result.exit_code, 3) << expected;
        EXPECT_NE(result.errors.find(expected), std::string::npos) << result.errors;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.mp4"));
}

}  // namespace
}  // namespace toile
