// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <optional>
#include <span>
#include <vector>

namespace toile {

/// Frames of vertex positions over one connectivity, one at a time: no frame is kept by the source.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual int n_vertices() const = 0;
    /// Number of frames, where it is known before the last has been read.
    [[nodiscard]] virtual std::optional<int> n_frames() const = 0;
    /// Frames per second, where the source says so.
    [[nodiscard]] virtual std::optional<double> frame_rate() const = 0;
    /// Writes the next frame into `out_positions` (n_vertices) and returns true, or returns false
    /// after the last. Throws IoError or InvalidInput, naming the frame, where it cannot be read.
    virtual bool next(std::span<Vec3> out_positions) = 0;
    /// As next(), but nobody wants the frame; a source that need not read it does not.
    virtual bool skip();
};

/// Takes frames in order. What was taken is safe on disk after each `write`, where the sink is a
/// file; the file's count covers only whole frames.
class FrameSink {
  public:
    virtual ~FrameSink() = default;

    virtual void write(std::span<const Vec3> positions) = 0;
    /// Must be called after the last frame: only then does the result stand under its final name.
    virtual void finish() = 0;
};

/// Room for one frame of `source`. None where it is known to hold no frame: its count of vertices
/// is then backed by nothing, and a file of a few bytes may claim billions.
std::vector<Vec3> frame_buffer(const FrameSource& source);

/// Copies every frame from `source` to `sink` and returns their number; does not finish the sink.
int copy_frames(FrameSource& source, FrameSink& sink);

}  // namespace toile
