// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/image.h"

#include <filesystem>

namespace toile {

/// Writes `image` as an 8-bit RGB PNG; it stands whole under its name or not at all, and replaces a
/// file of that name. Throws IoError where it cannot be written, InvalidInput for an empty image.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace toile
