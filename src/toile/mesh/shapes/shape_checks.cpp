// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/shape_checks.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <cmath>

namespace toile::detail {

void require_length(double value, std::string_view what) {
    if (value > 0 && std::isfinite(value)) return;
    throw InvalidInput(fmt::format("The {} must be above 0 m; found {}.", what, value));
}

void require_count(int value, int smallest, std::string_view what) {
    if (value < smallest) {
        throw InvalidInput(
            fmt::format("The {} must be {} or more; found {}.", what, smallest, value));
    }
    if (value > kMostDivisions) {
        throw InvalidInput(
            fmt::format("The {} must be at most {}; found {}.", what, kMostDivisions, value));
    }
}

}  // namespace toile::detail
