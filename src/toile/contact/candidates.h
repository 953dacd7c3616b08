// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh.h"
#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <span>
#include <vector>

namespace toile {

/// How far candidates look. All lengths in metres.
struct CandidateReach {
    /// Pairs that come nearer than this are found, whatever their thickness.
    double gap = 0;
    /// Also those that come nearer than the thickness they keep.
    bool within_thickness = true;
    /// Part of its body's thickness by which an end may leave the box of its motion before the
    /// candidates must be looked up again.
    double tube_margin = 0;
};

/// Broad phase over the whole straight motion of a step: every pair of a vertex and a triangle, and
/// of two edges, whose sides come within reach at one common time is among the candidates; each
/// once. Left out are pairs that share a vertex and pairs of two prescribed bodies.
///
/// Every vertex gets a tube: the box of its start, its end and the margin. While all ends stay in
/// their tubes, the candidates hold. Pairs of two free bodies are looked up in the frame that moves
/// with the mean of the free vertices, where falling cloth stands still: boxes of relative motion
/// prove as much as boxes of absolute motion, and are smaller.
class CandidateFinder {
  public:
    /// Replaces `out` by the candidates of a motion, in an order that depends on nothing else.
    void find(const ContactSurface& surface, std::span<const Vec3> start, std::span<const Vec3> end,
              const CandidateReach& reach, std::vector<ContactStencil>& out);

    /// Whether the candidates found last also hold for a motion to `end`.
    [[nodiscard]] bool covers(std::span<const Vec3> end) const;

    /// Widens the tubes to hold `end` too and finds again, from the same start.
    void widen(const ContactSurface& surface, std::span<const Vec3> end,
               std::vector<ContactStencil>& out);

    /// Upper bound of how much nearer the sides of a candidate can come than at the start, m, by
    /// any motion inside the tubes.
    [[nodiscard]] double largest_approach(const ContactSurface& surface,
                                          const ContactStencil& stencil) const;

  private:
    struct Elements {
        std::vector<int> vertices, edges, triangles;
    };
    struct Trees {
        Bvh vertices, edges, triangles;
    };

    void sort_out_elements(const ContactSurface& surface);
    void set_tubes(const ContactSurface& surface, std::span<const Vec3> start,
                   std::span<const Vec3> end);
    void measure_excursions();
    void collect(const ContactSurface& surface, std::vector<ContactStencil>& out);
    void update_prescribed_trees(const ContactSurface& surface);
    void update_trees(const ContactSurface& surface, const Elements& elements,
                      std::span<const Aabb> tubes, Trees& trees);
    void add_point_triangles(const ContactSurface& surface, std::span<const int> vertices,
                             std::span<const int> triangles, std::vector<ContactStencil>& out);
    void add_edge_edges(const ContactSurface& surface, std::span<const int> first,
                        std::span<const int> second, std::vector<ContactStencil>& out);
    [[nodiscard]] double radius(const ContactBody& body) const;

    CandidateReach reach_;
    Vec3 drift_ = Vec3::Zero();   // mean displacement of the free vertices over the step
    Elements free_, prescribed_;  // by body
    std::vector<Vec3> start_;
    std::vector<Aabb> tubes_;        // of all vertices
    std::vector<Aabb> drifting_;     // the same in the frame of the drift; of free vertices only
    std::vector<double> excursion_;  // m, farthest point of a tube from the start
    std::vector<double> drifting_excursion_;  // the same in the frame of the drift
    Trees free_trees_, drifting_trees_, prescribed_trees_;
    std::vector<Aabb> prescribed_tubes_;  // that the trees were last made for
    double prescribed_gap_ = -1;          // the same
    int uses_ = 0;
    std::vector<Aabb> boxes_;
    std::vector<ElementPair> pairs_;
};

}  // namespace toile
