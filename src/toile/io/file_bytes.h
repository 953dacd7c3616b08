// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace toile {

/// All bytes of a file (or of a pipe, until its end). Throws IoError, with the cause and the
/// nearest name in the same folder, where it is missing, unreadable or larger than memory.
std::string read_bytes(const std::filesystem::path& path);

/// Throws IoError, with the cause and the nearest name in the same folder, where nothing exists at
/// `path`.
void require_existing(const std::filesystem::path& path);

}  // namespace toile
