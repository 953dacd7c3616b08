// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/transfer/pair_geometry.h"
#include "toile/transfer/poisson_system.h"

#include <span>
#include <vector>

namespace toile {

/// Where the parts of a target go: gradients do not see translation. The main part (of the largest
/// paired area) follows the mean of its source triangles, scaled to the target. Every other part
/// follows what it sits in, as eyes a head: the nearest larger part within 5 % of the diagonal,
/// else the main part as a whole. It keeps its offset from there, turned and scaled as that place
/// is, and adds what its own source moves against the place's source. Vertices of no triangle with
/// area follow likewise.
class Placement {
  public:
    /// `source_to_target`: scale times rotation. Nothing is kept of the meshes. Throws InvalidInput
    /// where no triangle with area has a pair.
    Placement(const PairGeometry& pairs, const TriangleMesh& source, const TriangleMesh& target,
              const PoissonSystem& system, const Mat3& source_to_target);

    /// The gradient of every triangle that is in a part without any known one becomes the rotation
    /// and size of the place that the part follows.
    void complete(std::span<const char> known_parts, std::span<Mat3> gradients) const;

    /// Moves parts that are not anchored, and loose vertices, to their place.
    void place(std::span<const Vec3> source_pose, std::span<const Mat3> gradients,
               std::span<Vec3> in_out_positions) const;

    /// Vertices of no triangle with area, ascending.
    [[nodiscard]] const std::vector<int>& loose_vertices() const { return loose_vertices_; }

  private:
    /// A place on the target: some triangles of one part.
    struct Patch {
        std::vector<int> triangles;
        std::vector<double> areas;
        PairedMeans means;
    };
    /// What moves as a whole: a part, or a loose vertex.
    struct Follower {
        int part = -1;    ///< -1: a loose vertex
        int vertex = -1;  ///< the loose vertex
        int patch = 0;    ///< that it follows
        PairedMeans own;
        Vec3 offset = Vec3::Zero();         ///< from the patch's mean at rest
        Vec3 source_offset = Vec3::Zero();  ///< the same of the sources, brought to the target
        bool uses_source = false;
    };

    struct Setting;
    void rank_parts(const Setting& setting);
    void follow_parts(const Setting& setting);
    void follow_vertices(const Setting& setting);
    [[nodiscard]] int add_patch(const Setting& setting, std::vector<int> triangles);
    void finish_follower(const Setting& setting, Follower& follower) const;
    [[nodiscard]] Mat3 similarity_of(const Patch& patch, std::span<const Mat3> gradients) const;
    void shift_part(int part, const Vec3& shift, std::span<Vec3> positions) const;

    Mat3 source_to_target_;
    std::vector<int> parts_by_rank_;  ///< the main part first, then by area
    std::vector<int> rank_of_part_;
    std::vector<char> anchored_;
    std::vector<int> first_vertex_, vertex_list_;      ///< of every part
    std::vector<int> first_triangle_, triangle_list_;  ///< of every part; with area
    std::vector<Patch> patches_;                       ///< the first is the whole main part
    std::vector<Follower> followers_;                  ///< in the order in which they move
    std::vector<int> loose_vertices_;
    Vec3 main_target_rest_ = Vec3::Zero();
    Vec3 main_source_rest_ = Vec3::Zero();
};

}  // namespace toile
