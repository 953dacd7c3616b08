// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/marker_writer.h"

#include <fmt/format.h>

namespace toile {

std::string write_markers(std::span<const Marker> markers) {
    std::string text = fmt::format("{}\n", markers.size());
    for (const Marker& marker : markers) {
        text += fmt::format("{}, {}\n", marker.source, marker.target);
    }
    return text;
}

}  // namespace toile
