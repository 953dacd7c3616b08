// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/scene/scene.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// Vertices of one cloth that are held or led along a path, all together as one rigid body, from a
/// time on and perhaps until another. Never changes; where its vertices were when it took hold is
/// for the caller to keep (`since`, anchors).
class PinGroup {
  public:
    /// Finds the vertices on the cloth's start positions. Throws InvalidInput, naming the cloth,
    /// where a vertex does not exist, a box holds none, or the path of a pin that holds from the
    /// start does not begin where the cloth is.
    PinGroup(const PinSetup& setup, const std::string& cloth, std::span<const Vec3> start);

    /// Ascending, each once.
    [[nodiscard]] std::span<const int> vertices() const { return vertices_; }
    /// Where they are at the start of the scene, m.
    [[nodiscard]] std::span<const Vec3> start_positions() const { return start_positions_; }
    [[nodiscard]] double start() const { return start_; }                    ///< s
    [[nodiscard]] const std::optional<double>& end() const { return end_; }  ///< s
    [[nodiscard]] bool holds_from_start() const { return start_ <= 0; }
    [[nodiscard]] const SourcePlace& source() const { return source_; }
    [[nodiscard]] bool stands_still() const;

    /// What the rotations of keyframes turn about, before any of them has moved it, of vertices
    /// that were at `anchors` at time `since`.
    [[nodiscard]] Vec3 pivot(double since, std::span<const Vec3> anchors) const;

    /// How vertices move from time `since` to `time` (s): x ↦ motion of x.
    struct Motion {
        RigidDisplacement from, to;
        Vec3 pivot;
        Vec3 way;  ///< of the velocities
        [[nodiscard]] Vec3 apply(const Vec3& anchor) const;
    };
    [[nodiscard]] Motion motion(double since, double time, const Vec3& pivot) const;

  private:
    std::vector<int> vertices_;
    std::vector<Vec3> start_positions_;
    double start_;
    std::optional<double> end_;
    std::optional<Vec3> pivot_;
    VelocityPath velocities_;
    KeyframePath path_;
    SourcePlace source_;
};

/// All pins of a cloth. Throws InvalidInput as PinGroup does, and where two groups hold one vertex
/// at one time.
std::vector<PinGroup> make_pins(const ClothSetup& setup, std::span<const Vec3> start);

}  // namespace toile
