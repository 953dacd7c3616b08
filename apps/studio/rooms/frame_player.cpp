// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/frame_player.h"

#include "toile/core/error.h"

namespace toile::studio {

FramePlayer::FramePlayer(const ItemContent& content, int first) {
    const auto& bodies = content.facts().bodies;
    for (size_t b = 0; b < bodies.size(); ++b) {
        positions_.emplace_back(bodies[b].mesh->positions);
        if (!bodies[b].motion) continue;
        Moving moving{b, content.play(static_cast<int>(b)), {}};
        moving.positions = frame_buffer(*moving.frames);
        for (int frame = 0; frame < first; ++frame) (void)moving.frames->skip();
        moving_.push_back(std::move(moving));
    }
    for (const Moving& one : moving_) positions_[one.body] = one.positions;
}

std::span<const std::span<const Vec3>> FramePlayer::next() {
    for (Moving& one : moving_) {
        if (!one.frames->next(one.positions)) {
            throw InvalidInput("The sequence has become shorter while it was read.");
        }
    }
    return positions_;
}

}  // namespace toile::studio
