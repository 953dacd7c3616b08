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

struct ProgramLimits {
    /// Bytes of address space, 0 for no limit. Not set in builds under the address sanitizer, which
    /// reserves more than any machine has.
    long long address_space = 0;
};

/// Runs the `toile` program of this build in `folder`, without a shell, and waits for its end.
ProgramResult run_toile(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder = ".", ProgramLimits limits = {});

}  // namespace toile::test
