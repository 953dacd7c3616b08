// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/image.h"

#include <vector>

namespace toile {

/// Columns and rows of a contact sheet.
struct SheetLayout {
    int columns = 4;
    int rows = 3;
    int gap = 4;  ///< pixels between pictures
};

/// Frames to show on a sheet of `n_cells`: spread evenly over [0, n_frames), first and last always
/// among them; all frames where there are fewer than cells; none of none.
std::vector<int> sheet_frames(int n_frames, int n_cells);

/// One picture of many small ones, filled row by row.
class ContactSheet {
  public:
    /// Cells of `cell` pixels each. Throws InvalidInput where the sheet would be no valid picture.
    ContactSheet(const SheetLayout& layout, const ImageSize& cell);

    /// Puts `picture` (of the size of a cell) into the next cell; one too many is InvalidInput.
    void add(const Image& picture);
    [[nodiscard]] const Image& image() const { return image_; }

  private:
    SheetLayout layout_;
    ImageSize cell_;
    Image image_;
    int n_added_ = 0;
};

}  // namespace toile
