// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <string_view>

namespace toile {

/// Linear light of Rec. 709 primaries (red, green, blue); 1 is a white surface in full light.
using Color = Eigen::Array3f;

/// One of 256 display levels for each of red, green, blue (sRGB).
using Rgb8 = std::array<std::uint8_t, 3>;

/// Linear colour of sRGB components in [0, 1].
Color from_srgb(float red, float green, float blue);

/// Linear colour of `#rrggbb`, `rrggbb` or `#rgb`. Throws InvalidInput that names the text.
Color parse_color(std::string_view text);

/// Display levels of linear light: values up to 0.7 keep their place, brighter ones bend smoothly
/// below white, negative and NaN become black.
Rgb8 to_display(const Color& linear);

}  // namespace toile
