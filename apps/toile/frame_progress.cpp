// SPDX-License-Identifier: Apache-2.0
#include "frame_progress.h"

#include "toile/core/error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace toile::app {
namespace {
constexpr double kSecondsBetweenUpdates = 0.1;
}

FrameProgress::FrameProgress(std::unique_ptr<FrameSource> source, const Session& session)
    : FrameOperator(std::move(source)),
      session_(session),
      visible_(!session.quiet && ::isatty(STDERR_FILENO) != 0) {}

FrameProgress::~FrameProgress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
}

bool FrameProgress::next(std::span<Vec3> out_positions) {
    if (session_.cancellation.requested()) {
        throw Interrupted(fmt::format("Stopped after {} frames.", done_));
    }
    if (!input().next(out_positions)) return false;
    ++done_;
    if (visible_ && timer_.seconds() - last_shown_ > kSecondsBetweenUpdates) show();
    return true;
}

void FrameProgress::show() {
    shown_ = true;
    last_shown_ = timer_.seconds();
    if (const std::optional<int> total = n_frames()) {
        fmt::print(stderr, "\r\033[Kframe {} of {}", done_, *total);
    } else {
        fmt::print(stderr, "\r\033[Kframe {}", done_);
    }
    std::fflush(stderr);
}

}  // namespace toile::app
