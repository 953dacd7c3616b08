// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_stream.h"

#include <vector>

namespace toile {

/// A whole sequence in memory: for tests and small things.
struct FramesInMemory {
    std::vector<std::vector<Vec3>> frames;  ///< each of the same number of vertices
    std::optional<double> frame_rate = {};  ///< per second
};

/// Plays frames that the caller owns and keeps alive.
class MemoryFrameSource final : public FrameSource {
  public:
    /// Throws InvalidInput where frames differ in their number of vertices.
    explicit MemoryFrameSource(const FramesInMemory& frames);

    [[nodiscard]] int n_vertices() const override;
    [[nodiscard]] std::optional<int> n_frames() const override;
    [[nodiscard]] std::optional<double> frame_rate() const override { return frames_.frame_rate; }
    bool next(std::span<Vec3> out_positions) override;

  private:
    const FramesInMemory& frames_;
    size_t next_ = 0;
};

/// Appends frames to what the caller owns and keeps alive.
class MemoryFrameSink final : public FrameSink {
  public:
    explicit MemoryFrameSink(FramesInMemory& out_frames) : frames_(out_frames) {}

    void write(std::span<const Vec3> positions) override;
    void finish() override {}

  private:
    FramesInMemory& frames_;
};

}  // namespace toile
