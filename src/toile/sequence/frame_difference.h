// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/difference.h"
#include "toile/sequence/frame_stream.h"

#include <vector>

namespace toile {

/// Distances between vertices of equal index in frames of equal number; metres.
struct FrameDifferences {
    std::vector<VertexDifference> frames;
    double max = 0;
    double mean = 0;
    double rms = 0;
    int worst_frame = -1;   ///< where `max` is found first; -1 where there is no frame
    int worst_vertex = -1;  ///< in that frame
    double diagonal = 0;    ///< of the reference's bounding box in its first frame

    /// 100 times a distance over the diagonal; 0 for 0, infinite where the diagonal is 0.
    [[nodiscard]] double percent(double distance) const;
};

/// Compares two sequences frame by frame with vertex_difference (each frame aligned by itself).
/// Throws InvalidInput where the numbers of vertices or of frames differ, naming both; of frames,
/// after all that both have were compared, since a source may not know its number before its end.
FrameDifferences compare_frames(FrameSource& reference, FrameSource& other,
                                Alignment kind = Alignment::None);

}  // namespace toile
