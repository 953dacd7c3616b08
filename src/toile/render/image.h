// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/color.h"

#include <vector>

namespace toile {

/// Width and height of a picture in pixels.
struct ImageSize {
    int width = 1280;
    int height = 720;

    bool operator==(const ImageSize&) const = default;
};

/// Largest width or height a picture may have.
constexpr int kMaxImageSide = 16384;

/// Throws InvalidInput unless both sides lie in [1, kMaxImageSide].
void require_valid(const ImageSize& size);

/// Display pixels, row by row from the top left.
struct Image {
    ImageSize size{0, 0};
    std::vector<Rgb8> pixels;  ///< width * height

    Image() = default;
    /// All pixels `fill`. Throws InvalidInput for a size that is not valid.
    explicit Image(const ImageSize& image_size, const Rgb8& fill = {0, 0, 0});

    [[nodiscard]] size_t index(int x, int y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(size.width) + static_cast<size_t>(x);
    }
    [[nodiscard]] const Rgb8& at(int x, int y) const { return pixels[index(x, y)]; }
    [[nodiscard]] Rgb8& at(int x, int y) { return pixels[index(x, y)]; }
};

/// Copies `source` into `target` with its top left corner at (left, top); what lies outside is cut.
void paste(const Image& source, int left, int top, Image& target);

}  // namespace toile
