// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/transform.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/scene/scene.h"

#include <span>
#include <vector>

namespace toile {

/// The frames of an animated body, all in memory: a world may be asked for any time, and for
/// earlier ones again. Never changes.
class MeshSequence {
  public:
    /// `frames`: one or more, each of the same number of vertices. Throws InvalidInput otherwise.
    MeshSequence(std::vector<std::vector<Vec3>> frames, const FramesSetup& setup);

    [[nodiscard]] int n_frames() const { return static_cast<int>(frames_.size()); }
    [[nodiscard]] int n_vertices() const { return static_cast<int>(frames_.front().size()); }
    [[nodiscard]] std::span<const std::vector<Vec3>> frames() const { return frames_; }

    /// Writes the shape at `time` (s). At the time of a frame it is that frame, bit for bit.
    /// Between two it is linear, or the cubic whose velocity at a frame is the mean one from the
    /// frame before to the frame after [Catmull74], zero at the first and the last. Before the
    /// first and after the last all stands still.
    void place(double time, std::span<Vec3> out_positions) const;

  private:
    [[nodiscard]] Vec3 slope(size_t frame, size_t vertex) const;

    std::vector<std::vector<Vec3>> frames_;
    double rate_;
    double start_;
    bool is_smooth_;
};

/// A sequence and the surface that it moves, whose positions are those at time 0.
struct AnimatedMesh {
    TriangleMesh mesh;
    MeshSequence sequence;
};

/// Reads the frames, with the connectivity of the setup's mesh where it names one, and puts each in
/// its place. Throws IoError or InvalidInput, naming the body, where there is no such sequence, it
/// has no frame or no triangle, or another number of vertices than the mesh.
AnimatedMesh read_animated_mesh(const BodySetup& body, const FramesSetup& frames);

}  // namespace toile
