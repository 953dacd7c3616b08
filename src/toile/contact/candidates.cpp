// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/candidates.h"

#include "toile/contact/separation.h"
#include "toile/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 1024;
constexpr int kUsesOfAShape = 32;  // refits before the trees are built anew
/// Boxes in a frame that moves have roundings of their own; what they miss by these must not depend
/// on how the frame moves.
constexpr double kBoxRoom = 1.001;

/// Boxes of elements from the tubes of their vertices, `vertices_of(element)`, enlarged by the
/// largest `radius_of(vertex)`.
template <class VerticesOf, class RadiusOf>
void element_boxes(std::span<const int> elements, std::span<const Aabb> tubes,
                   const VerticesOf& vertices_of, const RadiusOf& radius_of,
                   std::vector<Aabb>& out) {
    out.resize(elements.size());
    parallel_for(static_cast<int>(elements.size()), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Aabb box;
            double radius = 0;
            for (const int v : vertices_of(elements[i])) {
                box.extend(tubes[v]);
                radius = std::max(radius, radius_of(v));
            }
            box.enlarge(radius);
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

void widen_box(const Vec3& point, double margin, Aabb& box) {
    Aabb around{point, point};
    around.enlarge(margin);
    box.extend(around);
}

bool same(const Aabb& a, const Aabb& b) {
    return a.min == b.min && a.max == b.max;
}

double largest_coordinate(const Aabb& box) {
    return box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff();
}

double farthest_from(const Vec3& point, const Aabb& box) {
    return (box.max - point).cwiseMax(point - box.min).norm();
}

bool holds(const Aabb& box, const Vec3& point) {
    return (box.min.array() <= point.array()).all() && (point.array() <= box.max.array()).all();
}

}  // namespace

void CandidateFinder::begin(const ContactSurface& surface, std::span<const Vec3> start,
                            std::span<const Vec3> end, const CandidateReach& reach) {
    surface_ = &surface;
    reach_ = reach;
    ++uses_;
    start_.assign(start.begin(), start.end());
    escaped_.assign(start.size(), 0);
    sort_out_elements();
    set_tubes(end);
    measure_tubes();
    update_trees(drifting_, drifting_free_);
    if (prescribed_.vertices.empty()) return;
    update_trees(tubes_, free_);
    update_prescribed_trees();
}

bool CandidateFinder::covers(std::span<const Vec3> end) const {
    for (size_t v = 0; v < end.size(); ++v) {
        if (!holds(tubes_[v], end[v]) || !holds(drifting_[v], end[v] - drift_)) return false;
    }
    return true;
}

void CandidateFinder::widen(std::span<const Vec3> end) {
    for (int v = 0; v < surface_->n_vertices(); ++v) {
        const double margin = reach_.tube_margin * surface_->thickness_of_vertex(v);
        const bool in_tube = holds(tubes_[v], end[v]);
        const bool in_drifting = holds(drifting_[v], end[v] - drift_);
        escaped_[v] = !in_tube || !in_drifting;
        if (!in_tube) widen_box(end[v], margin, tubes_[v]);
        if (!in_drifting) widen_box(end[v] - drift_, margin, drifting_[v]);
    }
    measure_tubes();
    sort_out_escaped();
    update_trees(drifting_, drifting_free_);
    update_trees(drifting_, drifting_escaped_);
    if (prescribed_.vertices.empty()) return;
    update_trees(tubes_, free_);
    update_trees(tubes_, escaped_free_);
}

bool CandidateFinder::escaped(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return escaped_[v[0]] || escaped_[v[1]] || escaped_[v[2]] || escaped_[v[3]];
}

bool CandidateFinder::both_free(const ContactStencil& stencil) const {
    const auto prescribed = [&](int v) {
        return surface_->bodies[surface_->body_of_vertex[v]].prescribed;
    };
    return !prescribed(stencil.vertices[0]) && !prescribed(stencil.vertices[3]);
}

double CandidateFinder::largest_rounding_gap(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return std::max(std::max(rounding_[v[0]], rounding_[v[1]]),
                    std::max(rounding_[v[2]], rounding_[v[3]]));
}

double CandidateFinder::largest_approach(const ContactStencil& stencil) const {
    const std::vector<double>& far = both_free(stencil) ? drifting_excursion_ : excursion_;
    double first = 0, second = 0;
    for (int i = 0; i < 4; ++i) {
        double& side = i < stencil.second_side() ? first : second;
        side = std::max(side, far[stencil.vertices[i]]);
    }
    return first + second;
}

/// Of either side alone the rounding gaps are enough, since the pair's is that of its farthest
/// vertex.
double CandidateFinder::radius(int vertex) const {
    const double thickness = reach_.within_thickness ? surface_->thickness_of_vertex(vertex) : 0;
    return kBoxRoom * std::max(reach_.rounding_gaps * rounding_[vertex], 0.5 * thickness);
}

void CandidateFinder::sort_out_elements() {
    const auto sort_out = [&](std::span<const int> bodies, std::vector<int> Group::*member) {
        (free_.*member).clear();
        (prescribed_.*member).clear();
        for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
            Group& group = surface_->bodies[bodies[i]].prescribed ? prescribed_ : free_;
            (group.*member).push_back(i);
        }
        drifting_free_.*member = free_.*member;
    };
    sort_out(surface_->body_of_vertex, &Group::vertices);
    sort_out(surface_->body_of_edge, &Group::edges);
    sort_out(surface_->body_of_triangle, &Group::triangles);
}

