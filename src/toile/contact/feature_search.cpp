// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/feature_search.h"

namespace toile {
namespace {

constexpr int kGrain = 1024;

template <class Set>
void for_all(size_t n, const Set& set) {
    parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) set(i);
    });
}

/// Boxes of the elements that hold a marked vertex.
template <class Element>
void update_boxes(std::span<const Element> elements, std::span<const MotionBox> points,
                  std::span<const char> marked, std::vector<MotionBox>& inout_boxes,
                  std::vector<char>& out_marks) {
    for_all(elements.size(), [&](int i) {
        const Element& vertices = elements[i];
        char mark = 0;
        for (const int v : vertices) mark = static_cast<char>(mark | marked[v]);
        out_marks[i] = mark;
        if (!mark) return;
        MotionBox box = points[vertices[0]];
        for (size_t k = 1; k < vertices.size(); ++k) box.extend(points[vertices[k]]);
        box.take_radius();
        inout_boxes[i] = box;
    });
}

/// Chooses the tree's shape and forgets all else.
void shape_tree(const FeatureOwners& all, std::span<const FeatureOwner> owners,
                std::span<const Vec3> places, MotionTree& out_tree) {
    std::vector<Aabb> boxes(owners.size());
    for (size_t i = 0; i < owners.size(); ++i) {
        if (owners[i].triangle < 0) {
            boxes[i].extend(places[owners[i].vertices[0]]);
        } else {
            for (const int v : all.triangles[owners[i].triangle]) boxes[i].extend(places[v]);
        }
    }
    out_tree.set_shape(boxes);
}

}  // namespace

void FeatureSearch::set_features(const FeatureOwners& owners, std::span<const Vec3> places) {
    const auto forget = [](size_t n, std::vector<MotionBox>& boxes, std::vector<char>& marks) {
        boxes.assign(n, MotionBox::nothing());
        marks.assign(n, 0);
    };
    points_.assign(places.size(), MotionBox::nothing());
    forget(places.size(), vertex_boxes_, marked_vertices_);
    forget(owners.edges.size(), edge_boxes_, marked_edges_);
    forget(owners.triangles.size(), triangle_boxes_, marked_triangles_);
    forget(owners.free.size(), free_.boxes, free_.marks);
    shape_tree(owners, owners.free, places, free_.tree);
    if (among_ == Among::Free) return;
    forget(owners.prescribed.size(), prescribed_.boxes, prescribed_.marks);
    shape_tree(owners, owners.prescribed, places, prescribed_.tree);
}

void FeatureSearch::update(const FeatureOwners& owners, std::span<const MotionBox> points,
                           std::span<const char> marked) {
    for_all(points.size(), [&](int v) {
        marked_vertices_[v] = marked[v];
        if (!marked[v]) return;
        points_[v] = points[v];
        vertex_boxes_[v] = points[v];
        vertex_boxes_[v].take_radius();
    });
    update_boxes<Edge>(owners.edges, points_, marked, edge_boxes_, marked_edges_);
    update_boxes<Triangle>(owners.triangles, points_, marked, triangle_boxes_, marked_triangles_);
    update_group(owners.free, free_);
    if (among_ == Among::FreeAndPrescribed) update_group(owners.prescribed, prescribed_);
}

void FeatureSearch::update_group(std::span<const FeatureOwner> owners, Group& group) {
    for_all(owners.size(), [&](int i) {
        const FeatureOwner& owner = owners[i];
        const int t = owner.triangle;
        group.marks[i] = t < 0 ? marked_vertices_[owner.vertices[0]] : marked_triangles_[t];
        if (!group.marks[i]) return;
        group.boxes[i] = t < 0 ? vertex_boxes_[owner.vertices[0]] : triangle_boxes_[t];
    });
    group.tree.refit(group.boxes, group.marks);
}

}  // namespace toile
