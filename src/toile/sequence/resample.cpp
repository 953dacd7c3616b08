// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/resample.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

// A place this near to a whole frame is that frame: 30/24 of a second must not drift.
constexpr double kSnap = 8 * std::numeric_limits<double>::epsilon();

// Slow motion beyond any use; the frames of a mistyped rate would fill the disk.
constexpr double kMostFramesPerInput = 10'000;

double valid_rate(double rate, const char* which) {
    if (std::isfinite(rate) && rate > 0) return rate;
    throw InvalidInput(
        fmt::format("The {} frame rate is {}; expected frames per second above 0.", which, rate));
}

double known_input_rate(const FrameSource& input, double given) {
    if (given != 0) return given;
    if (const std::optional<double> rate = input.frame_rate()) return *rate;
    throw InvalidInput("The frame rate of the input is unknown; say how many frames per second.");
}

}  // namespace

Resample::Resample(std::unique_ptr<FrameSource> source, ResampleOptions options)
    : FrameOperator(std::move(source)),
      input_rate_(valid_rate(known_input_rate(input(), options.input_rate), "input")),
      output_rate_(valid_rate(options.output_rate, "output")),
      before_(frame_buffer(input())),
      after_(before_) {
    if (output_rate_ <= kMostFramesPerInput * input_rate_) return;
    throw InvalidInput(
        fmt::format("The output frame rate is {} and the input's {}; expected at most {} frames "
                    "for each of the "
                    "input.",
                    output_rate_, input_rate_, kMostFramesPerInput));
}

double Resample::input_place(int output_frame) const {
    const double place = output_frame * input_rate_ / output_rate_;
    const double whole = std::round(place);
    return std::abs(place - whole) <= kSnap * std::max(1.0, whole) ? whole : place;
}

std::optional<int> Resample::n_frames() const {
    const std::optional<int> n_input = input().n_frames();
    if (!n_input || *n_input == 0) return n_input;
    int last = static_cast<int>(std::floor((*n_input - 1) * output_rate_ / input_rate_));
    while (input_place(last + 1) <= *n_input - 1) ++last;
    while (last > 0 && input_place(last) > *n_input - 1) --last;
    return last + 1;
}

bool Resample::advance_to(int input_frame) {
    while (newest_ < input_frame) {
        std::swap(before_, after_);
        if (!input().next(after_)) {
            std::swap(before_, after_);
            return false;
        }
        ++newest_;
    }
    return true;
}

bool Resample::next(std::span<Vec3> out_positions) {
    const double place = input_place(next_output_);
    if (place > std::numeric_limits<int>::max() - 1) return false;  // after any last frame
    const double below = std::floor(place);
    const double weight = place - below;
    if (!advance_to(static_cast<int>(below) + (weight > 0 ? 1 : 0))) return false;
    ++next_output_;
    if (weight == 0) {
        const auto& frame = newest_ == static_cast<int>(below) ? after_ : before_;
        std::copy(frame.begin(), frame.end(), out_positions.begin());
        return true;
    }
    for (size_t v = 0; v < out_positions.size(); ++v) {
        out_positions[v] = (1 - weight) * before_[v] + weight * after_[v];
    }
    return true;
}

}  // namespace toile
