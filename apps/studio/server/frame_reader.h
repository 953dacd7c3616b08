// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace toile::studio {

/// A sequence on the disk, as open_sequence takes it.
struct SequenceFiles {
    std::string frames;
    std::optional<std::filesystem::path> mesh = {};
};

/// Reads any frame of a sequence; a later one fast, an earlier one as fast as its format allows.
class FrameReader {
  public:
    explicit FrameReader(SequenceFiles files);

    [[nodiscard]] int n_vertices() const { return source_->n_vertices(); }
    /// Throws IoError or InvalidInput where there is no such frame.
    void read(int frame, std::span<Vec3> out_positions);

  private:
    void go_to(int frame);

    SequenceFiles files_;
    std::unique_ptr<FrameSource> source_;
    int next_ = 0;  // frame that the source gives next
};

}  // namespace toile::studio
