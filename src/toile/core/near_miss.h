// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace toile {

/// The least number of letters put in, left out, changed or swapped with their neighbour that turns
/// `a` into `b` (optimal string alignment distance).
int edit_distance(std::string_view a, std::string_view b);

/// ` Did you mean 'stretch'?` for the known word nearest to `word`, or nothing where none is near
/// (more than a third of its letters differ). Ready to end a sentence of an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string> known_words);

}  // namespace toile
