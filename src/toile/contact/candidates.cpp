// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/candidates.h"

#include "toile/contact/separation.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kUsesOfAShape = 64;  // refits before the trees are built anew
/// Of a reach: gaps and boxes have roundings of their own.
constexpr double kReachRoom = 1.001;
constexpr int kSecondBits = 31;
constexpr std::uint64_t kEdgePair = std::uint64_t{1} << 63;

std::uint64_t key_of(std::uint64_t kind, int first, int second) {
    return kind | static_cast<std::uint64_t>(first) << kSecondBits |
           static_cast<std::uint64_t>(second);
}

bool holds(const Aabb& box, const Vec3& point) {
    return (box.min.array() <= point.array()).all() && (point.array() <= box.max.array()).all();
}

/// Of the places and the ways of one side of a pair.
struct SideBox {
    Aabb places, ways;
    double radius = 0;

    void extend(const Vec3& place, const Aabb& way, double r) {
        places.extend(place);
        ways.extend(way);
        radius = std::max(radius, r);
    }
};

bool share_vertex(const Edge& a, const Edge& b) {
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

}  // namespace

void CandidateFinder::begin(const ContactSurface& surface, std::span<const Vec3> start,
                            std::span<const Vec3> end, const CandidateReach& reach) {
    surface_ = &surface;
    reach_ = reach;
    start_.assign(start.begin(), start.end());
    escaped_.assign(start.size(), 0);
    escaped_pairs_.clear();
    find_owners();
    set_ways(end);
    update_boxes();
    search(false, pairs_);
    ++uses_;
}

bool CandidateFinder::covers(std::span<const Vec3> end) const {
    for (size_t v = 0; v < end.size(); ++v) {
        if (!holds(ways_[v], end[v] - start_[v])) return false;
    }
    return true;
}

void CandidateFinder::widen(std::span<const Vec3> end) {
    for (int v = 0; v < surface_->n_vertices(); ++v) {
        const double margin = reach_.way_margin * surface_->thickness_of_vertex(v);
        const Vec3 way = end[v] - start_[v];
        escaped_[v] = !holds(ways_[v], way);
        if (!escaped_[v]) continue;
        Aabb around{way, way};
        around.enlarge(margin);
        ways_[v].extend(around);
        largest_[v] = std::max(largest_[v], end[v].cwiseAbs().maxCoeff() + margin);
        measure_ways(v);
    }
    update_boxes();
    search(true, escaped_pairs_);
    std::erase_if(pairs_, [&](PairKey key) { return escaped(stencil_of(key)); });
    const auto n_old = static_cast<std::ptrdiff_t>(pairs_.size());
    pairs_.insert(pairs_.end(), escaped_pairs_.begin(), escaped_pairs_.end());
    std::inplace_merge(pairs_.begin(), pairs_.begin() + n_old, pairs_.end());
}

bool CandidateFinder::escaped(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return escaped_[v[0]] || escaped_[v[1]] || escaped_[v[2]] || escaped_[v[3]];
}

double CandidateFinder::largest_rounding_gap(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    return std::max(std::max(roundings_[v[0]], roundings_[v[1]]),
                    std::max(roundings_[v[2]], roundings_[v[3]]));
}

double CandidateFinder::largest_approach(const ContactStencil& stencil) const {
    const auto& v = stencil.vertices;
    const int n = stencil.second_side();
    double difference = 0, first = 0, second = 0;
    for (int i = 0; i < n; ++i) {
        first = std::max(first, spreads_[v[i]]);
        for (int j = n; j < 4; ++j) {
            difference =
                std::max(difference, (middle_ways_[v[i]] - middle_ways_[v[j]]).squaredNorm());
        }
    }
    for (int j = n; j < 4; ++j) second = std::max(second, spreads_[v[j]]);
    return std::sqrt(difference) + first + second;
}

/// Only where the surface is another than the last time.
void CandidateFinder::find_owners() {
    std::vector<char> prescribed(surface_->body_of_vertex.size());
    for (size_t v = 0; v < prescribed.size(); ++v) {
        prescribed[v] = surface_->bodies[surface_->body_of_vertex[v]].prescribed;
    }
    if (uses_ > 0 && surface_->triangles == owned_triangles_ && surface_->edges == owned_edges_ &&
        prescribed == prescribed_) {
        return;
    }
    owned_triangles_ = surface_->triangles;
    owned_edges_ = surface_->edges;
    prescribed_ = prescribed;
    owners_ = find_feature_owners(*surface_);
    free_group_ = {};
    prescribed_group_ = {};
}

