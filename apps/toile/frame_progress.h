// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/timer.h"
#include "toile/sequence/frame_operator.h"
#include "verb.h"

namespace toile::app {

/// Passes frames on, shows on a terminal how many, and stops with Interrupted between two frames
/// where the user asked for it.
class FrameProgress final : public FrameOperator {
  public:
    FrameProgress(std::unique_ptr<FrameSource> input, const Session& session);
    ~FrameProgress() override;

    bool next(std::span<Vec3> out_positions) override;

  private:
    void show();

    const Session& session_;
    bool visible_;
    bool shown_ = false;
    int done_ = 0;
    double last_shown_ = 0;
    Timer timer_;
};

}  // namespace toile::app
