// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/body_track.h"
#include "toile/io/pc2.h"

#include <filesystem>
#include <span>
#include <vector>

namespace toile {

/// Plays all bodies of a run folder frame by frame, as films for other programs take them.
class RunTracks {
  public:
    /// Throws IoError or InvalidInput where files are missing or do not fit each other.
    explicit RunTracks(const std::filesystem::path& folder);

    /// Cloths, then obstacles, in the order of the scene; obstacles that are told no motion stand.
    [[nodiscard]] const std::vector<BodyTrack>& tracks() const { return tracks_; }
    [[nodiscard]] int n_frames() const { return n_frames_; }
    [[nodiscard]] int n_vertices() const;  ///< of all bodies
    [[nodiscard]] double frame_rate() const { return frame_rate_; }
    /// Of every body in the frame read last; valid until the next.
    [[nodiscard]] std::span<const std::span<const Vec3>> positions() const { return views_; }
    /// Goes to the next frame; false after the last.
    bool next();

  private:
    void add_body(const std::filesystem::path& folder, BodyTrack track);

    std::vector<BodyTrack> tracks_;
    std::vector<Pc2Source> sources_;
    std::vector<std::vector<Vec3>> positions_;
    std::vector<std::span<const Vec3>> views_;
    double frame_rate_ = 0;
    int n_frames_ = 0;
    int next_ = 0;
};

}  // namespace toile