void CandidateFinder::sort_out_escaped() {
    const auto any = [&](const auto& vertices) {
        return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return escaped_[v]; });
    };
    const auto sort_out = [&](std::vector<int> Group::*member, const auto& has_escaped) {
        (escaped_free_.*member).clear();
        for (const int i : free_.*member) {
            if (has_escaped(i)) (escaped_free_.*member).push_back(i);
        }
        drifting_escaped_.*member = escaped_free_.*member;
    };
    sort_out(&Group::vertices, [&](int v) { return escaped_[v] != 0; });
    sort_out(&Group::edges, [&](int e) { return any(surface_->edges[e]); });
    sort_out(&Group::triangles, [&](int t) { return any(surface_->triangles[t]); });
}

void CandidateFinder::set_tubes(std::span<const Vec3> end) {
    drift_.setZero();
    for (const int v : free_.vertices) drift_ += end[v] - start_[v];
    if (!free_.vertices.empty()) drift_ /= static_cast<double>(free_.vertices.size());
    tubes_.resize(start_.size());
    drifting_.resize(start_.size());
    parallel_for(static_cast<int>(start_.size()), kGrain, [&](int first, int last) {
        for (int v = first; v < last; ++v) {
            const double margin = reach_.tube_margin * surface_->thickness_of_vertex(v);
            const Vec3 drifted = end[v] - drift_;
            tubes_[v] = Aabb{start_[v], start_[v]};
            drifting_[v] = tubes_[v];
            tubes_[v].extend(end[v]);
            drifting_[v].extend(drifted);
            tubes_[v].enlarge(margin);
            drifting_[v].enlarge(margin);
        }
    });
}

void CandidateFinder::measure_tubes() {
    rounding_.resize(start_.size());
    excursion_.resize(start_.size());
    drifting_excursion_.resize(start_.size());
    for (size_t v = 0; v < start_.size(); ++v) {
        rounding_[v] = rounding_gap(largest_coordinate(tubes_[v]));
        excursion_[v] = farthest_from(start_[v], tubes_[v]);
        drifting_excursion_[v] = farthest_from(start_[v], drifting_[v]);
    }
}

/// Only where something has changed since the last time, be it the surface.
void CandidateFinder::update_prescribed_trees() {
    boxes_.clear();
    for (const int v : prescribed_.vertices) {
        boxes_.push_back(tubes_[v]);
        boxes_.back().enlarge(radius(v));
    }
    triangles_.clear();
    for (const int t : prescribed_.triangles) triangles_.push_back(surface_->triangles[t]);
    const bool stands = std::equal(boxes_.begin(), boxes_.end(), prescribed_boxes_.begin(),
                                   prescribed_boxes_.end(), same) &&
                        triangles_ == prescribed_triangles_;
    if (stands) return;
    prescribed_boxes_ = boxes_;
    prescribed_triangles_ = triangles_;
    update_trees(tubes_, prescribed_);
}

void CandidateFinder::update_trees(std::span<const Aabb> tubes, Group& group) {
    const bool new_shape = uses_ % kUsesOfAShape == 0;
    const auto radius_of = [&](int v) { return radius(v); };
    element_boxes(
        group.vertices, tubes, [](int v) { return std::array<int, 1>{v}; }, radius_of, boxes_);
    update_tree(boxes_, new_shape, group.vertex_tree);
    element_boxes(
        group.edges, tubes, [&](int e) { return surface_->edges[e]; }, radius_of, boxes_);
    update_tree(boxes_, new_shape, group.edge_tree);
    element_boxes(
        group.triangles, tubes, [&](int t) { return surface_->triangles[t]; }, radius_of, boxes_);
    update_tree(boxes_, new_shape, group.triangle_tree);
}

}  // namespace toile
