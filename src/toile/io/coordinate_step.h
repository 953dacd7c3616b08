// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace toile {

/// How finely a file writes its coordinates.
struct CoordinateStep {
    double step = 0;    ///< metres, between neighbouring values at the largest coordinate
    std::string words;  ///< `6 decimals`, `7 significant digits`, `float32`; empty: not known
};

/// Of the `v` lines of an OBJ text: a fixed number of decimals or of significant digits, whichever
/// more of the numbers fill. Without vertices: not known.
CoordinateStep obj_coordinate_step(std::string_view bytes);

/// Of one frame of a sequence as open_sequence names it: OBJ text as above, PC2 float32, not known
/// otherwise. Throws IoError or InvalidInput where the file is not there.
CoordinateStep frame_coordinate_step(const std::string& spec, int frame);

/// The step of the coarser of both; 0 where both write alike or one is not known. An edited file
/// that was rounded differently moves every vertex by less than this.
double rounding_between(const CoordinateStep& a, const CoordinateStep& b);

}  // namespace toile
