// SPDX-License-Identifier: Apache-2.0
#include "toile/core/near_miss.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace toile {

int edit_distance(std::string_view a, std::string_view b) {
    const size_t columns = b.size() + 1;
    std::vector<int> before(columns), previous(columns), current(columns);
    for (size_t j = 0; j < columns; ++j) previous[j] = static_cast<int>(j);
    for (size_t i = 1; i <= a.size(); ++i) {
        current[0] = static_cast<int>(i);
        for (size_t j = 1; j < columns; ++j) {
            const int change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known_words) {
    const std::string* best = nullptr;
    int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
    for (const std::string& known : known_words) {
        const int distance = edit_distance(word, known);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = &known;
    }
    return best ? fmt::format(" Did you mean '{}'?", *best) : std::string();
}

}  // namespace toile
