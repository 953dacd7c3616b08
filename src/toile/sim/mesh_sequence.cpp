// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/mesh_sequence.h"

#include "toile/core/error.h"
#include "toile/io/sequence_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

/// A time this near to a frame, in frames, is that frame: 3 / 25 s times 25 /s is not exactly 3.
constexpr double kSnap = 1e-9;

std::vector<std::vector<Vec3>> all_frames(FrameSource& source, const Transform& placement) {
    std::vector<std::vector<Vec3>> frames;
    std::vector<Vec3> frame = frame_buffer(source);
    while (source.next(frame)) {
        transform_points(placement, frame);
        frames.push_back(frame);
    }
    return frames;
}

AnimatedMesh read(const BodySetup& body, const FramesSetup& setup) {
    SequenceOpenOptions options;
    if (!body.mesh.empty()) options.mesh = body.mesh;
    OpenedSequence opened = open_sequence(setup.path.string(), options);
    if (!opened.mesh) {
        throw InvalidInput(
            fmt::format("{} has frames, but no mesh that they move; name it as "
                        "'mesh'.",
                        setup.path.string()));
    }
    MeshSequence sequence(all_frames(*opened.frames, placement(body)), setup);
    TriangleMesh mesh = std::move(*opened.mesh);
    if (sequence.n_vertices() != mesh.n_vertices()) {
        throw InvalidInput(fmt::format("{} moves {} vertices; its mesh has {}.",
                                       setup.path.string(), sequence.n_vertices(),
                                       mesh.n_vertices()));
    }
    sequence.place(0, mesh.positions);
    return {std::move(mesh), std::move(sequence)};
}

}  // namespace

MeshSequence::MeshSequence(std::vector<std::vector<Vec3>> frames, const FramesSetup& setup)
    : frames_(std::move(frames)),
      rate_(setup.rate),
      start_(setup.start),
      is_smooth_(setup.interpolation == "smooth") {
    if (frames_.empty()) throw InvalidInput("A sequence of no frames gives a body no shape.");
    for (size_t f = 0; f < frames_.size(); ++f) {
        if (frames_[f].size() == frames_[0].size()) continue;
        throw InvalidInput(fmt::format("Frame {} of a sequence has {} vertices; the first has {}.",
                                       f, frames_[f].size(), frames_[0].size()));
    }
}

/// Per frame.
Vec3 MeshSequence::slope(size_t frame, size_t vertex) const {
    if (frame == 0 || frame + 1 == frames_.size()) return Vec3::Zero();
    return 0.5 * (frames_[frame + 1][vertex] - frames_[frame - 1][vertex]);
}

void MeshSequence::place(double time, std::span<Vec3> out_positions) const {
    const double last = static_cast<double>(frames_.size() - 1);
    const double at = std::clamp((time - start_) * rate_, 0.0, last);
    const double nearest = std::round(at);
    if (std::abs(at - nearest) <= kSnap * std::max(1.0, nearest)) {
        std::ranges::copy(frames_[static_cast<size_t>(nearest)], out_positions.begin());
        return;
    }
    const auto f = static_cast<size_t>(at);
    const double s = at - std::floor(at);
    const double end = is_smooth_ ? s * s * (3 - 2 * s) : s;
    const double slope_start = s * (1 - s) * (1 - s);
    const double slope_end = s * s * (s - 1);
    for (size_t v = 0; v < out_positions.size(); ++v) {
        const Vec3& a = frames_[f][v];
        out_positions[v] = a + end * (frames_[f + 1][v] - a);
        if (is_smooth_) out_positions[v] += slope_start * slope(f, v) + slope_end * slope(f + 1, v);
    }
}

AnimatedMesh read_animated_mesh(const BodySetup& body, const FramesSetup& frames) {
    try {
        return read(body, frames);
    } catch (const InvalidInput& e) {
        throw InvalidInput(fmt::format("Body '{}': {}", body.name, e.what()));
    } catch (const IoError& e) {
        throw IoError(fmt::format("Body '{}': {}", body.name, e.what()));
    }
}

}  // namespace toile
