// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/bvh.h"
#include "toile/contact/contact_stencil.h"
#include "toile/contact/contact_surface.h"

#include <span>
#include <vector>

namespace toile {

/// How far candidates look.
struct CandidateReach {
    /// Pairs that come nearer than this many of their rounding gaps (separation.h) are found,
    /// whatever their thickness.
    double rounding_gaps = 0;
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
    /// Sets tubes and trees up for a motion. The surface must outlive the calls that follow.
    void begin(const ContactSurface& surface, std::span<const Vec3> start,
               std::span<const Vec3> end, const CandidateReach& reach);

    /// Appends to `out` what `filter(stencil, std::vector<T>& piece)` puts into its pieces for
    /// every candidate, in parallel. The order may differ from run to run of the program's history:
    /// sort what comes out.
    template <class T, class Filter>
    void collect(const Filter& filter, std::vector<T>& out) const;

    /// Whether all candidates of a motion to `end` are among those of the tubes.
    [[nodiscard]] bool covers(std::span<const Vec3> end) const;

    /// Widens the tubes to hold `end` too. `escaped(v)` tells then whose tube has grown.
    void widen(std::span<const Vec3> end);
    [[nodiscard]] bool escaped(const ContactStencil& stencil) const;
    /// `collect` for the candidates with an escaped vertex only.
    template <class T, class Filter>
    void collect_escaped(const Filter& filter, std::vector<T>& out) const;

    /// Rounding gap of a pair over all motions inside the tubes, m: that of no motion is larger. It
    /// depends on the tubes of the pair's vertices alone.
    [[nodiscard]] double largest_rounding_gap(const ContactStencil& stencil) const;
    /// Upper bound of how much nearer the sides of a candidate can come than at the start, m, by
    /// any motion inside the tubes.
    [[nodiscard]] double largest_approach(const ContactStencil& stencil) const;

  private:
    /// Vertices, edges and triangles, and trees over their tubes.
    struct Group {
        std::vector<int> vertices, edges, triangles;
        Bvh vertex_tree, edge_tree, triangle_tree;
    };

    void sort_out_elements();
    void sort_out_escaped();
    void set_tubes(std::span<const Vec3> end);
    void measure_tubes();
    void update_trees(std::span<const Aabb> tubes, Group& group);
    void update_prescribed_trees();
    [[nodiscard]] double radius(int vertex) const;
    [[nodiscard]] bool both_free(const ContactStencil& stencil) const;

    template <class T, class Filter>
    void point_triangles(const Group& points, const Group& triangles, const Filter& filter,
                         std::vector<T>& out) const;
    template <class T, class Filter>
    void edge_edges(const Group& first, const Group& second, const Filter& filter,
                    std::vector<T>& out) const;

    const ContactSurface* surface_ = nullptr;
    CandidateReach reach_;
    std::vector<Vec3> start_;
    Vec3 drift_ = Vec3::Zero();      // mean displacement of the free vertices over the step
    std::vector<Aabb> tubes_;        // of all vertices
    std::vector<Aabb> drifting_;     // the same in the frame of the drift; read of free ones only
    std::vector<double> rounding_;   // m, rounding gap of the farthest corner of a tube
    std::vector<double> excursion_;  // m, farthest point of a tube from the start
    std::vector<double> drifting_excursion_;      // the same in the frame of the drift
    std::vector<char> escaped_;                   // vertices whose tubes grew last
    Group free_, drifting_free_, prescribed_;     // by body
    Group escaped_free_, drifting_escaped_;       // free elements with an escaped vertex
    std::vector<Aabb> prescribed_boxes_;          // of vertices, that the trees were last made for
    std::vector<Triangle> prescribed_triangles_;  // the same
    int uses_ = 0;
    std::vector<Aabb> boxes_;
    std::vector<Triangle> triangles_;
};

template <class T, class Filter>
void CandidateFinder::point_triangles(const Group& points, const Group& triangles,
                                      const Filter& filter, std::vector<T>& out) const {
    const auto keep = [&](int i, int j, std::vector<T>& piece) {
        const int p = points.vertices[i];
        const Triangle& t = surface_->triangles[triangles.triangles[j]];
        if (p == t[0] || p == t[1] || p == t[2]) return;
        filter(ContactStencil{StencilKind::PointTriangle, {p, t[0], t[1], t[2]}}, piece);
    };
    points.vertex_tree.collect_pairs(triangles.triangle_tree, keep, out);
}

template <class T, class Filter>
void CandidateFinder::edge_edges(const Group& first, const Group& second, const Filter& filter,
                                 std::vector<T>& out) const {
    const auto keep = [&](int i, int j, std::vector<T>& piece) {
        const Edge& a = surface_->edges[first.edges[i]];
        const Edge& b = surface_->edges[second.edges[j]];
        if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return;
        filter(ContactStencil{StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}}, piece);
    };
    if (&first == &second) {
        first.edge_tree.collect_self_pairs(keep, out);
    } else {
        first.edge_tree.collect_pairs(second.edge_tree, keep, out);
    }
}

template <class T, class Filter>
void CandidateFinder::collect(const Filter& filter, std::vector<T>& out) const {
    point_triangles(drifting_free_, drifting_free_, filter, out);
    edge_edges(drifting_free_, drifting_free_, filter, out);
    if (prescribed_.vertices.empty()) return;
    point_triangles(free_, prescribed_, filter, out);
    point_triangles(prescribed_, free_, filter, out);
    edge_edges(free_, prescribed_, filter, out);
}

template <class T, class Filter>
void CandidateFinder::collect_escaped(const Filter& filter, std::vector<T>& out) const {
    // A pair of two escaped sides is met from both; it counts where it is met in order.
    const auto other_side = [&](const ContactStencil& s, std::vector<T>& piece) {
        if (!escaped_[s.vertices[0]]) filter(s, piece);
    };
    const auto any_order = [&](const ContactStencil& s, std::vector<T>& piece) {
        const auto& v = s.vertices;
        const Edge a{v[0], v[1]}, b{v[2], v[3]};
        if (a < b) {
            filter(s, piece);
        } else if (!escaped_[b[0]] && !escaped_[b[1]]) {
            filter(ContactStencil{s.kind, {b[0], b[1], a[0], a[1]}}, piece);
        }
    };
    point_triangles(drifting_escaped_, drifting_free_, filter, out);
    point_triangles(drifting_free_, drifting_escaped_, other_side, out);
    edge_edges(drifting_escaped_, drifting_free_, any_order, out);
    if (prescribed_.vertices.empty()) return;
    point_triangles(escaped_free_, prescribed_, filter, out);
    point_triangles(prescribed_, escaped_free_, filter, out);
    edge_edges(escaped_free_, prescribed_, filter, out);
}

}  // namespace toile
