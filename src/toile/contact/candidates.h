// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/contact/near_list.h"

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
    /// Part of its body's thickness, less where it moves little, by which the displacement of a
    /// vertex may differ from that of its motion before the candidates must be looked up again.
    double way_margin = 0;
};

/// Broad phase over the whole straight motion of a step: every pair of a vertex and a triangle, and
/// of two edges, whose sides come within reach at one common time is among the candidates; each
/// once. Left out are pairs that share a vertex and pairs of two prescribed bodies.
///
/// Every vertex gets a box of ways: displacements round its own. While all ends stay in their
/// boxes, the candidates hold. Pairs are compared in each other's frame: what moves alike is as far
/// apart as at rest. A pair is a candidate if its boxes in motion meet and if its gap at the start
/// is no more than what its ways can close: this depends on start, ways and reach alone, not on
/// what was looked up before.
class CandidateFinder {
  public:
    /// Looks the candidates of a motion up. The surface must outlive the calls that follow.
    void begin(const ContactSurface& surface, std::span<const Vec3> start,
               std::span<const Vec3> end, const CandidateReach& reach);

    /// Appends to `out` what `filter(stencil, gap at the start, std::vector<T>& piece)` puts into
    /// its pieces for every candidate, in parallel, in the order of the stencils.
    template <class T, class Filter>
    void collect(const Filter& filter, std::vector<T>& out) const;

    /// Whether all candidates of a motion to `end` are among those of the ways.
    [[nodiscard]] bool covers(std::span<const Vec3> end) const;

    /// Widens the ways to hold `end` too, and looks up what that adds. `escaped(v)` tells then
    /// whose ways have grown.
    void widen(std::span<const Vec3> end);
    [[nodiscard]] bool escaped(const ContactStencil& stencil) const;
    /// `collect` for the candidates with an escaped vertex only.
    template <class T, class Filter>
    void collect_escaped(const Filter& filter, std::vector<T>& out) const;

    /// Rounding gap of a pair over all motions to the ends so far and their margins, m. It depends
    /// on these of the pair's vertices alone.
    [[nodiscard]] double largest_rounding_gap(const ContactStencil& stencil) const;
    /// Upper bound of how much nearer the sides of a pair can come than at the start, m, by any
    /// motion inside the ways.
    [[nodiscard]] double largest_approach(const ContactStencil& stencil) const;

  private:
    void find_owners(bool same_reach);
    void set_ways(std::span<const Vec3> end);
    [[nodiscard]] double margin_of(int vertex, const Vec3& way) const;
    void measure_ways(int vertex);
    [[nodiscard]] NearMotion motion() const;
    [[nodiscard]] bool boxes_meet(const ContactStencil& stencil) const;
    [[nodiscard]] bool come_near(const ContactStencil& stencil, StencilGap& out_gap) const;
    void join_lists();
    template <class T, class Filter>
    void collect_keys(std::span<const PairKey> keys, const Filter& filter,
                      std::vector<T>& out) const;

    static constexpr int kGrain = 1024;

    const ContactSurface* surface_ = nullptr;
    CandidateReach reach_;
    std::vector<Vec3> start_;
    std::vector<Aabb> ways_;         // of vertices: displacements that the candidates hold for
    std::vector<Vec3> middle_ways_;  // m
    std::vector<double> spreads_;    // m, from the middle of the ways to their corners
    std::vector<double> largest_;    // m, coordinate at the start or the ends so far, with margin
    std::vector<double> roundings_;  // m, rounding gap of that
    std::vector<double> radii_;      // m, of vertices, by which their boxes are enlarged
    std::vector<char> escaped_;      // vertices whose ways grew last

    FeatureOwners owners_;
    bool began_ = false;
    NearList free_list_{FeatureSearch::Among::Free};
    NearList prescribed_list_{FeatureSearch::Among::FreeAndPrescribed};
    std::vector<PairKey> pairs_;          // candidates and some more, sorted
    std::vector<PairKey> escaped_pairs_;  // of them, those with an escaped vertex
};

template <class T, class Filter>
void CandidateFinder::collect_keys(std::span<const PairKey> keys, const Filter& filter,
                                   std::vector<T>& out) const {
    parallel_collect(
        static_cast<int>(keys.size()), kGrain,
        [&](int begin, int end, std::vector<T>& piece) {
            StencilGap gap;
            for (int i = begin; i < end; ++i) {
                const ContactStencil stencil = owners_.stencil_of(keys[i]);
                if (come_near(stencil, gap)) filter(stencil, gap, piece);
            }
        },
        out);
}

template <class T, class Filter>
void CandidateFinder::collect(const Filter& filter, std::vector<T>& out) const {
    collect_keys(pairs_, filter, out);
}

template <class T, class Filter>
void CandidateFinder::collect_escaped(const Filter& filter, std::vector<T>& out) const {
    collect_keys(escaped_pairs_, filter, out);
}

}  // namespace toile
