// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace toile::test {

struct ProgramResult {
    int exit_code = -1;  ///< 128 + the signal where one ended it
    std::string output;  ///< stdout
    std::string errors;  ///< stderr
};

/// Runs the `toile` program of this build in `folder`, without a shell, and waits for its end.
ProgramResult run_toile(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder = ".");

}  // namespace toile::test
