// SPDX-License-Identifier: Apache-2.0
#include "toile/sequence/frame_difference.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

void require_equal_vertices(const FrameSource& reference, const FrameSource& other) {
    if (reference.n_vertices() == other.n_vertices()) return;
    throw InvalidInput(fmt::format(
        "Only sequences with equal numbers of vertices can be compared; found {} and {}.",
        reference.n_vertices(), other.n_vertices()));
}

/// Counts what is left of the longer sequence, so that the message can name both numbers.
void require_equal_ends(FrameSource& reference, bool reference_goes_on, FrameSource& other,
                        bool other_goes_on, int n_compared) {
    if (!reference_goes_on && !other_goes_on) return;
    FrameSource& longer = reference_goes_on ? reference : other;
    std::vector<Vec3> positions = frame_buffer(longer);
    int n_longer = n_compared + 1;
    while (longer.next(positions)) ++n_longer;
    throw InvalidInput(fmt::format(
        "Only sequences with equal numbers of frames can be compared; found {} and {}.",
        reference_goes_on ? n_longer : n_compared, reference_goes_on ? n_compared : n_longer));
}

void summarize(FrameDifferences& out) {
    double sum = 0;
    double sum_of_squares = 0;
    for (size_t k = 0; k < out.frames.size(); ++k) {
        const VertexDifference& frame = out.frames[k];
        sum += frame.mean;
        sum_of_squares += frame.rms * frame.rms;
        if (frame.max > out.max || out.worst_frame < 0) {
            out.max = frame.max;
            out.worst_frame = static_cast<int>(k);
            out.worst_vertex = frame.worst_vertex;
        }
    }
    if (out.frames.empty()) return;
    const auto n = static_cast<double>(out.frames.size());
    out.mean = sum / n;
    out.rms = std::sqrt(sum_of_squares / n);
    out.diagonal = out.frames.front().diagonal;
}

}  // namespace

double FrameDifferences::percent(double distance) const {
    return percent_of(distance, diagonal);
}

FrameDifferences compare_frames(FrameSource& reference, FrameSource& other, Alignment kind) {
    require_equal_vertices(reference, other);
    std::vector<Vec3> a = frame_buffer(reference);
    std::vector<Vec3> b = frame_buffer(other);
    FrameDifferences result;
    bool a_goes_on = reference.next(a);
    bool b_goes_on = other.next(b);
    while (a_goes_on && b_goes_on) {
        result.frames.push_back(vertex_difference(a, b, kind));
        a_goes_on = reference.next(a);
        b_goes_on = other.next(b);
    }
    require_equal_ends(reference, a_goes_on, other, b_goes_on,
                       static_cast<int>(result.frames.size()));
    summarize(result);
    return result;
}

}  // namespace toile
