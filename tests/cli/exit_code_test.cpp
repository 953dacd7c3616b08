// SPDX-License-Identifier: Apache-2.0
// How the program ends when something outside it goes wrong.
#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace toile {
namespace {

using test::ProgramResult;
using test::run_toile;
using test::TemporaryFolder;

int shell(const std::string& words) {
    const int status = std::system((std::string(TOILE_PROGRAM) + words + " 2> /dev/null").c_str());
    return WEXITSTATUS(status);
}

TEST(ExitCode, ResultsThatCannotBeWrittenAreAFailure) {
    EXPECT_EQ(shell(" version --json > /dev/null"), 0);
    for (const char* words : {" version --json", " new --reference", " make --list", " --help"}) {
        EXPECT_EQ(shell(std::string(words) + " > /dev/full"), 4) << words;
    }
}

TEST(ExitCode, AFileWhereAFolderShouldBeIsAMatterOfTheFileSystem) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "text";
    const ProgramResult made = run_toile({"new", "file/scene"}, folder.path());
    EXPECT_EQ(made.exit_code, 4) << made.errors;
    EXPECT_NE(made.errors.find("file/scene"), std::string::npos) << made.errors;
}

TEST(ExitCode, WhatIsNotThereIsNotChecked) {
    const TemporaryFolder folder;
    std::ofstream(folder / "scene.toml") << "";
    for (const char* name : {"scen", "scen.toml", "run/"}) {
        EXPECT_EQ(run_toile({"check", name}, folder.path()).exit_code, 4) << name;
    }
    const ProgramResult checked = run_toile({"check", "scen.toml"}, folder.path());
    EXPECT_NE(checked.errors.find("Did you mean 'scene.toml'?"), std::string::npos);
}

TEST(ExitCode, AVerbThatDoesNotExistIsNamedWithTheNearestOne) {
    const ProgramResult ended = run_toile({"chekc", "scene.toml"});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_NE(ended.errors.find("no verb 'chekc'. Did you mean 'check'?"), std::string::npos)
        << ended.errors;
}

TEST(ExitCode, HelpOfAVerbTellsTheCodes) {
    const ProgramResult help = run_toile({"diff", "--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const char* part : {"--force", "--json", "130 interrupted"}) {
        EXPECT_NE(help.output.find(part), std::string::npos) << part;
    }
}

TEST(ExitCode, AnEmptyOutputWritesNothing) {
    const TemporaryFolder folder, scene;
    ASSERT_EQ(run_toile({"new", "-o", "scene.toml"}, scene.path()).exit_code, 0);
    const auto ended =
        run_toile({"simulate", (scene / "scene.toml").string(), "-o", ""}, folder.path());
    EXPECT_EQ(ended.exit_code, 4) << ended.errors;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ExitCode, TheListOfTemplatesIsJsonOnDemand) {
    const auto list = nlohmann::json::parse(run_toile({"new", "--list", "--json"}).output);
    EXPECT_GE(list.size(), 3u);
    EXPECT_EQ(list[0]["name"], "drape");
}

}  // namespace
}  // namespace toile
