// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace toile::test {

/// The folder of shared test data: the environment's TOILE_DATA, else `../shared/data` beside the
/// source.
inline std::filesystem::path test_data_folder() {
    if (const char* given = std::getenv("TOILE_DATA")) return given;
    return std::filesystem::path(TOILE_SOURCE_DIR).parent_path() / "shared" / "data";
}

inline bool runs_in_ci() {
    const char* ci = std::getenv("CI");
    return ci && std::string(ci) == "true";
}

}  // namespace toile::test

/// Declares `variable`, the path of a file or folder of the shared data. Where it is missing the
/// test is skipped, visibly; in CI (environment CI=true) it fails.
#define TOILE_REQUIRE_TEST_DATA(variable, name)                                          \
    const std::filesystem::path variable = ::toile::test::test_data_folder() / (name);   \
    do {                                                                                 \
        if (!std::filesystem::exists(variable)) {                                        \
            if (::toile::test::runs_in_ci()) FAIL() << "missing test data " << variable; \
            GTEST_SKIP() << "missing test data " << variable;                            \
        }                                                                                \
    } while (false)
