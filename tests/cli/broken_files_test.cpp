// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/broken, given to the program: a sentence, exit 3, nothing written, and
// no more memory than a small file may cost.
#include "support/broken_files.h"

#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr long long kAddressSpace = 1LL << 30;  // the program by itself takes about a third of it

std::vector<std::string> command(const std::string& format, const fs::path& file) {
    if (format == "scene") return {"simulate", file.string(), "-o", "run"};
    const char* output = format == "pc2" || format == "mdd" ? "out.mdd" : "out.obj";
    return {"convert", file.string(), "-o", output};
}

class BrokenInput : public testing::TestWithParam<std::string> {};

TEST_P(BrokenInput, EndsInASentenceWithExitThreeAndNothingWritten) {
    const test::TemporaryFolder folder;
    for (const test::BrokenFile& file : test::broken_files(GetParam())) {
        const test::ProgramResult result = test::run_toile(
            command(GetParam(), file.path), folder.path(), {.address_space = kAddressSpace});
        EXPECT_EQ(result.exit_code, 3) << file.path << result.errors;
        EXPECT_EQ(result.output, "") << file.path;
        EXPECT_NE(result.errors.find(file.sentence), std::string::npos)
            << file.path << "\nfound:    " << result.errors << "\nexpected: " << file.sentence;
        EXPECT_TRUE(result.errors.find("toile: ") != std::string::npos) << result.errors;
        EXPECT_TRUE(fs::is_empty(folder.path())) << file.path;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, BrokenInput,
                         testing::Values("obj", "ply", "stl", "off", "pc2", "mdd", "scene"),
                         [](const auto& format) { return format.param; });

TEST(OddScenes, AreRead) {
    int n_scenes = 0;
    for (const auto& entry : fs::directory_iterator(TOILE_TEST_DATA_DIR "/odd/scene")) {
        const test::ProgramResult result = test::run_toile({"check", entry.path().string()});
        EXPECT_EQ(result.exit_code, 0) << entry.path() << result.errors;
        ++n_scenes;
    }
    EXPECT_GE(n_scenes, 4);
}

TEST(MissingInput, IsAnErrorOfTheFileSystemWithTheNearestName) {
    const test::TemporaryFolder folder;
    const std::string data = TOILE_TEST_DATA_DIR "/odd/";
    const std::vector<std::pair<std::string, std::string>> missing = {
        {"obj/crfl.obj", "crlf.obj"},
        {"mdd/two_frame.mdd", "two_frames.mdd"},
        {"scene/crlf.tml", "crlf.toml"}};
    for (const auto& [name, meant] : missing) {
        const bool scene = name.starts_with("scene");
        const auto arguments =
            scene ? std::vector<std::string>{"simulate", data + name, "-o", "run"}
                  : std::vector<std::string>{"convert", data + name, "-o", "out.pc2"};
        const test::ProgramResult result = test::run_toile(arguments, folder.path());
        EXPECT_EQ(result.exit_code, 4) << result.errors;
        EXPECT_NE(result.errors.find("does not exist. Did you mean '" + meant + "'?"),
                  std::string::npos)
            << result.errors;
        EXPECT_TRUE(fs::is_empty(folder.path()));
    }
}

}  // namespace
}  // namespace toile
