// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/motion_tree.h"
#include "toile/contact/feature_owners.h"
#include "toile/core/parallel.h"

#include <algorithm>
#include <span>
#include <vector>

namespace toile {

/// Finds pairs of features whose boxes in motion meet: among free bodies, or of a free and a
/// prescribed one. Boxes that do not change from search to search cost nothing.
class FeatureSearch {
  public:
    enum class Among { Free, FreeAndPrescribed };

    explicit FeatureSearch(Among among) : among_(among) {}

    /// Forgets all boxes; `places` (n_vertices) choose the shapes of the trees. The same owners are
    /// to be given to the calls that follow.
    void set_features(const FeatureOwners& owners, std::span<const Vec3> places);

    /// Takes the boxes of those vertices that are marked, their radii aside, and marks what holds
    /// one of them.
    void update(const FeatureOwners& owners, std::span<const MotionBox> points,
                std::span<const char> marked);

    /// Calls `keep(key, Piece&)` in parallel for every pair with a marked vertex whose boxes meet,
    /// in no particular order. `inout_pieces` are cleared, and as many as were used are returned.
    template <class Piece, class Keep>
    size_t search(const FeatureOwners& owners, const Keep& keep, std::vector<Piece>& inout_pieces);

  private:
    struct Group {
        MotionTree tree;
        std::vector<MotionBox> boxes;  // of the owners
        std::vector<char> marks;
    };

    void update_group(std::span<const FeatureOwner> owners, Group& group);
    [[nodiscard]] const Group& others() const {
        return among_ == Among::Free ? free_ : prescribed_;
    }
    template <class Keep>
    void points(const FeatureOwners& all, const FeatureOwner& points, const FeatureOwner& triangle,
                const Keep& keep) const;
    template <class Keep>
    void edges(const FeatureOwners& all, const FeatureOwner& first, const FeatureOwner& second,
               const Keep& keep) const;

    Among among_;
    Group free_, prescribed_;
    std::vector<MotionBox> points_, vertex_boxes_, edge_boxes_, triangle_boxes_;
    std::vector<char> marked_vertices_, marked_edges_, marked_triangles_;
    std::vector<NodePair> work_;
};

template <class Keep>
void FeatureSearch::points(const FeatureOwners& all, const FeatureOwner& points,
                           const FeatureOwner& triangle, const Keep& keep) const {
    if (triangle.triangle < 0) return;
    const Triangle& t = all.triangles[triangle.triangle];
    for (int i = 0; i < points.n_vertices; ++i) {
        const int v = points.vertices[i];
        if (v == t[0] || v == t[1] || v == t[2]) continue;
        if (!marked_vertices_[v] && !marked_triangles_[triangle.triangle]) continue;
        if (!may_meet(vertex_boxes_[v], triangle_boxes_[triangle.triangle])) continue;
        keep(all.point_triangle_key(v, triangle.triangle));
    }
}

template <class Keep>
void FeatureSearch::edges(const FeatureOwners& all, const FeatureOwner& first,
                          const FeatureOwner& second, const Keep& keep) const {
    for (int i = 0; i < first.n_edges; ++i) {
        const int e = first.edges[i];
        const Edge& a = all.edges[e];
        for (int j = 0; j < second.n_edges; ++j) {
            const int f = second.edges[j];
            const Edge& b = all.edges[f];
            if (!marked_edges_[e] && !marked_edges_[f]) continue;
            if (!may_meet(edge_boxes_[e], edge_boxes_[f])) continue;
            if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
            keep(among_ == Among::Free
                     ? FeatureOwners::edge_edge_key(std::min(e, f), std::max(e, f))
                     : FeatureOwners::edge_edge_key(e, f));
        }
    }
}

template <class Piece, class Keep>
size_t FeatureSearch::search(const FeatureOwners& owners, const Keep& keep,
                             std::vector<Piece>& inout_pieces) {
    const std::span<const FeatureOwner> ones = owners.free;
    const std::span<const FeatureOwner> others_of =
        among_ == Among::Free ? owners.free : owners.prescribed;
    free_.tree.split_work(others().tree, work_);
    inout_pieces.resize(std::max(inout_pieces.size(), work_.size()));
    parallel_for(static_cast<int>(work_.size()), 1, [&](int first, int last) {
        for (int i = first; i < last; ++i) {
            Piece& piece = inout_pieces[i];
            piece.clear();
            const auto found = [&](PairKey key) { keep(key, piece); };
            free_.tree.visit(others().tree, work_[i], [&](int a, int b) {
                points(owners, ones[a], others_of[b], found);
                points(owners, others_of[b], ones[a], found);
                edges(owners, ones[a], others_of[b], found);
            });
        }
    });
    return work_.size();
}

}  // namespace toile
