// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/feature_search.h"

#include <functional>
#include <span>
#include <vector>

namespace toile {

/// What a motion may do, as NearList sees it; arrays are of all vertices.
struct NearMotion {
    std::span<const Vec3> places;   ///< m, at the start
    std::span<const Aabb> ways;     ///< m, displacements
    std::span<const double> radii;  ///< m; a pair counts within the sum of its sides' largest ones
};

/// Keeps a superset of all pairs of features that may come near from step to step, so that slow
/// steps look nothing up. Every slow vertex has an anchor, and promises to stay within the budget
/// round it; the list holds the pairs whose distance, with all vertices at their anchors, is no
/// more than both budgets and radii can close. While promises are kept the list holds, whenever
/// each anchor was cast. A vertex about to break its promise is anchored anew and its pairs alone
/// are looked up; one too fast for any promise is looked up in every step by its motion.
///
/// What is kept makes `pairs` a larger or a smaller superset and never lacks a pair: filter it by
/// a test that knows the present motion alone.
class NearList {
  public:
    /// Among free bodies all is measured in the frame of their mean motion.
    explicit NearList(FeatureSearch::Among among) : among_(among), search_(among) {}

    /// Forgets everything. `budget`, m: how far from its anchor a vertex may go.
    void reset(const FeatureOwners& owners, double budget);

    /// Whether a pair counts now, by the test of the caller.
    using ComesNear = std::function<bool(const ContactStencil&)>;

    /// The pairs of a new step. The owners are those of `reset`.
    void begin(const FeatureOwners& owners, const NearMotion& motion, const ComesNear& comes_near);
    /// The same step with wider ways of the vertices that are marked.
    void widen(const FeatureOwners& owners, const NearMotion& motion, std::span<const char> widened,
               const ComesNear& comes_near);

    /// Sorted.
    [[nodiscard]] std::span<const PairKey> pairs() const { return pairs_; }

  private:
    enum class Pace : char { Unknown, Slow, Fast };
    /// Of slow vertices alone.
    struct LastingPair {
        PairKey key;
        std::array<int, 4> vertices;
        int second_side;
        float distance;  ///< m, of the features at their anchors, rounded down
        bool operator<(const LastingPair& other) const { return key < other.key; }
    };
    struct Piece {
        std::vector<LastingPair> lasting;
        std::vector<PairKey> passing;
        void clear() {
            lasting.clear();
            passing.clear();
        }
    };

    void set_frame(const NearMotion& motion);
    [[nodiscard]] bool all_apart(const NearMotion& motion) const;
    void shape_trees(const FeatureOwners& owners, const NearMotion& motion);
    void forget_anchors();
    void measure_need(const NearMotion& motion, size_t vertex);
    [[nodiscard]] bool keeps_promise(const NearMotion& motion, size_t vertex) const;
    void set_pace(const NearMotion& motion, size_t vertex);
    void refresh(const FeatureOwners& owners, const NearMotion& motion,
                 const ComesNear& comes_near);
    void look_up(const FeatureOwners& owners, const ComesNear& comes_near);
    template <class Key>
    void join(size_t n_pieces, std::vector<Key> Piece::*part, std::vector<Key>& inout_keys) const;
    void list_pairs();
    [[nodiscard]] bool all_slow(const ContactStencil& stencil) const;
    void set_point(const NearMotion& motion, size_t vertex);
    [[nodiscard]] bool lasts(const ContactStencil& stencil, LastingPair& out_pair) const;
    void drop_marked(const FeatureOwners& owners);
    [[nodiscard]] bool takes_part(size_t vertex) const {
        return among_ == FeatureSearch::Among::FreeAndPrescribed || !prescribed_[vertex];
    }

    FeatureSearch::Among among_;
    FeatureSearch search_;
    std::vector<char> prescribed_;  // of vertices
    double budget_ = 0;
    int refreshes_ = 0;                 // since the trees were shaped
    Vec3 frame_ = Vec3::Zero();         // m, origin of the places
    Vec3 frame_way_ = Vec3::Zero();     // m, its displacement in this step
    std::vector<Vec3> anchors_;         // m, in the frame
    std::vector<double> anchor_radii_;  // m
    std::vector<Pace> paces_;
    std::vector<char> marked_;  // vertices to be looked up
    std::vector<MotionBox> points_;
    std::vector<Piece> pieces_;
    std::vector<double> needs_;  // m, of what the promises hold of a slow vertex in this step
    std::vector<LastingPair> lasting_;  // sorted
    std::vector<PairKey> passing_;      // with a fast vertex, of this step, sorted
    std::vector<PairKey> pairs_;
};

}  // namespace toile
