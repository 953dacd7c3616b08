// SPDX-License-Identifier: Apache-2.0
#include "picture_output.h"

#include "toile/core/error.h"
#include "toile/io/hidden_folder.h"
#include "toile/render/contact_sheet.h"
#include "toile/render/film_file.h"
#include "toile/render/png_file.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace toile::app {
namespace {

class PngOutput : public PictureOutput {
  public:
    explicit PngOutput(std::filesystem::path path) : path_(std::move(path)) {}
    void add(int, const Image& picture) override { write_png(path_, picture); }
    void finish() override {}

  private:
    std::filesystem::path path_;
};

/// Numbered pictures, hidden until all are there.
class FolderOutput : public PictureOutput {
  public:
    explicit FolderOutput(std::filesystem::path path)
        : path_(made(std::move(path))), hidden_(path_, "frames") {}
    void add(int frame, const Image& picture) override {
        names_.push_back(fmt::format("frame_{:04}.png", frame));
        write_png(hidden_.path() / names_.back(), picture);
    }
    void finish() override { hidden_.bring_out(names_, path_, {.overwrite = true}); }

  private:
    static std::filesystem::path made(std::filesystem::path path) {
        std::error_code error;
        std::filesystem::create_directories(path, error);
        if (error) throw IoError(fmt::format("The folder {} could not be made.", path.string()));
        return path;
    }

    std::filesystem::path path_;
    HiddenFolder hidden_;
    std::vector<std::string> names_;
};

class FilmOutput : public PictureOutput {
  public:
    explicit FilmOutput(const PictureOutputOptions& options)
        : film_(options.path, {options.size, options.frame_rate}) {}
    void add(int, const Image& picture) override { film_.add(picture); }
    void finish() override { film_.finish(); }

  private:
    FilmWriter film_;
};

class SheetOutput : public PictureOutput {
  public:
    explicit SheetOutput(const PictureOutputOptions& options)
        : path_(options.path), sheet_({options.sheet_columns, options.sheet_rows}, options.size) {}
    void add(int, const Image& picture) override { sheet_.add(picture); }
    void finish() override { write_png(path_, sheet_.image()); }

  private:
    std::filesystem::path path_;
    ContactSheet sheet_;
};

}  // namespace

std::unique_ptr<PictureOutput> open_output(const PictureOutputOptions& options) {
    switch (options.kind) {
        case OutputKind::Sheet:
            return std::make_unique<SheetOutput>(options);
        case OutputKind::Film:
            return std::make_unique<FilmOutput>(options);
        case OutputKind::Folder:
            return std::make_unique<FolderOutput>(options.path);
        case OutputKind::Picture:
            break;
    }
    return std::make_unique<PngOutput>(options.path);
}

OutputKind output_kind(const std::string& path, bool is_sheet) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".png") return is_sheet ? OutputKind::Sheet : OutputKind::Picture;
    if (is_sheet) throw InvalidInput(fmt::format("A contact sheet is a PNG; {} is none.", path));
    if (extension == ".mp4") return OutputKind::Film;
    if (extension.empty()) return OutputKind::Folder;
    throw InvalidInput(
        fmt::format("{} is no kind of picture that can be made; expected NAME.png, "
                    "NAME.mp4, or a folder for numbered pictures.",
                    path));
}

}  // namespace toile::app
