// SPDX-License-Identifier: Apache-2.0
#include "frame_time.h"

#include "toile/core/error.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace toile::app {

double parse_frame_time(const std::string& text, std::optional<double> rate,
                        const std::string& option) {
    std::string_view number = text;
    const bool seconds = number.ends_with('s');
    if (seconds) number.remove_suffix(1);
    const std::optional<double> value = parse_number(number);
    if (!value || !std::isfinite(*value) || *value < 0) {
        throw InvalidInput(
            fmt::format("{}: expected frames such as '12' or seconds such as '0.5s', found '{}'.",
                        option, text));
    }
    if (!seconds) return *value;
    if (!rate) {
        throw InvalidInput(fmt::format(
            "{} is in seconds, and the sequence does not say its frames per second; give --rate.",
            option));
    }
    return *value * *rate;
}

}  // namespace toile::app
