// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace toile {
namespace {

/// A point at rest over a triangle at rest, half a metre apart, and the answer it is said to have.
std::string resting_query(const std::string& answer) {
    std::string text;
    for (int i = 0; i < 2; ++i) {
        text += "0,1,0,1,1,2," + answer + "\n0,1,0,1,0,1," + answer + "\n1,1,0,1,0,1," + answer +
                "\n0,1,1,1,0,1," + answer + "\n";
    }
    return text;
}

class BenchCcd : public testing::Test {
  protected:
    void write(const std::string& text) {
        std::filesystem::create_directories(folder_ / "set" / "vertex-face");
        std::ofstream(folder_ / "set" / "vertex-face" / "a.csv") << text;
    }
    [[nodiscard]] test::ProgramResult bench(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"bench", "ccd", folder_.path().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_toile(arguments);
    }
    test::TemporaryFolder folder_;
};

TEST_F(BenchCcd, CountsAsJson) {
    write(resting_query("0"));
    const test::ProgramResult result = bench({"--json", "--min-separation", "0.6"});
    EXPECT_EQ(result.exit_code, 0);
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["sets"][0]["set"], "set");
    EXPECT_EQ(json["sets"][0]["kind"], "vertex-face");
    EXPECT_EQ(json["total"]["queries"], 1);
    EXPECT_EQ(json["total"]["false_alarms"], 1);
}

TEST_F(BenchCcd, PrintsATableAndFailsOnAMiss) {
    write(resting_query("1"));
    const test::ProgramResult result = bench();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.output.find("misses"), std::string::npos);
    EXPECT_EQ(bench({"--scale", "0"}).exit_code, 2);
}

TEST_F(BenchCcd, NamesFileAndLineOfWhatIsBroken) {
    write("1,2,3\n");
    const test::ProgramResult result = bench();
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("a.csv:1: found 3 columns"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace toile
