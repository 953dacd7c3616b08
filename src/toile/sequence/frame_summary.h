// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/geometry.h"
#include "toile/sequence/frame_stream.h"

#include <optional>
#include <vector>

namespace toile {

/// What all frames of a sequence say together.
struct FrameSummary {
    int n_vertices = 0;
    int n_frames = 0;
    std::optional<double> frame_rate;  ///< per second
    BoundingBox box;                   ///< of all finite vertices of all frames; metres
    double largest_step = 0;  ///< metres, of one vertex from a frame to the next, finite ones only
    int largest_step_frame = -1;         ///< the frame it ends in; -1 where nothing moves
    std::vector<int> non_finite_frames;  ///< that hold a vertex that is not finite

    /// From the first frame to the last, where the rate is known; seconds.
    [[nodiscard]] std::optional<double> duration() const;
};

/// Reads all frames; keeps two.
FrameSummary summarize_frames(FrameSource& frames);

}  // namespace toile
