// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frames_in_memory.h"

#include "toile/core/assert.h"
#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {

MemoryFrameSource::MemoryFrameSource(const FramesInMemory& frames) : frames_(frames) {
    for (size_t k = 0; k < frames.frames.size(); ++k) {
        if (frames.frames[k].size() == frames.frames[0].size()) continue;
        throw InvalidInput(fmt::format("Frame {} has {} vertices; frame 0 has {}.", k,
                                       frames.frames[k].size(), frames.frames[0].size()));
    }
}

int MemoryFrameSource::n_vertices() const {
    return frames_.frames.empty() ? 0 : static_cast<int>(frames_.frames[0].size());
}

std::optional<int> MemoryFrameSource::n_frames() const {
    return static_cast<int>(frames_.frames.size());
}

bool MemoryFrameSource::next(std::span<Vec3> out_positions) {
    if (next_ == frames_.frames.size()) return false;
    const std::vector<Vec3>& frame = frames_.frames[next_++];
    TOILE_ASSERT(out_positions.size() == frame.size());
    std::copy(frame.begin(), frame.end(), out_positions.begin());
    return true;
}

void MemoryFrameSink::write(std::span<const Vec3> positions) {
    frames_.frames.emplace_back(positions.begin(), positions.end());
}

}  // namespace toile
