// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toile::app {

/// The options of `render`, as typed.
struct PictureRequest {
    std::vector<std::string> inputs;
    std::string output;
    std::string mesh;
    std::optional<int> frame;
    std::string frames;
    std::string sheet;
    std::string size = "1280x720";
    int samples = 16;
    std::vector<double> camera_from;
    std::vector<double> camera_to;
    std::vector<double> up;
    double field_of_view = 30;  ///< degrees, vertical
    std::string view = "three-quarter";
    bool edges = false;
    bool no_floor = false;
    bool side_by_side = false;
    std::vector<std::string> colors;
    std::string pattern = "none";
    double pattern_size = 0;  ///< 0: a sixteenth of the texture's extent
    double frame_rate = 0;    ///< 0: the input's, or 25
};

/// Two whole numbers, as `1280x720`. Throws InvalidInput that names the option.
std::pair<int, int> parse_pair(const std::string& text, const std::string& option);

/// Frames of `A:B:STEP` (B included; A, B and STEP may be left out) among `n_frames`; all of them
/// for an empty text. Throws InvalidInput where the text is no range or holds no frame.
std::vector<int> parse_frame_range(const std::string& text, int n_frames);

}  // namespace toile::app
