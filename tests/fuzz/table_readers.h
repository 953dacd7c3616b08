// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace toile::test {

// As FuzzedReader::read; pairs and markers of the meshes of support/strips.h.
std::string read_pairs_bytes(std::string_view bytes);
std::string read_marker_bytes(std::string_view bytes);
/// The source's list, a line `=== target`, the target's list.
std::string read_marker_list_bytes(std::string_view bytes);
std::string read_vertex_list_bytes(std::string_view bytes);

}  // namespace toile::test
