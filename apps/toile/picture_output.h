// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/image.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace toile::app {

enum class OutputKind { Picture, Sheet, Film, Folder };

struct PictureOutputOptions {
    std::filesystem::path path;
    OutputKind kind = OutputKind::Picture;
    ImageSize size = {};
    double frame_rate = 25;
    int sheet_columns = 0;
    int sheet_rows = 0;
};

/// Where pictures go, one after another.
class PictureOutput {
  public:
    virtual ~PictureOutput() = default;
    virtual void add(int frame, const Image& picture) = 0;
    virtual void finish() = 0;
};

/// Opens the output: `PNG`, contact sheet, MP4, or a folder of `frame_%04d.png`.
std::unique_ptr<PictureOutput> open_output(const PictureOutputOptions& options);

/// Kind of output that a path and whether a sheet was asked for say. Throws InvalidInput for an
/// extension that is no picture.
OutputKind output_kind(const std::string& path, bool is_sheet);

}  // namespace toile::app
