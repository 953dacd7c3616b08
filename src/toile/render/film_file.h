// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/image.h"

#include <filesystem>
#include <memory>

namespace toile {

/// Size and speed of a film.
struct FilmOptions {
    ImageSize size = {};  ///< both sides even
    double frame_rate = 30;
};

/// Writes pictures as an MP4 (H.264, yuv420p, plays everywhere) through the program ffmpeg, picture
/// by picture. The file stands under its name, replacing one there, only after `finish`.
class FilmWriter {
  public:
    /// Throws InvalidInput for odd sides or a rate not in (0, 1000], MissingFeature where there is
    /// no ffmpeg, IoError where the folder cannot be written.
    FilmWriter(const std::filesystem::path& path, const FilmOptions& options);
    /// Without `finish`, stops ffmpeg and leaves no file.
    ~FilmWriter();
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;

    /// Appends a picture of the film's size. Throws ComputationFailed with ffmpeg's own words where
    /// it has given up.
    void add(const Image& picture);
    /// Ends the film, which needs at least one picture.
    void finish();

  private:
    struct Process;
    std::filesystem::path path_;
    FilmOptions options_;
    int n_pictures_ = 0;
    std::unique_ptr<Process> process_;
};

}  // namespace toile
