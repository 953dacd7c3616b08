// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace toile {
namespace {

TEST(BenchValidate, PrintsATableOfTheCasesThatAreAskedFor) {
    const test::ProgramResult result = test::run_toile({"bench", "validate", "patch"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find("random points, seed 1"), std::string::npos) << result.output;
    EXPECT_NE(result.output.find("holds"), std::string::npos);
    EXPECT_EQ(result.output.find("catenary"), std::string::npos);
}

TEST(BenchValidate, GivesRowsAndCurvesAsJson) {
    const test::ProgramResult result =
        test::run_toile({"bench", "validate", "hanging", "--solver", "implicit", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["solver"], "implicit");
    EXPECT_EQ(json["holds"], true);
    EXPECT_EQ(json["cases"][0]["name"], "hanging");
    for (const auto& row : json["cases"][0]["rows"]) {
        EXPECT_EQ(row["holds"], true);
        EXPECT_LE(row["error"], row["bound"]);
    }
}

TEST(BenchValidate, RefusesNamesThatAreNone) {
    const test::ProgramResult wrong_case = test::run_toile({"bench", "validate", "catenery"});
    EXPECT_EQ(wrong_case.exit_code, 3);
    EXPECT_NE(wrong_case.errors.find("'catenary'"), std::string::npos) << wrong_case.errors;
    EXPECT_EQ(test::run_toile({"bench", "validate", "patch", "--solver", "magic"}).exit_code, 2);
}

}  // namespace
}  // namespace toile
