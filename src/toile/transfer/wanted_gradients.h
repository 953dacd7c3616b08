// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <vector>

namespace toile {

/// What moves a target triangle that no source triangle is paired with.
enum class UnmatchedRule {
    /// A hole (up to 1 % of the target's area) as Surroundings; a larger region turns and grows as
    /// far as all that is matched agrees to do.
    Auto,
    Identity,     ///< nothing: it keeps its shape and direction, as in the thesis
    Surroundings  ///< it turns as the matched triangles round it, and grows as the whole source
};

/// The gradient that each target triangle should have: the mean of its source triangles' [Sumner04,
/// sec. 5]. Source triangles without area say nothing; thin ones are left out of a mean that has
/// others.
class WantedGradients {
  public:
    struct Workspace {
        std::vector<Mat3> source;   ///< gradient of every source triangle
        std::vector<double> sizes;  ///< of the matched gradients
    };

    WantedGradients(const TriangleMesh& source_rest, const TriangleMesh& target,
                    const TrianglePairs& pairs, UnmatchedRule rule);

    /// Rotates what the source does: S becomes Q S Qᵀ.
    void set_turn(const Mat3& q) {
        turn_ = q;
        turns_ = q != Mat3::Identity();
    }

    /// Target triangles without a usable source triangle, ascending.
    [[nodiscard]] const std::vector<int>& unmatched() const { return unmatched_; }
    /// Whether the triangle has a gradient: it is matched, or got one from its surroundings. Only
    /// parts of the mesh where nothing is matched have none (the identity).
    [[nodiscard]] bool is_known(int triangle) const {
        return known_[static_cast<size_t>(triangle)] != 0;
    }

    /// `out_gradients`: one for every target triangle.
    void compute(std::span<const Vec3> source_pose, std::span<Mat3> out_gradients,
                 Workspace& workspace) const;

  private:
    void choose_sources(const TrianglePairs& pairs, std::span<const char> source_quality);
    void plan_surroundings(const TriangleMesh& target);
    void plan_regions(const TriangleMesh& target);
    [[nodiscard]] Mat3 mean_of_sources(int target_triangle, std::span<const Mat3> source) const;
    void fill_from_surroundings(std::span<Mat3> gradients, Workspace& workspace) const;
    [[nodiscard]] Mat3 common_motion(std::span<const Mat3> gradients, double size) const;
    [[nodiscard]] double common_size(std::span<const Mat3> gradients,
                                     std::vector<double>& sizes) const;

    std::vector<Triangle> source_triangles_;
    std::vector<Vec3> source_rest_;
    Mat3 turn_ = Mat3::Identity();
    bool turns_ = false;
    std::vector<int> first_source_ = {0};  ///< as TrianglePairs, of usable triangles
    std::vector<int> source_list_;
    std::vector<int> unmatched_;
    std::vector<char> known_;
    /// Unmatched triangles in the order of their distance from matched ones, and for each those
    /// round it that come before.
    std::vector<int> fill_order_;
    std::vector<int> first_giver_ = {0};
    std::vector<int> giver_list_;
    /// Of every triangle in that order, whether it moves as the whole; empty: none does.
    std::vector<char> moves_as_whole_;
    std::vector<double> areas_;  ///< m², of target triangles; empty where none moves as the whole
};

}  // namespace toile
