// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace toile {
namespace {

double largest_finite_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (size_t v = 0; v < a.size(); ++v) {
        const double distance = (a[v] - b[v]).norm();
        if (std::isfinite(distance)) largest = std::max(largest, distance);
    }
    return largest;
}

void add_frame(std::span<const Vec3> previous, std::span<const Vec3> positions, FrameSummary& out) {
    const int frame = out.n_frames++;
    const BoundingBox box = bounding_box(positions);
    out.box.min = out.box.min.cwiseMin(box.min);
    out.box.max = out.box.max.cwiseMax(box.max);
    const auto is_finite = [](const Vec3& p) { return p.allFinite(); };
    if (!std::all_of(positions.begin(), positions.end(), is_finite)) {
        out.non_finite_frames.push_back(frame);
    }
    if (frame == 0) return;
    const double step = largest_finite_distance(previous, positions);
    if (step <= out.largest_step) return;
    out.largest_step = step;
    out.largest_step_frame = frame;
}

}  // namespace

std::optional<double> FrameSummary::duration() const {
    if (!frame_rate || n_frames == 0) return std::nullopt;
    return (n_frames - 1) / *frame_rate;
}

FrameSummary summarize_frames(FrameSource& frames) {
    FrameSummary result;
    result.n_vertices = frames.n_vertices();
    result.frame_rate = frames.frame_rate();
    std::vector<Vec3> positions = frame_buffer(frames);
    std::vector<Vec3> previous(positions.size());
    while (frames.next(positions)) {
        add_frame(previous, positions, result);
        std::swap(previous, positions);
    }
    return result;
}

}  // namespace toile
