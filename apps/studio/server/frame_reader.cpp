// SPDX-License-Identifier: Apache-2.0
#include "studio/server/frame_reader.h"

#include "toile/core/error.h"
#include "toile/io/pc2.h"
#include "toile/io/sequence_file.h"

#include <fmt/format.h>

#include <utility>

namespace toile::studio {

FrameReader::FrameReader(SequenceFiles files)
    : files_(std::move(files)),
      source_(open_sequence(files_.frames, {.mesh = files_.mesh}).frames) {}

void FrameReader::read(int frame, std::span<Vec3> out_positions) {
    go_to(frame);
    if (!source_->next(out_positions)) {
        throw InvalidInput(fmt::format("{} ends before frame {}.", files_.frames, frame));
    }
    ++next_;
}

void FrameReader::go_to(int frame) {
    if (frame == next_) return;
    if (auto* cache = dynamic_cast<Pc2Source*>(source_.get())) {
        cache->seek(frame);
        next_ = frame;
        return;
    }
    if (frame < next_) {
        source_ = open_sequence(files_.frames, {.mesh = files_.mesh}).frames;
        next_ = 0;
    }
    while (next_ < frame && source_->skip()) ++next_;
}

}  // namespace toile::studio
