// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/transform.h"
#include "toile/sequence/frame_operator.h"

namespace toile {

/// Every frame of a sequence, moved by one transform.
class Moved final : public FrameOperator {
  public:
    Moved(std::unique_ptr<FrameSource> input, const Transform& transform)
        : FrameOperator(std::move(input)), transform_(transform) {}

    bool next(std::span<Vec3> out_positions) override {
        if (!input().next(out_positions)) return false;
        transform_points(transform_, out_positions);
        return true;
    }

  private:
    Transform transform_;
};

}  // namespace toile
