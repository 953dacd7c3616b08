// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace toile::app {

/// `12` or `12.5` in frames, `0.4s` in seconds at `rate` frames per second; returns frames.
/// `option` names it in messages. Throws InvalidInput for anything else, and for seconds without a
/// rate.
double parse_frame_time(const std::string& text, std::optional<double> rate,
                        const std::string& option);

}  // namespace toile::app
