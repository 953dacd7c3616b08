// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/message.h"
#include "toile/cloth/cloth.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/sequence/vertex_field.h"
#include "toile/sim/surface_gaps.h"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace toile::studio {

/// A body as fields are computed on it.
struct FieldBody {
    std::shared_ptr<const TriangleMesh> mesh;
    std::shared_ptr<const Cloth> cloth;  ///< null for what is no cloth
    bool obstacle = false;
};

/// Bodies at one moment; of each, in their order. Views.
struct FieldFrame {
    std::vector<std::span<const Vec3>> positions;
    std::vector<std::span<const Vec3>> start;       ///< positions that displacements count from
    std::vector<std::span<const Vec3>> velocities;  ///< m/s
};

/// Computes what surfaces are coloured by, by calls of the library. One computation at a time; from
/// any thread.
class FrameFields {
  public:
    /// `is_scene`: the bodies keep apart, and only cloths are strained.
    FrameFields(std::vector<FieldBody> bodies, bool is_scene);

    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] size_t n_bodies() const { return bodies_.size(); }
    [[nodiscard]] const FieldBody& body(size_t index) const { return bodies_[index]; }

    /// `{name: {"values", "unit", "minimum", "maximum"}}` of one body, with the arrays added to the
    /// message; a field that the body does not have is left out. Throws UsageError, with the
    /// nearest name, for one that there is not.
    [[nodiscard]] Json add(const std::vector<std::string>& names, size_t body,
                           const FieldFrame& frame, BinaryMessage& message) const;

  private:
    [[nodiscard]] std::optional<VertexField> values(const std::string& name, size_t body,
                                                    const FieldFrame& frame) const;
    [[nodiscard]] VertexField gaps_of(size_t body, const FieldFrame& frame) const;
    [[nodiscard]] VertexField strains_of(size_t body, std::span<const Vec3> positions) const;
    void require_known(const std::string& name) const;

    std::vector<FieldBody> bodies_;
    bool is_scene_;
    mutable std::mutex mutex_;  // of all below
    // Made when they are first asked for.
    mutable std::unique_ptr<SurfaceGaps> gaps_;
    mutable std::vector<std::unique_ptr<StrainField>> strains_;
};

}  // namespace toile::studio