void CandidateFinder::set_ways(std::span<const Vec3> end) {
    for (auto* numbers : {&spreads_, &largest_, &roundings_, &radii_}) numbers->resize(end.size());
    ways_.resize(end.size());
    middle_ways_.resize(end.size());
    parallel_for(static_cast<int>(start_.size()), kGrain, [&](int first, int last) {
        for (int v = first; v < last; ++v) {
            const double margin = reach_.way_margin * surface_->thickness_of_vertex(v);
            const Vec3 way = end[v] - start_[v];
            ways_[v] = Aabb{way, way};
            ways_[v].enlarge(margin);
            largest_[v] = start_[v].cwiseAbs().cwiseMax(end[v].cwiseAbs()).maxCoeff() + margin;
            measure_ways(v);
        }
    });
}

/// Of either side alone the rounding gaps are enough for its radius, since the pair's is that of
/// its farthest vertex.
void CandidateFinder::measure_ways(int vertex) {
    const Aabb& ways = ways_[vertex];
    const double thickness = reach_.within_thickness ? surface_->thickness_of_vertex(vertex) : 0;
    middle_ways_[vertex] = ways.center();
    spreads_[vertex] = 0.5 * (ways.max - ways.min).norm();
    roundings_[vertex] = rounding_gap(largest_[vertex]);
    radii_[vertex] =
        kReachRoom * std::max(reach_.rounding_gaps * roundings_[vertex], 0.5 * thickness);
}

void CandidateFinder::update_boxes() {
    const auto for_all = [](size_t n, const auto& set) {
        parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) set(i);
        });
    };
    points_.resize(start_.size());
    vertex_boxes_.resize(start_.size());
    edge_boxes_.resize(surface_->edges.size());
    triangle_boxes_.resize(surface_->triangles.size());
    for_all(points_.size(), [&](int v) {
        points_[v] = MotionBox::of(start_[v], ways_[v], radii_[v]);
        vertex_boxes_[v] = points_[v];
        vertex_boxes_[v].take_radius();
    });
    for_all(edge_boxes_.size(), [&](int e) {
        const Edge& edge = surface_->edges[e];
        MotionBox box = points_[edge[0]];
        box.extend(points_[edge[1]]);
        box.take_radius();
        edge_boxes_[e] = box;
    });
    for_all(triangle_boxes_.size(), [&](int t) {
        const Triangle& triangle = surface_->triangles[t];
        MotionBox box = points_[triangle[0]];
        box.extend(points_[triangle[1]]);
        box.extend(points_[triangle[2]]);
        box.take_radius();
        triangle_boxes_[t] = box;
    });
    update_tree(owners_.free, free_group_);
    update_tree(owners_.prescribed, prescribed_group_);
}

void CandidateFinder::update_tree(std::span<const FeatureOwner> owners, Group& group) {
    group.boxes.resize(owners.size());
    for (size_t i = 0; i < owners.size(); ++i) {
        group.boxes[i] = owners[i].triangle >= 0 ? triangle_boxes_[owners[i].triangle]
                                                 : vertex_boxes_[owners[i].vertices[0]];
    }
    if (uses_ % kUsesOfAShape == 0 || group.tree.empty()) {
        shapes_.clear();
        for (const FeatureOwner& owner : owners) {
            Aabb& box = shapes_.emplace_back();
            if (owner.triangle < 0) box.extend(start_[owner.vertices[0]]);
            if (owner.triangle < 0) continue;
            for (const int v : surface_->triangles[owner.triangle]) box.extend(start_[v]);
        }
        group.tree.set_shape(shapes_);
    }
    group.tree.refit(group.boxes);
}

void CandidateFinder::mark_escaped(std::span<const FeatureOwner> owners, Group& group) {
    group.marks.resize(owners.size());
    for (size_t i = 0; i < owners.size(); ++i) {
        const FeatureOwner& owner = owners[i];
        if (owner.triangle < 0) {
            group.marks[i] = escaped_[owner.vertices[0]];
        } else {
            const Triangle& t = surface_->triangles[owner.triangle];
            group.marks[i] = escaped_[t[0]] || escaped_[t[1]] || escaped_[t[2]];
        }
    }
    group.tree.mark(group.marks);
}

/// All candidates, or those with an escaped vertex, sorted.
void CandidateFinder::search(bool escaped_only, std::vector<PairKey>& out) {
    out.clear();
    if (escaped_only) {
        mark_escaped(owners_.free, free_group_);
        mark_escaped(owners_.prescribed, prescribed_group_);
    }
    const auto look = [&](std::span<const FeatureOwner> owners,
                          std::span<const FeatureOwner> others, bool in_order) {
        return [=, this](int i, int j, std::vector<PairKey>& piece) {
            const auto keep = [&](PairKey key) {
                StencilGap gap;
                const ContactStencil stencil = stencil_of(key);
                if (escaped_only && !escaped(stencil)) return;
                if (come_near(stencil, gap)) piece.push_back(key);
            };
            point_pairs(owners[i], others[j], keep);
            point_pairs(others[j], owners[i], keep);
            edge_pairs(owners[i], others[j], in_order, keep);
        };
    };
    pieces_.resize(std::max<size_t>(pieces_.size(), 1));
    visit_pieces(free_group_, free_group_, escaped_only, look(owners_.free, owners_.free, true));
    for (const auto& piece : pieces_) out.insert(out.end(), piece.begin(), piece.end());
    visit_pieces(free_group_, prescribed_group_, escaped_only,
                 look(owners_.free, owners_.prescribed, false));
    for (const auto& piece : pieces_) out.insert(out.end(), piece.begin(), piece.end());
    std::sort(out.begin(), out.end());
}

