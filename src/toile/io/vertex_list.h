// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// Vertex indices, counted from 0, apart by white space or commas; `#` begins a comment. Returns a
/// flag for each of `n_vertices`. Throws InvalidInput, naming file and line, for anything else, for
/// an index out of range and for a text without any index.
std::vector<char> parse_vertex_list(std::string_view bytes, const std::string& file_name,
                                    int n_vertices);

}  // namespace toile
