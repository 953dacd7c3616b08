// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

ExpectationCheck outcome_check(const std::string& expected, const RunCheck& run) {
    const bool complete = run.is_complete();
    const bool stopped = run.status == RunStatus::Failed;
    const auto last = static_cast<int>(run.frames.size()) - 1;
    const bool held = expected == "complete" ? complete
                      : expected == "stops"  ? stopped
                      : expected == "either" ? complete || stopped
                                             : false;
    return {fmt::format("The outcome is '{}': {}, {} of {} frames.", expected,
                        status_name(run.status), last, run.frames_asked),
            held};
}

constexpr const char* kNoFrame = "the run has no frame.";

/// What is not a number counts as larger than anything, so that no limit is kept by it.
double rank(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// The frame, of those given, in which something is largest.
const FrameCheck& worst_frame(std::span<const FrameCheck> frames, double FrameCheck::*value) {
    return *std::ranges::max_element(frames, {},
                                     [&](const FrameCheck& f) { return rank(f.*value); });
}

ExpectationCheck strain_check(double limit, const RunCheck& run) {
    const std::string what = fmt::format("No strain is above {:.3g}: ", limit);
    if (run.frames.empty()) return {what + kNoFrame, false};
    const FrameCheck& worst = worst_frame(run.frames, &FrameCheck::largest_strain);
    return {what + fmt::format("the largest is {:.3g}, in frame {}.", worst.largest_strain,
                               worst.frame),
            worst.largest_strain <= limit};
}

ExpectationCheck rest_check(const ExpectSettings& expect, double frame_rate, const RunCheck& run) {
    const auto first = std::ranges::find_if(run.frames, [&](const FrameCheck& frame) {
        return (frame.frame - 1) / frame_rate >= *expect.rest_from;
    });
    const std::span<const FrameCheck> later(first, run.frames.end());
    const std::string what =
        fmt::format("Every cloth rests from {:.3g} s on, below {:.3g} m/s: ", *expect.rest_from,
                    expect.rest_speed);
    if (later.empty()) return {what + "the run has no frame after that.", false};
    const FrameCheck& fastest = worst_frame(later, &FrameCheck::largest_rms_speed);
    return {what + fmt::format("the fastest moves at {:.3g} m/s, in frame {}.",
                               fastest.largest_rms_speed, fastest.frame),
            fastest.largest_rms_speed <= expect.rest_speed};
}

bool contains(const Box& outer, const Box& inner) {
    return (outer.min.array() <= inner.min.array()).all() &&
           (inner.max.array() <= outer.max.array()).all();
}

std::string corner_words(const Vec3& p) {
    return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", p[0], p[1], p[2]);
}

ExpectationCheck place_check(const Box& box, std::span<const BodyExtent> cloths) {
    const std::string what = fmt::format("All cloth ends between {} and {}", corner_words(box.min),
                                         corner_words(box.max));
    if (cloths.empty()) return {fmt::format("{}: {}", what, kNoFrame), false};
    for (const BodyExtent& cloth : cloths) {
        if (contains(box, cloth.box)) continue;
        return {fmt::format("{}: '{}' reaches from {} to {}.", what, cloth.name,
                            corner_words(cloth.box.min), corner_words(cloth.box.max)),
                false};
    }
    return {what + ".", true};
}

ExpectationCheck spread_check(double least, std::span<const BodyExtent> cloths) {
    const std::string what = fmt::format("Every cloth spreads over {:.3g} m: ", least);
    if (cloths.empty()) return {what + kNoFrame, false};
    const auto diagonal = [](const BodyExtent& cloth) {
        return (cloth.box.max - cloth.box.min).norm();
    };
    const auto smallest = std::ranges::max_element(
        cloths, {}, [&](const BodyExtent& cloth) { return rank(-diagonal(cloth)); });
    const double found = diagonal(*smallest);
    return {what + fmt::format("'{}' has a diagonal of {:.3g} m.", smallest->name, found),
            found >= least};
}

}  // namespace

std::vector<ExpectationCheck> check_expectations(const Scene& scene, const RunCheck& run,
                                                 std::span<const BodyExtent> last_frame) {
    const ExpectSettings& expect = *scene.expect;
    std::vector<ExpectationCheck> checks = {outcome_check(expect.outcome, run)};
    if (expect.largest_strain) checks.push_back(strain_check(*expect.largest_strain, run));
    if (expect.rest_from) checks.push_back(rest_check(expect, scene.settings.frame_rate, run));
    if (expect.ends_in) checks.push_back(place_check(*expect.ends_in, last_frame));
    if (expect.least_spread) checks.push_back(spread_check(*expect.least_spread, last_frame));
    return checks;
}

}  // namespace toile
