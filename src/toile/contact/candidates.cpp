// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/candidates.h"

#include "toile/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 1024;
constexpr int kUsesOfAShape = 32;  // refits before the trees are built anew

template <size_t N>
bool names(const std::array<int, N>& element, int vertex) {
    return std::find(element.begin(), element.end(), vertex) != element.end();
}

/// Boxes of elements from the tubes of their vertices, `vertices_of(element)`.
template <class VerticesOf, class RadiusOf>
void element_boxes(std::span<const int> elements, std::span<const Aabb> tubes,
                   const VerticesOf& vertices_of, const RadiusOf& radius_of,
                   std::vector<Aabb>& out) {
    out.resize(elements.size());
    parallel_for(static_cast<int>(elements.size()), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Aabb box;
            for (const int v : vertices_of(elements[i])) box.extend(tubes[v]);
            box.enlarge(radius_of(elements[i]));
            out[i] = box;
        }
    });
}

void update_tree(std::span<const Aabb> boxes, bool new_shape, Bvh& tree) {
    if (new_shape || tree.n_elements() != static_cast<int>(boxes.size())) {
        tree = Bvh(boxes);
    } else if (!boxes.empty()) {
        tree.refit(boxes);
    }
}

bool same(const Aabb& a, const Aabb& b) {
    return a.min == b.min && a.max == b.max;
}

double farthest_from(const Vec3& point, const Aabb& box) {
    return (box.max - point).cwiseMax(point - box.min).norm();
}

bool holds(const Aabb& box, const Vec3& point) {
    return (box.min.array() <= point.array()).all() && (point.array() <= box.max.array()).all();
}

}  // namespace

void CandidateFinder::find(const ContactSurface& surface, std::span<const Vec3> start,
                           std::span<const Vec3> end, const CandidateReach& reach,
                           std::vector<ContactStencil>& out) {
    reach_ = reach;
    // A power of two, so that boxes of what stands still do not change with every rounding gap.
    if (reach.gap > 0) reach_.gap = std::exp2(std::ceil(std::log2(reach.gap)));
    ++uses_;
    sort_out_elements(surface);
    set_tubes(surface, start, end);
    measure_excursions();
    collect(surface, out);
}

bool CandidateFinder::covers(std::span<const Vec3> end) const {
    for (size_t v = 0; v < end.size(); ++v) {
        if (!holds(tubes_[v], end[v]) || !holds(drifting_[v], end[v] - drift_)) return false;
    }
    return true;
}

void CandidateFinder::widen(const ContactSurface& surface, std::span<const Vec3> end,
                            std::vector<ContactStencil>& out) {
    for (int v = 0; v < surface.n_vertices(); ++v) {
        const double margin = reach_.tube_margin * surface.thickness_of_vertex(v);
        if (!holds(tubes_[v], end[v])) {
            Aabb point{end[v], end[v]};
            point.enlarge(margin);
            tubes_[v].extend(point);
        }
        if (!holds(drifting_[v], end[v] - drift_)) {
            Aabb point{end[v] - drift_, end[v] - drift_};
            point.enlarge(margin);
            drifting_[v].extend(point);
        }
    }
    measure_excursions();
    collect(surface, out);
}

double CandidateFinder::largest_approach(const ContactSurface& surface,
                                         const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    const bool both_free = !surface.bodies[surface.body_of_vertex[v[0]]].prescribed &&
                           !surface.bodies[surface.body_of_vertex[v[3]]].prescribed;
    const std::vector<double>& far = both_free ? drifting_excursion_ : excursion_;
    double first = 0, second = 0;
    for (int i = 0; i < 4; ++i) {
        double& side = i < stencil.second_side() ? first : second;
        side = std::max(side, far[v[i]]);
    }
    return first + second;
}

double CandidateFinder::radius(const ContactBody& body) const {
    return 0.5 * std::max(reach_.gap, reach_.within_thickness ? body.thickness : 0.0);
}

void CandidateFinder::sort_out_elements(const ContactSurface& surface) {
    const auto sort_out = [&](std::span<const int> bodies, std::vector<int> Elements::*member) {
        (free_.*member).clear();
        (prescribed_.*member).clear();
        for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
            Elements& group = surface.bodies[bodies[i]].prescribed ? prescribed_ : free_;
            (group.*member).push_back(i);
        }
    };
    sort_out(surface.body_of_vertex, &Elements::vertices);
    sort_out(surface.body_of_edge, &Elements::edges);
    sort_out(surface.body_of_triangle, &Elements::triangles);
}

