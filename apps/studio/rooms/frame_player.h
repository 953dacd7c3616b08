// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/item.h"

#include <memory>
#include <span>
#include <vector>

namespace toile::studio {

/// The frames of an item one after another, of all its bodies, read once: a page that scrubs
/// meanwhile neither waits for it nor turns it back.
class FramePlayer {
  public:
    /// From frame `first` on. `content` must outlive it.
    explicit FramePlayer(const ItemContent& content, int first = 0);

    /// The next frame's positions, a span for each body; they hold until the next call. Throws
    /// InvalidInput where there is none, IoError where it cannot be read.
    std::span<const std::span<const Vec3>> next();

  private:
    struct Moving {
        size_t body;
        std::unique_ptr<FrameSource> frames;
        std::vector<Vec3> positions;
    };

    std::vector<Moving> moving_;
    std::vector<std::span<const Vec3>> positions_;  // of each body
};

}  // namespace toile::studio
