// SPDX-License-Identifier: Apache-2.0
#include "toile/render/image.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {

void require_valid(const ImageSize& size) {
    const auto fits = [](int side) { return side >= 1 && side <= kMaxImageSide; };
    if (fits(size.width) && fits(size.height)) return;
    throw InvalidInput(
        fmt::format("A picture of {} x {} pixels cannot be made; each side must lie in 1..{}.",
                    size.width, size.height, kMaxImageSide));
}

Image::Image(const ImageSize& image_size, const Rgb8& fill) : size(image_size) {
    require_valid(image_size);
    pixels.assign(static_cast<size_t>(size.width) * static_cast<size_t>(size.height), fill);
}

void paste(const Image& source, int left, int top, Image& target) {
    const int x0 = std::max(0, -left);
    const int x1 = std::min(source.size.width, target.size.width - left);
    const int y1 = std::min(source.size.height, target.size.height - top);
    if (x0 >= x1) return;
    for (int y = std::max(0, -top); y < y1; ++y) {
        std::copy_n(source.pixels.begin() + static_cast<long>(source.index(x0, y)), x1 - x0,
                    target.pixels.begin() + static_cast<long>(target.index(left + x0, top + y)));
    }
}

}  // namespace toile
