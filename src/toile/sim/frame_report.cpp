// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/frame_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace toile {

std::string RunFailure::message() const {
    std::string text =
        fmt::format("The run stopped in frame {}, at {:.6g} s, with steps of {:.3g} s: {}", frame,
                    time, smallest_step, cause);
    if (!places.empty()) text += fmt::format(" Where: {}.", fmt::join(places, "; "));
    return text;
}

std::string PinLetGo::phrase() const {
    return fmt::format("vertex {} of '{}' cannot follow its pin from {:.6g} s on, since {}", vertex,
                       cloth, time, cause);
}

std::string PinLag::phrase() const {
    return fmt::format("{} pin{}, vertex {} of '{}' most: {:.3g} m", n_vertices,
                       n_vertices == 1 ? " lags" : "s lag", vertex, cloth, largest);
}

}  // namespace toile
