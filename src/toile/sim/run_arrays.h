// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/pc2.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/sim/bodies.h"
#include "toile/sim/surface_gaps.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// One body of a run at one frame, with what can be computed from its positions.
struct BodyArrays {
    std::string name;
    bool obstacle = false;
    TriangleMesh mesh;            ///< at rest; its triangles are those of every frame
    std::vector<Vec3> positions;  ///< m
    /// m/s, for every vertex: how far it went since the frame before, times the frame rate. Frame 0
    /// has the speeds of frame 1.
    std::vector<double> speed;
    /// m, for every vertex, as SurfaceGaps computes it.
    std::vector<double> gap;
    /// For every triangle, largest principal stretch less 1 (cloth/strain.h); 0 for obstacles.
    std::vector<double> strain;
};

/// Plays a run folder frame by frame and computes arrays for pictures. Holds two frames.
class RunArrays {
  public:
    /// Throws IoError or InvalidInput where files are missing or do not fit each other.
    explicit RunArrays(const std::filesystem::path& folder);

    [[nodiscard]] int n_frames() const { return n_frames_; }
    [[nodiscard]] double frame_rate() const { return frame_rate_; }
    /// Cloths, then obstacles, in the order of the scene; at the frame read last.
    [[nodiscard]] std::span<const BodyArrays> bodies() const { return bodies_; }
    /// Goes to the next frame; false after the last.
    bool next();

  private:
    void add_body(const std::filesystem::path& folder, const BodySetup& setup, bool obstacle);
    void read_frame(size_t body);

    std::vector<Cloth> cloths_;
    std::vector<BodyArrays> bodies_;
    std::vector<Pc2Source> sources_;
    std::optional<SurfaceGaps> gaps_;
    std::vector<Vec3> other_;  ///< positions of the frame that speeds compare with
    double frame_rate_ = 0;
    int n_frames_ = 0;
    int next_ = 0;
};

}  // namespace toile
