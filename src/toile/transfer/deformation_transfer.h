// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/transfer/wanted_gradients.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace toile {

/// A target vertex that stays where it is, as a planted foot.
struct Anchor {
    int vertex = 0;
    std::optional<Vec3> position = {};  ///< metres; its place at rest where none is given
};

/// Whose axes the source's deformations are read in.
enum class Axes {
    /// The world's, unless the target stands turned by more than 30° against its source: then the
    /// deformation is turned with it. Models that only stand in other poses are not turned.
    Auto,
    World
};

struct TransferOptions {
    UnmatchedRule unmatched = UnmatchedRule::Auto;
    Axes axes = Axes::Auto;
    std::vector<Anchor> anchors = {};
};

/// What the meshes and pairs are like, for a report.
struct TransferFacts {
    std::vector<int> unmatched_triangles = {};   ///< of the target, ascending
    std::vector<int> degenerate_triangles = {};  ///< of the target: without area, or a vertex twice
    std::vector<int> loose_vertices = {};        ///< of the target: of no triangle with area
    int n_parts = 0;         ///< of the target, by vertices that triangles with area share
    double scale = 1;        ///< size of the target over that of the source
    double turn = 0;         ///< angle between both at rest, by the pairs; radians
    bool is_turned = false;  ///< whether deformations are turned by it
};

/// Poses of a target that copy the poses of a source [Sumner04; Botsch06, sec. 4]. Construct =
/// factor; a pose is a pass over the triangles and a back-substitution.
class DeformationTransfer {
  public:
    /// Memory for one pose at a time, for reuse.
    struct Workspace {
        WantedGradients::Workspace gradients;
        std::vector<Mat3> wanted;
        std::vector<Vec3> rows;
    };

    /// Throws InvalidInput where indices are out of range, coordinates are not finite, pairs are of
    /// other meshes, no triangle is matched, or an anchor is no vertex or given twice.
    DeformationTransfer(const TriangleMesh& source_rest, const TriangleMesh& target,
                        const TrianglePairs& pairs, const TransferOptions& options = {});
    ~DeformationTransfer();
    DeformationTransfer(DeformationTransfer&&) noexcept;
    DeformationTransfer& operator=(DeformationTransfer&&) noexcept;

    [[nodiscard]] int n_source_vertices() const;
    [[nodiscard]] int n_target_vertices() const;
    [[nodiscard]] const TransferFacts& facts() const;

    /// The target's positions for a pose of the source. The same bits on any number of threads, and
    /// of a pose whatever was computed before or beside it; several may run side by side, each with
    /// its workspace. Throws InvalidInput for a wrong number of vertices.
    void apply(std::span<const Vec3> source_pose, std::span<Vec3> out_positions,
               Workspace& workspace) const;
    [[nodiscard]] std::vector<Vec3> apply(std::span<const Vec3> source_pose) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Tells the log of a target's weak places: degenerate triangles, loose vertices, unmatched
/// triangles, a turn. `target_name` is for the message.
void warn_of(const TransferFacts& facts, const std::string& target_name);

}  // namespace toile
