// SPDX-License-Identifier: Apache-2.0
#include "picture_request.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace toile::app {
namespace {

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

}  // namespace

std::pair<int, int> parse_pair(const std::string& text, const std::string& option) {
    const std::vector<std::string> parts = split(text, 'x');
    if (parts.size() == 2) {
        const auto a = whole_number(parts[0]);
        const auto b = whole_number(parts[1]);
        if (a && b) return {*a, *b};
    }
    throw InvalidInput(
        fmt::format("{} is '{}'; expected two whole numbers, as 1280x720.", option, text));
}

std::vector<int> parse_frame_range(const std::string& text, int n_frames) {
    const std::vector<std::string> parts = split(text, ':');
    const auto part = [&](size_t i, int otherwise) {
        if (i >= parts.size() || parts[i].empty()) return otherwise;
        const std::optional<int> value = whole_number(parts[i]);
        if (value && *value >= 0) return *value;
        throw InvalidInput(
            fmt::format("--frames is '{}'; expected FIRST:LAST:STEP, as 0:100:2.", text));
    };
    const int first = part(0, 0);
    const int last =
        std::min(part(1, parts.size() > 1 || text.empty() ? n_frames - 1 : first), n_frames - 1);
    const int step = part(2, 1);
    if (parts.size() > 3 || step < 1 || first > last) {
        throw InvalidInput(fmt::format("--frames {} holds no frame; there are frames 0 to {}.",
                                       text, n_frames - 1));
    }
    std::vector<int> frames;
    for (long f = first; f <= last; f += step) frames.push_back(static_cast<int>(f));
    return frames;
}

}  // namespace toile::app
