// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"

#include <filesystem>

namespace toile {

/// Renames a file. Throws IoError where it cannot, or where something stands at `to` and may not be
/// replaced.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to,
                 OutputOptions options);

}  // namespace toile
