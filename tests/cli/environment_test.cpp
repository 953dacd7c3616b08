// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace toile {
namespace {

const std::string kEnvironment =
    std::string(TOILE_SOURCE_DIR) + "/examples/clothontable/environment";

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

TEST(EnvironmentOnTheCommandLine, RunsChecksAndConverts) {
    const test::TemporaryFolder folder;
    const std::string scene = (folder / "scene.toml").string();
    const auto run = [&](const std::string& input, const std::string& name) {
        return test::run_toile(
            {"--quiet", "simulate", input, "-o", (folder / name).string(), "--duration", "0.08"});
    };
    EXPECT_EQ(test::run_toile({"check", kEnvironment}).exit_code, 0);
    EXPECT_EQ(run(kEnvironment, "a").exit_code, 0);
    const auto converted = test::run_toile({"convert", kEnvironment, "-o", scene});
    EXPECT_EQ(converted.exit_code, 0) << converted.errors;
    EXPECT_EQ(run(scene, "b").exit_code, 0);
    EXPECT_FALSE(bytes_of(folder / "a/cloth.pc2").empty());
    EXPECT_EQ(bytes_of(folder / "a/cloth.pc2"), bytes_of(folder / "b/cloth.pc2"));
    EXPECT_EQ(test::run_toile({"check", (folder / "a").string()}).exit_code, 0);
    EXPECT_EQ(test::run_toile({"convert", kEnvironment, "-o", scene}).exit_code, 4);
    EXPECT_EQ(
        test::run_toile({"convert", kEnvironment, "-o", (folder / "a.obj").string()}).exit_code, 3);
}

}  // namespace
}  // namespace toile
