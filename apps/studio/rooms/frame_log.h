// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/message.h"

#include <filesystem>

namespace toile::studio {

/// A run's frames.jsonl as a table, `{"columns": [...], "rows": [[...]]}`: its numbers, and those
/// of its groups as `seconds.total`. A number that a line does not have, or has as null, is null; a
/// last line that is not whole is left out. No rows where there is no file.
Json frame_log(const std::filesystem::path& lines);

}  // namespace toile::studio
