// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_schema.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/scene/scene_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace toile {
namespace {

Scene example() {
    return parse_scene(R"(
[scene]
frames = 40
[[cloth]]
name = "towel"
shape = { type = "rectangle" }
fabric = "cotton"
density = 0.2
[[cloth.pin]]
vertices = [0, 3]
end = 2
[[obstacle]]
name = "ball"
shape = { type = "sphere" }
friction = 0.4
[[friction]]
between = ["cotton", "rigid"]
coefficient = 0.7
)",
                       "/tmp/example/scene.toml");
}

const SceneSetting& setting(const std::vector<SceneSetting>& settings, const std::string& path) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const SceneSetting& s) { return s.path == path; });
    if (found == settings.end()) throw InvalidInput("No setting " + path);
    return *found;
}

std::string message_of(const std::string& path, const std::string& value) {
    try {
        (void)with_setting(example(), path, value);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

TEST(SceneSchema, TellsValueDefaultUnitRangeAndHelpFromTheReadersTable) {
    const std::vector<SceneSetting> settings = scene_settings(example());
    const SceneSetting& density = setting(settings, "cloth.0.fabric.density");
    EXPECT_EQ(density.label, "Density");
    EXPECT_EQ(density.unit, "kg/m²");
    EXPECT_EQ(density.help, "Mass per area.");
    EXPECT_EQ(density.type, SettingType::Number);
    EXPECT_EQ(density.minimum, 0);
    EXPECT_TRUE(density.above_minimum);
    EXPECT_FALSE(density.maximum);
    EXPECT_EQ(density.value, "0.2");
    EXPECT_EQ(density.default_value, fmt::format("{}", named_fabric("cotton").density));
    EXPECT_EQ(density.group, "towel");
    EXPECT_EQ(setting(settings, "scene.gravity").value, "[0, -9.81, 0]");
    EXPECT_EQ(setting(settings, "scene.gravity").type, SettingType::Vector);
    EXPECT_EQ(setting(settings, "scene.frames").type, SettingType::Integer);
    EXPECT_EQ(setting(settings, "scene.frames").value, "40");
    EXPECT_EQ(setting(settings, "scene.frames").default_value, "100");
    EXPECT_EQ(setting(settings, "cloth.0.rest_from_uvs").type, SettingType::Boolean);
    EXPECT_EQ(setting(settings, "solver.name").choices,
              (std::vector<std::string>{"bridson", "implicit"}));
    EXPECT_EQ(setting(settings, "cloth.0.pin.0.end").value, "2");
    EXPECT_EQ(setting(settings, "cloth.0.pin.0.end").default_value, "null");
    EXPECT_EQ(setting(settings, "friction.0.coefficient").value, "0.7");
    EXPECT_EQ(setting(settings, "obstacle.0.colour").value, "null");
    const SceneSetting& fabric = setting(settings, "cloth.0.fabric.fabric");
    EXPECT_EQ(fabric.type, SettingType::Choice);
    EXPECT_EQ(fabric.value, "\"cotton\"");
    EXPECT_EQ(fabric.choices.size(), named_fabrics().size());
}

TEST(SceneSchema, LeavesOutWhatSaysWhichBodyIsMeant) {
    for (const SceneSetting& s : scene_settings(example())) {
        for (const char* const key : {".name", ".mesh", ".shape", ".vertices", ".between"}) {
            EXPECT_FALSE(s.path.ends_with(key) && s.path != "solver.name") << s.path;
        }
    }
}

TEST(SceneSchema, EveryValueIsJsonAndCanBeSetAgain) {
    const Scene scene = example();
    const std::vector<SceneSetting> settings = scene_settings(scene);
    EXPECT_GT(settings.size(), 40u);
    for (const SceneSetting& s : settings) {
        SCOPED_TRACE(s.path);
        EXPECT_FALSE(nlohmann::json::parse(s.value).is_discarded());
        EXPECT_FALSE(nlohmann::json::parse(s.default_value).is_discarded());
        EXPECT_EQ(with_setting(scene, s.path, s.value), scene);
        EXPECT_FALSE(s.label.empty());
        EXPECT_FALSE(s.help.empty());
    }
}

TEST(SceneSchema, ChangesOneValueAndNothingElse) {
    const Scene scene = example();
    const Scene windy = with_setting(scene, "air.wind", "[1, 0.5, 0]");
    EXPECT_EQ(windy.air.wind, Vec3(1, 0.5, 0));
    Scene expected = scene;
    expected.air.wind = Vec3(1, 0.5, 0);
    EXPECT_EQ(windy, expected);
    EXPECT_EQ(parse_scene(scene_text(windy, "/tmp/example"), "/tmp/example/scene.toml"), windy);
    EXPECT_EQ(with_setting(scene, "cloth.0.rotation", "[0, 0, 1, 45]").cloths[0].rotation.degrees,
              45);
    EXPECT_FALSE(with_setting(scene, "cloth.0.pin.0.end", "null").cloths[0].pins[0].end);
}

TEST(SceneSchema, BringsTheNumbersOfANamedFabric) {
    for (const Fabric& fabric : named_fabrics()) {
        if (fabric.name == "cotton") continue;
        const Scene changed =
            with_setting(example(), "cloth.0.fabric.fabric", "\"" + fabric.name + "\"");
        EXPECT_EQ(changed.cloths[0].fabric, fabric);
        EXPECT_EQ(changed.cloths[0].material, "cotton");  // as the friction table says
        Scene without = example();
        without.friction.clear();
        const Scene renamed =
            with_setting(without, "cloth.0.fabric.fabric", "\"" + fabric.name + "\"");
        EXPECT_EQ(renamed.cloths[0].material, fabric.name);
    }
}

TEST(SceneSchema, RefusesWithTheReadersSentences) {
    EXPECT_NE(message_of("cloth.0.fabric.density", "-1").find("above 0"), std::string::npos);
    EXPECT_NE(message_of("cloth.0.fabric.density", "\"much\"").find("a number in kg/m²"),
              std::string::npos);
    EXPECT_NE(message_of("scene.frames", "2.5").find("whole number"), std::string::npos);
    EXPECT_NE(message_of("scene.frames", "null").find("scene.frames"), std::string::npos);
    EXPECT_NE(message_of("solver.name", "\"bridsen\"").find("bridson"), std::string::npos);
    EXPECT_NE(message_of("cloth.0.fabric.fabric", "\"cottn\"").find("cotton"), std::string::npos);
    EXPECT_NE(message_of("cloth.0.fabric.densiti", "1").find("cloth.0.fabric.density"),
              std::string::npos);
    EXPECT_NE(message_of("cloth.1.fabric.density", "1"), "");
    EXPECT_NE(message_of("cloth.0.pin.0.start", "3").find("ends at 2 s"), std::string::npos);
    EXPECT_NE(message_of("obstacle.0.material", "\"wood\"").find("rigid"), std::string::npos);
}

/// The folder that names without one are in, for a while.
class WorkingFolder {
  public:
    explicit WorkingFolder(const std::filesystem::path& folder)
        : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() { std::filesystem::current_path(before_); }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

  private:
    std::filesystem::path before_;
};

TEST(SceneSchema, KnowsNothingOfTheFolderItIsCalledIn) {
    const std::string expected = message_of("cloth.0.pin.0.start", "3");
    const test::TemporaryFolder temporary;
    const std::filesystem::path odd = temporary / "a: b";
    std::filesystem::create_directory(odd);
    const WorkingFolder inside(odd);
    EXPECT_EQ(message_of("cloth.0.pin.0.start", "3"), expected);
    std::filesystem::remove(odd);
    EXPECT_EQ(message_of("cloth.0.pin.0.start", "3"), expected);
    EXPECT_EQ(with_setting(example(), "scene.frames", "7").settings.frames, 7);
}

TEST(SceneSchema, TakesNoMoreThanOneValue) {
    for (const char* const text : {"", "1\nframes = 3", "[", "1 2", "= 3", "{", "\"", "1\n[x]"}) {
        EXPECT_NE(message_of("scene.frames", text), "") << text;
    }
}

}  // namespace
}  // namespace toile