template <class Visit>
void CandidateFinder::visit_pieces(const Group& group, const Group& other, bool escaped_only,
                                   const Visit& visit) {
    group.tree.split_work(other.tree, work_);
    for (auto& piece : pieces_) piece.clear();
    pieces_.resize(std::max(pieces_.size(), work_.size()));
    parallel_for(static_cast<int>(work_.size()), 1, [&](int first, int last) {
        for (int i = first; i < last; ++i) {
            const auto found = [&](int a, int b) { visit(a, b, pieces_[i]); };
            if (escaped_only) {
                group.tree.visit_marked(other.tree, work_[i], found);
            } else {
                group.tree.visit(other.tree, work_[i], found);
            }
        }
    });
}

template <class Keep>
void CandidateFinder::point_pairs(const FeatureOwner& points, const FeatureOwner& triangle,
                                  const Keep& keep) const {
    if (triangle.triangle < 0) return;
    const Triangle& t = surface_->triangles[triangle.triangle];
    for (int i = 0; i < points.n_vertices; ++i) {
        const int v = points.vertices[i];
        if (v == t[0] || v == t[1] || v == t[2]) continue;
        if (!may_meet(vertex_boxes_[v], triangle_boxes_[triangle.triangle])) continue;
        keep(key_of(0, v, owners_.rank_of_triangle[triangle.triangle]));
    }
}

template <class Keep>
void CandidateFinder::edge_pairs(const FeatureOwner& first, const FeatureOwner& second,
                                 bool in_order, const Keep& keep) const {
    for (int i = 0; i < first.n_edges; ++i) {
        const int e = first.edges[i];
        for (int j = 0; j < second.n_edges; ++j) {
            const int f = second.edges[j];
            if (share_vertex(surface_->edges[e], surface_->edges[f])) continue;
            if (!may_meet(edge_boxes_[e], edge_boxes_[f])) continue;
            keep(in_order ? key_of(kEdgePair, std::min(e, f), std::max(e, f))
                          : key_of(kEdgePair, e, f));
        }
    }
}

ContactStencil CandidateFinder::stencil_of(PairKey key) const {
    constexpr std::uint64_t kSecond = (std::uint64_t{1} << kSecondBits) - 1;
    const auto first = static_cast<int>((key & ~kEdgePair) >> kSecondBits);
    const auto second = static_cast<int>(key & kSecond);
    if (key & kEdgePair) {
        const Edge &a = surface_->edges[first], &b = surface_->edges[second];
        return {StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}};
    }
    const Triangle& t = surface_->triangles[owners_.triangle_of_rank[second]];
    return {StencilKind::PointTriangle, {first, t[0], t[1], t[2]}};
}

/// Exactly as the boxes of singles, but in double: what they let through by their rounding must
/// not count.
bool CandidateFinder::boxes_meet(const ContactStencil& stencil) const {
    SideBox a, b;
    for (int i = 0; i < 4; ++i) {
        const int v = stencil.vertices[i];
        (i < stencil.second_side() ? a : b).extend(start_[v], ways_[v], radii_[v]);
    }
    const double radius = a.radius + b.radius;
    const Vec3 up = (a.ways.max - b.ways.min).cwiseMax(0.0);
    const Vec3 down = (a.ways.min - b.ways.max).cwiseMin(0.0);
    return (a.places.max + up - b.places.min).minCoeff() >= -radius &&
           (a.places.min + down - b.places.max).maxCoeff() <= radius;
}

bool CandidateFinder::come_near(const ContactStencil& stencil, StencilGap& out_gap) const {
    if (!boxes_meet(stencil)) return false;
    out_gap = measure_gap(stencil.kind, gather(stencil, start_));
    const auto& v = stencil.vertices;
    const double thickness = reach_.within_thickness ? surface_->pair_thickness(v[0], v[3]) : 0;
    const double reach = std::max(thickness, reach_.rounding_gaps * largest_rounding_gap(stencil));
    return out_gap.distance <= kReachRoom * reach + largest_approach(stencil);
}

}  // namespace toile
