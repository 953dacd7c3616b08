// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/broken, given to the program: a sentence, exit 3, nothing written, and
// no more memory than a small file may cost.
#include "support/broken_files.h"

#include "support/folder_text.h"
#include "support/program.h"
#include "support/strips.h"
#include "support/temporary_folder.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr long long kAddressSpace = 1LL << 30;  // the program by itself takes about a third of it

/// What the broken files are read with: meshes, and the folder that a text describes.
class Company {
  public:
    Company() {
        write_mesh(folder_ / "source.obj", test::kept_source());
        write_mesh(folder_ / "target.obj", test::kept_target());
        fs::create_directory(folder_ / "environment");
    }
    [[nodiscard]] std::string source() const { return (folder_ / "source.obj").string(); }
    [[nodiscard]] std::string target() const { return (folder_ / "target.obj").string(); }
    std::string environment(const fs::path& text) {
        files_.write(read_bytes(text));
        return (folder_ / "environment").string();
    }

  private:
    test::TemporaryFolder folder_;
    test::FolderOfText files_{folder_ / "environment"};
};

std::vector<std::string> command(const std::string& format, const fs::path& file,
                                 Company& company) {
    if (format == "scene") return {"simulate", file.string(), "-o", "run"};
    if (format == "environment") {
        return {"simulate", company.environment(file), "-o", "run"};
    }
    if (format == "markers") {
        return {"correspond", company.source(), company.target(), "--markers", file.string(),
                "-o",         "out.pairs"};
    }
    if (format == "pairs") {
        return {"transfer", "--source-rest",  company.source(), "--source",    company.source(),
                "--target", company.target(), "--pairs",        file.string(), "-o",
                "out.pc2"};
    }
    const char* output = format == "pc2" || format == "mdd" ? "out.mdd" : "out.obj";
    return {"convert", file.string(), "-o", output};
}

class BrokenInput : public testing::TestWithParam<std::string> {};

TEST_P(BrokenInput, EndsInASentenceWithExitThreeAndNothingWritten) {
    const test::TemporaryFolder folder;
    Company company;
    for (const test::BrokenFile& file : test::broken_files(GetParam())) {
        const test::ProgramResult result =
            test::run_toile(command(GetParam(), file.path, company), folder.path(),
                            {.address_space = kAddressSpace});
        EXPECT_EQ(result.exit_code, 3) << file.path << result.errors;
        EXPECT_EQ(result.output, "") << file.path;
        EXPECT_NE(
            result.errors.find(GetParam() == "environment" ? file.kept_part() : file.sentence),
            std::string::npos)
            << file.path << "\nfound:    " << result.errors << "\nexpected: " << file.sentence;
        EXPECT_TRUE(result.errors.find("toile: ") != std::string::npos) << result.errors;
        EXPECT_TRUE(fs::is_empty(folder.path())) << file.path;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, BrokenInput,
                         testing::Values("obj", "ply", "stl", "off", "pc2", "mdd", "scene",
                                         "environment", "pairs", "markers"),
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
    Company company;
    const std::vector<std::pair<std::string, std::string>> missing = {
        {"obj/crfl.obj", "crlf.obj"},
        {"ply/crfl.ply", "crlf.ply"},
        {"stl/crfl.stl", "crlf.stl"},
        {"off/crfl.off", "crlf.off"},
        {"pc2/two_frame.pc2", "two_frames.pc2"},
        {"mdd/two_frame.mdd", "two_frames.mdd"},
        {"scene/crlf.tml", "crlf.toml"},
        {"pairs/crfl.tricorrs", "crlf.tricorrs"},
        {"markers/crfl.cons", "crlf.cons"}};
    for (const auto& [name, meant] : missing) {
        const std::string format = name.substr(0, name.find('/'));
        const fs::path file = fs::path(TOILE_TEST_DATA_DIR) / "odd" / name;
        const test::ProgramResult result =
            test::run_toile(command(format, file, company), folder.path());
        EXPECT_EQ(result.exit_code, 4) << result.errors;
        EXPECT_NE(result.errors.find("does not exist. Did you mean '" + meant + "'?"),
                  std::string::npos)
            << result.errors;
        EXPECT_TRUE(fs::is_empty(folder.path()));
    }
}

}  // namespace
}  // namespace toile
