// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/markers.h"

#include <span>
#include <string>

namespace toile {

/// Markers as `.cons` has them, and read_markers reads them: their number, then a line
/// `source, target` for each, counted from 0. (A file without any is refused by the reader.)
std::string write_markers(std::span<const Marker> markers);

}  // namespace toile
