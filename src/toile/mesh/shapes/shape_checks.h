// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace toile::detail {

/// Throws InvalidInput, as `The disc's radius must be above 0 m; found -1.`, unless `value` is
/// finite and above 0. `what` is `disc's radius`.
void require_length(double value, std::string_view what);

/// Throws InvalidInput, as `The disc's rings must be 1 or more; found 0.`, unless `value` lies in
/// [smallest, kMostDivisions].
void require_count(int value, int smallest, std::string_view what);

/// The most divisions along one direction: its square is still far from overflowing an int index.
inline constexpr int kMostDivisions = 10000;

}  // namespace toile::detail