void CandidateFinder::set_tubes(const ContactSurface& surface, std::span<const Vec3> start,
                                std::span<const Vec3> end) {
    start_.assign(start.begin(), start.end());
    drift_.setZero();
    for (const int v : free_.vertices) drift_ += end[v] - start[v];
    if (!free_.vertices.empty()) drift_ /= static_cast<double>(free_.vertices.size());
    tubes_.resize(start.size());
    drifting_.resize(start.size());
    parallel_for(static_cast<int>(start.size()), kGrain, [&](int first, int last) {
        for (int v = first; v < last; ++v) {
            const double margin = reach_.tube_margin * surface.thickness_of_vertex(v);
            tubes_[v] = Aabb{start[v].cwiseMin(end[v]), start[v].cwiseMax(end[v])};
            tubes_[v].enlarge(margin);
            const Vec3 drifted = end[v] - drift_;
            drifting_[v] = Aabb{start[v].cwiseMin(drifted), start[v].cwiseMax(drifted)};
            drifting_[v].enlarge(margin);
        }
    });
}

void CandidateFinder::measure_excursions() {
    excursion_.resize(start_.size());
    drifting_excursion_.resize(start_.size());
    for (size_t v = 0; v < start_.size(); ++v) {
        excursion_[v] = farthest_from(start_[v], tubes_[v]);
        drifting_excursion_[v] = farthest_from(start_[v], drifting_[v]);
    }
}

void CandidateFinder::collect(const ContactSurface& surface, std::vector<ContactStencil>& out) {
    out.clear();
    update_trees(surface, free_, drifting_, drifting_trees_);
    drifting_trees_.vertices.pairs(drifting_trees_.triangles, pairs_);
    add_point_triangles(surface, free_.vertices, free_.triangles, out);
    drifting_trees_.edges.self_pairs(pairs_);
    add_edge_edges(surface, free_.edges, free_.edges, out);
    if (prescribed_.vertices.empty()) return;

    update_trees(surface, free_, tubes_, free_trees_);
    update_prescribed_trees(surface);
    free_trees_.vertices.pairs(prescribed_trees_.triangles, pairs_);
    add_point_triangles(surface, free_.vertices, prescribed_.triangles, out);
    prescribed_trees_.vertices.pairs(free_trees_.triangles, pairs_);
    add_point_triangles(surface, prescribed_.vertices, free_.triangles, out);
    free_trees_.edges.pairs(prescribed_trees_.edges, pairs_);
    add_edge_edges(surface, free_.edges, prescribed_.edges, out);
}

void CandidateFinder::update_prescribed_trees(const ContactSurface& surface) {
    boxes_.clear();
    for (const int v : prescribed_.vertices) boxes_.push_back(tubes_[v]);
    const bool stands = prescribed_gap_ == reach_.gap &&
                        std::equal(boxes_.begin(), boxes_.end(), prescribed_tubes_.begin(),
                                   prescribed_tubes_.end(), same);
    if (stands) return;
    prescribed_tubes_ = boxes_;
    prescribed_gap_ = reach_.gap;
    update_trees(surface, prescribed_, tubes_, prescribed_trees_);
}

void CandidateFinder::update_trees(const ContactSurface& surface, const Elements& elements,
                                   std::span<const Aabb> tubes, Trees& trees) {
    const bool new_shape = uses_ % kUsesOfAShape == 0;
    const auto radius_in = [&](const std::vector<int>& body_of) {
        return [&](int i) { return radius(surface.bodies[body_of[i]]); };
    };
    element_boxes(
        elements.vertices, tubes, [](int v) { return std::array<int, 1>{v}; },
        radius_in(surface.body_of_vertex), boxes_);
    update_tree(boxes_, new_shape, trees.vertices);
    element_boxes(
        elements.edges, tubes, [&](int e) { return surface.edges[e]; },
        radius_in(surface.body_of_edge), boxes_);
    update_tree(boxes_, new_shape, trees.edges);
    element_boxes(
        elements.triangles, tubes, [&](int t) { return surface.triangles[t]; },
        radius_in(surface.body_of_triangle), boxes_);
    update_tree(boxes_, new_shape, trees.triangles);
}

void CandidateFinder::add_point_triangles(const ContactSurface& surface,
                                          std::span<const int> vertices,
                                          std::span<const int> triangles,
                                          std::vector<ContactStencil>& out) {
    for (const auto& [i, j] : pairs_) {
        const int p = vertices[i];
        const Triangle& t = surface.triangles[triangles[j]];
        if (!names(t, p)) out.push_back({StencilKind::PointTriangle, {p, t[0], t[1], t[2]}});
    }
}

void CandidateFinder::add_edge_edges(const ContactSurface& surface, std::span<const int> first,
                                     std::span<const int> second,
                                     std::vector<ContactStencil>& out) {
    for (const auto& [i, j] : pairs_) {
        const Edge& a = surface.edges[first[i]];
        const Edge& b = surface.edges[second[j]];
        if (names(a, b[0]) || names(a, b[1])) continue;
        out.push_back({StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}});
    }
}

}  // namespace toile
