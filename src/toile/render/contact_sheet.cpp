// SPDX-License-Identifier: Apache-2.0
#include "toile/render/contact_sheet.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr Rgb8 kPaper = {255, 255, 255};

ImageSize sheet_size(const SheetLayout& layout, const ImageSize& cell) {
    require_valid(cell);
    const auto side = [&](int n, int pixels) {
        if (n < 1 || n > kMaxImageSide || layout.gap < 0) return 0L;
        return n * (static_cast<long>(pixels) + layout.gap) - layout.gap;
    };
    const long width = side(layout.columns, cell.width);
    const long height = side(layout.rows, cell.height);
    if (width < 1 || height < 1 || width > kMaxImageSide || height > kMaxImageSide) {
        throw InvalidInput(fmt::format(
            "A contact sheet of {}x{} pictures of {}x{} pixels cannot be made; its sides must "
            "lie in 1..{} pixels.",
            layout.columns, layout.rows, cell.width, cell.height, kMaxImageSide));
    }
    return {static_cast<int>(width), static_cast<int>(height)};
}

}  // namespace

std::vector<int> sheet_frames(int n_frames, int n_cells) {
    const int n = std::max(0, std::min(n_frames, n_cells));
    std::vector<int> frames;
    for (int i = 0; i < n; ++i) {
        const long last = n_frames - 1L;
        frames.push_back(n == 1 ? static_cast<int>(last)
                                : static_cast<int>((i * last + (n - 1) / 2) / (n - 1)));
    }
    return frames;
}

ContactSheet::ContactSheet(const SheetLayout& layout, const ImageSize& cell)
    : layout_(layout), cell_(cell), image_(sheet_size(layout, cell), kPaper) {}

void ContactSheet::add(const Image& picture) {
    if (picture.size != cell_ || n_added_ == layout_.columns * layout_.rows) {
        throw InvalidInput(
            "A contact sheet takes as many pictures as it has cells, of their size.");
    }
    const int column = n_added_ % layout_.columns;
    const int row = n_added_ / layout_.columns;
    paste(picture, column * (cell_.width + layout_.gap), row * (cell_.height + layout_.gap),
          image_);
    ++n_added_;
}

}  // namespace toile
