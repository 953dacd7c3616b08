// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_stream.h"

#include <vector>

namespace toile {

int copy_frames(FrameSource& source, FrameSink& sink) {
    std::vector<Vec3> positions(static_cast<size_t>(source.n_vertices()));
    int n_frames = 0;
    while (source.next(positions)) {
        sink.write(positions);
        ++n_frames;
    }
    return n_frames;
}

}  // namespace toile
