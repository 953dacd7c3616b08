// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_stream.h"

namespace toile {

bool FrameSource::skip() {
    std::vector<Vec3> unwanted = frame_buffer(*this);
    return next(unwanted);
}

std::vector<Vec3> frame_buffer(const FrameSource& source) {
    if (source.n_frames() == 0) return {};
    return std::vector<Vec3>(static_cast<size_t>(source.n_vertices()));
}

int copy_frames(FrameSource& source, FrameSink& sink) {
    std::vector<Vec3> positions = frame_buffer(source);
    int n_frames = 0;
    while (source.next(positions)) {
        sink.write(positions);
        ++n_frames;
    }
    return n_frames;
}

}  // namespace toile
