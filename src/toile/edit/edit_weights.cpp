// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_weights.h"

#include <algorithm>
#include <cmath>

namespace toile {

double smoothstep(double x) {
    const double c = std::clamp(x, 0.0, 1.0);
    return c * c * (3 - 2 * c);
}

double window_weight(const EditWindow& window, int frame) {
    if (frame < window.first || frame > window.last) return 0;
    double weight = 1;
    if (window.ease_in > 0) weight *= smoothstep((frame - window.first) / window.ease_in);
    if (window.ease_out > 0) weight *= smoothstep((window.last - frame) / window.ease_out);
    return weight;
}

std::vector<double> key_weights(std::span<const int> key_frames, int frame) {
    std::vector<double> weights(key_frames.size(), 0.0);
    const auto after = std::upper_bound(key_frames.begin(), key_frames.end(), frame);
    const auto next = static_cast<size_t>(after - key_frames.begin());
    if (next == 0) {
        weights.front() = 1;
    } else if (next == key_frames.size()) {
        weights.back() = 1;
    } else {
        const double begin = key_frames[next - 1];
        weights[next] = smoothstep((frame - begin) / (key_frames[next] - begin));
        weights[next - 1] = 1 - weights[next];
    }
    return weights;
}

}  // namespace toile
