// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/repulsion.h"

#include <algorithm>

namespace toile {
namespace {

/// A point near the rim of a triangle: the vertices of the feature that is closest, and the pair.
struct RimReport {
    int point;
    Edge feature;  // (v, -1) for a corner, else the edge, smaller vertex first
    int pair;

    auto operator<=>(const RimReport&) const = default;
    [[nodiscard]] bool same_place(const RimReport& other) const {
        return point == other.point && feature == other.feature;
    }
};

bool inside(const StencilGap& gap) {
    return std::all_of(gap.weights.begin(), gap.weights.end(), [](double w) { return w != 0; });
}

RimReport rim_report(const ContactStencil& stencil, const StencilGap& gap, int pair) {
    Edge feature{-1, -1};
    int n = 0;
    for (int i = 1; i < 4; ++i) {
        if (gap.weights[i] != 0 && n < 2) feature[n++] = stencil.vertices[i];
    }
    if (n == 2 && feature[0] > feature[1]) std::swap(feature[0], feature[1]);
    return {stencil.vertices[0], feature, pair};
}

int triangles_round(const ContactSurface& surface, const Edge& feature) {
    if (feature[1] < 0) return surface.n_triangles_of_vertex[feature[0]];
    const int e = surface.find_edge(feature[0], feature[1]);
    return e < 0 ? 1 : surface.n_triangles_of_edge[e];
}

/// One pair for each place that all triangles round it report.
void add_rims(const ContactSurface& surface, std::vector<RimReport>& reports,
              std::vector<int>& out_indices) {
    std::sort(reports.begin(), reports.end());
    for (size_t i = 0; i < reports.size();) {
        size_t end = i + 1;
        while (end < reports.size() && reports[end].same_place(reports[i])) ++end;
        const auto n_reports = static_cast<int>(end - i);
        if (n_reports >= triangles_round(surface, reports[i].feature)) {
            out_indices.push_back(reports[i].pair);
        }
        i = end;
    }
}

}  // namespace

void find_proximities(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                      std::span<const Vec3> start, std::vector<int>& out_indices) {
    out_indices.clear();
    std::vector<RimReport> rims;
    for (int i = 0; i < static_cast<int>(pairs.size()); ++i) {
        const ContactStencil& stencil = pairs[i].stencil;
        const double thickness = surface.pair_thickness(stencil.vertices[0], stencil.vertices[3]);
        if (pairs[i].start_gap >= thickness) continue;
        const StencilGap gap = measure_gap(stencil.kind, gather(stencil, start));
        if (inside(gap)) {
            out_indices.push_back(i);
        } else if (stencil.kind == StencilKind::PointTriangle) {
            rims.push_back(rim_report(stencil, gap, i));
        }
    }
    add_rims(surface, rims, out_indices);
    std::sort(out_indices.begin(), out_indices.end());
}

void add_repulsions(const ContactSurface& surface, std::span<const CandidatePair> pairs,
                    std::span<const int> proximities, std::span<const Vec3> start,
                    std::span<const Vec3> displacements, double step,
                    const RepulsionOptions& options, std::vector<ImpulseConstraint>& out) {
    for (const int i : proximities) {
        const ContactStencil& stencil = pairs[i].stencil;
        const StencilGap gap = measure_gap(stencil.kind, gather(stencil, start));
        const double inverse_mass =
            effective_inverse_mass(stencil, gap.weights, surface.inverse_masses);
        if (inverse_mass <= 0) continue;
        const int v = stencil.vertices[0], w = stencil.vertices[3];
        const double overlap = surface.pair_thickness(v, w) - gap.distance;
        const Vec3 relative = weighted_difference(gap.weights, gather(stencil, displacements));
        const double parting = std::max(0.0, gap.normal.dot(relative));
        const double spring = step * step * options.stiffness * overlap * inverse_mass;
        out.push_back({.stencil = stencil,
                       .weights = gap.weights,
                       .normal = gap.normal,
                       .target = std::min(parting + spring, options.largest_recovery * overlap),
                       .friction = surface.pair_friction(v, w),
                       .inverse_mass = inverse_mass});
    }
}

}  // namespace toile
