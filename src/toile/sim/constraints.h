// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/scene/scene.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// Vertices of one cloth that are held or led along a path, all together as one rigid body. Never
/// changes.
class PinGroup {
  public:
    /// Finds the vertices on the cloth's start positions. Throws InvalidInput, naming the cloth,
    /// where a vertex does not exist, a box holds none, or the path does not begin where the cloth
    /// is.
    PinGroup(const PinSetup& setup, const std::string& cloth, std::span<const Vec3> start);

    /// Ascending, each once.
    [[nodiscard]] std::span<const int> vertices() const { return vertices_; }
    [[nodiscard]] bool stands_still() const;

    /// Writes where the pinned vertices must be at `time` (s) into the cloth's positions.
    void place(double time, std::span<Vec3> out_positions) const;

  private:
    [[nodiscard]] Vec3 position(size_t i, const RigidDisplacement& displacement, double time) const;

    std::vector<int> vertices_;
    std::vector<Vec3> start_;
    Vec3 pivot_;
    Vec3 velocity_;
    KeyframePath path_;
};

/// All pins of a cloth. Throws InvalidInput as PinGroup does, and where two groups hold one vertex.
std::vector<PinGroup> make_pins(const ClothSetup& setup, std::span<const Vec3> start);

}  // namespace toile
