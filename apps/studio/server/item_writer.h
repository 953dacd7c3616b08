// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/item.h"

#include <filesystem>
#include <vector>

namespace toile::studio {

/// Writes a mesh as a mesh file, a sequence as create_sequence does (a point cache with its mesh
/// beside it), or a run as a copy of its folder. Throws IoError where something is there already,
/// unless told to overwrite, and UsageError for a scene, which the simulation writes. Returns what
/// was written: `target`, and what came beside it.
std::vector<std::filesystem::path> write_item(const Item& item, const std::filesystem::path& target,
                                              bool overwrite);

}  // namespace toile::studio
