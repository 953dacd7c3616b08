// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/body_track.h"
#include "toile/io/scratch_file.h"
#include "toile/mesh/geometry.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace toile {

class AtomicFile;

struct HtmlPageOptions {
    bool overwrite = false;
    double frame_rate = 25;  ///< frames per second, above 0
    std::string title = {};  ///< empty: the file's name
};

/// Writes moving bodies as one HTML file that plays them in a browser, from disk and offline: it
/// asks for nothing else, and its Content-Security-Policy says so. A coordinate is kept as 16 bits
/// of the box round all frames, so it is off by at most 1/131070 of that box's side. The player
/// looks with y up; positions are kept as they are. Frames wait in a file without a name until
/// `finish`: memory does not grow with their number.
///
/// The file's data are script elements that no browser runs: `head` (JSON: title, frame_rate,
/// n_frames, box, bodies with name, counts, colours, moves), `triangles-B` (base64 of uint32) and
/// `frame-K-B` (base64 of uint16 x y z) of body B; all little-endian.
class HtmlPageWriter {
  public:
    /// Throws IoError where the file cannot be made, InvalidInput for a rate that is none or no
    /// body at all.
    HtmlPageWriter(std::filesystem::path path, std::vector<BodyTrack> bodies,
                   HtmlPageOptions options = {});

    /// Positions of every body, in their order. Throws InvalidInput where counts differ, a
    /// coordinate does not fit into float32, or the page would grow beyond what browsers open.
    void write(std::span<const std::span<const Vec3>> positions);
    /// Throws InvalidInput where there was no frame.
    void finish();

  private:
    [[nodiscard]] std::string head() const;
    void write_frames(AtomicFile& file) const;

    std::filesystem::path path_;
    HtmlPageOptions options_;
    std::vector<BodyTrack> bodies_;
    ScratchFile scratch_;  ///< float32 positions of all bodies of frame 0, then of moving ones
    BoundingBox box_;
    int n_frames_ = 0;
};

/// A sequence of one body as an HTML page.
class HtmlPageSink final : public FrameSink {
  public:
    HtmlPageSink(const std::filesystem::path& path, const TriangleMesh& mesh,
                 HtmlPageOptions options = {});

    void write(std::span<const Vec3> positions) override;
    void finish() override { writer_.finish(); }

  private:
    HtmlPageWriter writer_;
};

namespace detail {
/// Base64 with padding [RFC4648, sec. 4].
std::string base64(std::string_view bytes);
}  // namespace detail

}  // namespace toile
