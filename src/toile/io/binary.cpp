// SPDX-License-Identifier: Apache-2.0
#include "toile/io/binary.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace toile {

float to_float32(double value, std::string_view format) {
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
        throw InvalidInput(
            fmt::format("{} keeps float32 numbers, which cannot hold {}.", format, value));
    }
    return static_cast<float>(value);
}

}  // namespace toile
