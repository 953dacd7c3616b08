// SPDX-License-Identifier: Apache-2.0
#include "option_checks.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

namespace toile::app {
namespace {

namespace fs = std::filesystem;

CLI::Validator number_that(const std::string& expected, std::function<bool(double)> holds) {
    const auto check = [expected, holds = std::move(holds)](std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        if (is_number && std::isfinite(value) && holds(value)) return {};
        return fmt::format("expected {}, found '{}'", expected, text);
    };
    return CLI::Validator(check, "");
}

fs::path place(const fs::path& path) {
    std::error_code failure;
    const fs::path found = fs::weakly_canonical(path, failure);
    return failure ? fs::absolute(path).lexically_normal() : found;
}

bool writes_a_mesh_beside(const fs::path& output) {
    return output.extension() == ".pc2" || output.extension() == ".mdd";
}

}  // namespace

CLI::Validator finite_number() {
    return number_that("a finite number", [](double) { return true; });
}

CLI::Validator positive_number() {
    return number_that("a number above 0", [](double value) { return value > 0; });
}

CLI::Validator number_from_zero() {
    return number_that("a number from 0 on", [](double value) { return value >= 0; });
}

CLI::Validator frame_number() {
    return number_that("a whole number from 0 on", [](double value) {
        return value >= 0 && value == std::floor(value) && value <= std::numeric_limits<int>::max();
    });
}

void refuse_to_overwrite_inputs(const std::string& output, const std::vector<std::string>& inputs) {
    std::vector<fs::path> written = {output};
    if (writes_a_mesh_beside(output)) written.push_back(fs::path(output).replace_extension(".obj"));
    for (const std::string& input : inputs) {
        if (input.empty()) continue;
        for (const fs::path& path : written) {
            if (place(path) != place(input)) continue;
            throw IoError(
                fmt::format("Writing '{}' would destroy '{}', which is read; give the "
                            "output another name.",
                            path.string(), input));
        }
    }
}

}  // namespace toile::app
