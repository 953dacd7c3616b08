// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace toile {

/// A rational number as a double.
struct RoundedRational {
    double value;
    bool exact;  ///< whether `value` is the rational itself
};

/// The double nearest to numerator / denominator (ties to even), both decimal integers of any size
/// with or without sign. Nothing where either is not an integer or the denominator is zero.
/// Infinite where the quotient is too large for a double.
std::optional<RoundedRational> parse_rational(std::string_view numerator,
                                              std::string_view denominator);

}  // namespace toile
