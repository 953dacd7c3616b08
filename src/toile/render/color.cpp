// SPDX-License-Identifier: Apache-2.0
#include "toile/render/color.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr float kShoulder = 0.7F;  // where the tone curve leaves the straight line

float linear_of_srgb(float s) {
    return s <= 0.04045F ? s / 12.92F : std::pow((s + 0.055F) / 1.055F, 2.4F);
}

float srgb_of_linear(float l) {
    return l <= 0.0031308F ? 12.92F * l : 1.055F * std::pow(l, 1 / 2.4F) - 0.055F;
}

float tone(float x) {
    if (x <= kShoulder) return x;
    return 1 - (1 - kShoulder) * std::exp((kShoulder - x) / (1 - kShoulder));
}

std::uint8_t display_level(float linear) {
    if (!(linear > 0)) return 0;
    const float level = 255 * srgb_of_linear(tone(linear));
    return static_cast<std::uint8_t>(std::min(255.F, level + 0.5F));
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

Color from_srgb(float red, float green, float blue) {
    return {linear_of_srgb(red), linear_of_srgb(green), linear_of_srgb(blue)};
}

Color parse_color(std::string_view text) {
    std::string_view digits = text;
    if (!digits.empty() && digits.front() == '#') digits.remove_prefix(1);
    const bool valid = (digits.size() == 3 || digits.size() == 6) &&
                       std::ranges::all_of(digits, [](char c) { return hex_digit(c) >= 0; });
    if (!valid) {
        throw InvalidInput(fmt::format(
            "'{}' is not a colour; expected hexadecimal '#rrggbb', as '#c8553d'.", text));
    }
    const size_t width = digits.size() / 3;
    std::array<float, 3> level{};
    for (size_t i = 0; i < 3; ++i) {
        const int high = hex_digit(digits[i * width]);
        const int low = hex_digit(digits[i * width + width - 1]);
        level[i] = static_cast<float>(16 * high + low) / 255;
    }
    return from_srgb(level[0], level[1], level[2]);
}

Rgb8 to_display(const Color& linear) {
    return {display_level(linear[0]), display_level(linear[1]), display_level(linear[2])};
}

}  // namespace toile
