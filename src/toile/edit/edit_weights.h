// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace toile {

/// 3x² - 2x³ between 0 and 1, flat at both ends; 0 below, 1 above.
double smoothstep(double x);

/// The frames that an edit may change, counted from 0; all by default. The weight is 0 up to
/// `first`, rises as a smoothstep to 1 at first + ease_in, and falls from last - ease_out to 0 at
/// `last`. Without easing the weight is 1 from the first frame to the last and jumps: a pop.
struct EditWindow {
    double first = -std::numeric_limits<double>::infinity();
    double last = std::numeric_limits<double>::infinity();
    double ease_in = 0;   ///< frames
    double ease_out = 0;  ///< frames
};

/// In [0, 1]. Where both eases overlap, their product.
double window_weight(const EditWindow& window, int frame);

/// The share of every key in `frame`; they sum to 1. Before the first key and after the last that
/// key alone counts, between two keys both do, by smoothstep. `key_frames` is ascending, not empty.
std::vector<double> key_weights(std::span<const int> key_frames, int frame);

}  // namespace toile
