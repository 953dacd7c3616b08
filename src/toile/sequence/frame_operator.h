// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_stream.h"

#include <memory>

namespace toile {

/// What stands between a source and a sink: itself a source, of frames made from those of another.
/// Says by default of count, rate and vertices what its input says.
class FrameOperator : public FrameSource {
  public:
    explicit FrameOperator(std::unique_ptr<FrameSource> input) : input_(std::move(input)) {}

    [[nodiscard]] int n_vertices() const override { return input_->n_vertices(); }
    [[nodiscard]] std::optional<int> n_frames() const override { return input_->n_frames(); }
    [[nodiscard]] std::optional<double> frame_rate() const override { return input_->frame_rate(); }

  protected:
    [[nodiscard]] FrameSource& input() { return *input_; }
    [[nodiscard]] const FrameSource& input() const { return *input_; }

  private:
    std::unique_ptr<FrameSource> input_;
};

}  // namespace toile
