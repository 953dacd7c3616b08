// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_operator.h"

#include <vector>

namespace toile {

struct ResampleOptions {
    double input_rate = 0;   ///< frames per second; 0: as the input says
    double output_rate = 0;  ///< frames per second, above 0
};

/// The same motion at another frame rate, linear between frames. Output frame k is at the time
/// k / output_rate, the first at that of the first input frame, the last at or before that of the
/// last. Holds two frames. Where a time falls on an input frame (to a few units in the last place
/// of its number) the frame comes out bit for bit.
class Resample final : public FrameOperator {
  public:
    /// Throws InvalidInput where a rate is unknown, not finite or not above 0, or where the output
    /// has more than 10 000 frames for each of the input.
    Resample(std::unique_ptr<FrameSource> input, ResampleOptions options);

    [[nodiscard]] std::optional<int> n_frames() const override;
    [[nodiscard]] std::optional<double> frame_rate() const override { return output_rate_; }
    bool next(std::span<Vec3> out_positions) override;

  private:
    [[nodiscard]] double input_place(int output_frame) const;
    bool advance_to(int input_frame);

    double input_rate_;
    double output_rate_;
    std::vector<Vec3> before_, after_;  // input frames newest_ - 1 and newest_
    int newest_ = -1;
    int next_output_ = 0;
};

}  // namespace toile
