// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/deformation/gradient.h"
#include "toile/edit/carried_edit.h"
#include "toile/edit/loose_parts.h"
#include "toile/edit/offset_system.h"
#include "toile/edit/triangle_frame.h"

#include <span>
#include <vector>

namespace toile::detail {

/// All that stays the same while frames change. Arrays over triangles and vertices are over those
/// of the region.
struct EditSetup {
    EditSetup(std::vector<Triangle> triangles, std::vector<Vec3> original, CarryOptions options,
              std::span<const int> moved);
    EditSetup(const EditSetup&) = delete;  // `system` refers to its neighbours
    EditSetup& operator=(const EditSetup&) = delete;

    /// Takes the positions after the edit; those of vertices that are not moved are not looked at.
    void set_edited(std::span<const Vec3> after, std::span<const int> moved_now);

    CarryOptions options;
    std::vector<Triangle> all_triangles;
    std::vector<Vec3> original;  ///< whole mesh
    std::vector<Vec3> edited;    ///< whole mesh, unmoved vertices as in `original`
    EditRegion region;
    std::vector<Vec3> positions;  ///< of the region in the edited frame, before the edit
    std::vector<TriangleHats> hats;
    std::vector<Mat3> inverse_frames;  ///< V_s^-1; zero for a triangle without area
    std::vector<Mat3> inverse_rest;    ///< V_rest^-1, for rules with a rest pose
    std::vector<Edges> rest_edges;
    OffsetSystem system;

    std::vector<int> moved;      ///< vertices of the mesh
    std::vector<char> is_moved;  ///< of the region
    std::vector<char> changes;   ///< triangle has a moved vertex
    std::vector<LoosePart> loose;
    RealisedEdit full;
    long long version = 0;  ///< counts set_edited, for caches
};

/// Gradient of a field with these values at the corners: sum of value hatᵀ.
Mat3 gradient_of(const TriangleHats& hats, const Triangle& corners, std::span<const Vec3> values);

/// The same from its differences along the two edges.
inline Mat3 gradient_of(const TriangleHats& hats, const Edges& differences) {
    return differences.col(0) * hats.hats[1].transpose() +
           differences.col(1) * hats.hats[2].transpose();
}

/// Of every triangle that the edit changes, zero for the others.
std::vector<Mat3> gradients_of(const EditSetup& setup, std::span<const Vec3> offsets);

/// The edit at any strength, as realise_edit makes it: each triangle's E = R U grows as
/// exp(t log R) (I + t (U - I)), and one solve joins them.
RealisedEdit realise_edit(const EditSetup& setup, const OffsetSystem& weakly_pulled,
                          double strength);

/// In radii: so far that nothing but the mean offset of loose parts depends on the pull.
inline constexpr double kWeakPullLength = 100;

}  // namespace toile::detail
