// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"
#include "toile/collision/bvh_node.h"
#include "toile/core/assert.h"
#include "toile/core/parallel.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace toile {

/// A pair of element indices; of one surface in self queries (first < second), of two otherwise.
using ElementPair = std::pair<int, int>;

/// A binary tree of boxes over elements 0 … n-1, whatever they are (triangles, swept edges,
/// points). Construct = choose the tree's shape; `refit` = new boxes in the same shape, O(n), no
/// allocation. Listed results are sorted, so that they do not depend on the tree or on the number
/// of threads. A box that is empty or holds NaN overlaps nothing; one with infinite sides is as
/// good as any. For boxes of proximity enlarge each by half of its thickness.
class Bvh {
  public:
    Bvh() = default;
    /// O(n log n); top-down by the binned surface area heuristic [Wald07].
    explicit Bvh(std::span<const Aabb> boxes);

    /// `boxes` must be as many as at construction.
    void refit(std::span<const Aabb> boxes);

    [[nodiscard]] int n_elements() const { return static_cast<int>(leaf_boxes_.size()); }
    [[nodiscard]] Aabb bounds() const;
    [[nodiscard]] std::span<const Aabb> boxes() const { return leaf_boxes_; }
    /// The tree in depth-first order, root first; empty without elements.
    [[nodiscard]] std::span<const BvhNode> nodes() const { return nodes_; }

    /// Elements whose box overlaps `box`, ascending, appended to `out`.
    void query(const Aabb& box, std::vector<int>& out) const;
    /// All (own, other) pairs with overlapping boxes, sorted; `out` is replaced.
    void pairs(const Bvh& other, std::vector<ElementPair>& out) const;
    /// All (smaller, larger) pairs of own elements with overlapping boxes, sorted; `out` is
    /// replaced.
    void self_pairs(std::vector<ElementPair>& out) const;

    /// Calls `visit(element)` for every element whose box overlaps `box`, in the tree's order.
    template <class Visit>
    void visit_box(const Aabb& box, const Visit& visit) const;
    /// Calls `visit(own, other)` for every overlapping pair, on this thread, in the trees' order.
    template <class Visit>
    void visit_pairs(const Bvh& other, const Visit& visit) const;
    /// Calls `visit(smaller, larger)` for every overlapping pair of own elements, as `visit_pairs`.
    template <class Visit>
    void visit_self_pairs(const Visit& visit) const;

    /// Appends to `out` what `filter(own, other, std::vector<T>& piece)` puts into its pieces, in
    /// parallel; the order is the trees' and the same on any number of threads.
    template <class T, class Filter>
    void collect_pairs(const Bvh& other, const Filter& filter, std::vector<T>& out) const;
    template <class T, class Filter>
    void collect_self_pairs(const Filter& filter, std::vector<T>& out) const;

  private:
    /// Two nodes whose elements are still to be paired; equal nodes in one tree: all pairs within.
    struct Task {
        int a;
        int b;
    };
    /// Twice the largest depth of a tree and what the levels of a self query leave behind.
    static constexpr int kStackSize = 512;
    /// Pieces of a parallel traversal; a fixed number, since the order of results rests on it.
    static constexpr size_t kTasks = 256;

    [[nodiscard]] bool leaves_overlap(int own, const Bvh& other, int others) const {
        return leaf_boxes_[static_cast<size_t>(own)].overlaps(
            other.leaf_boxes_[static_cast<size_t>(others)]);
    }
    /// Replaces a task by its children tasks; returns how many were written to `out_children`.
    int split(const Bvh& other, Task task, Task* out_children) const;
    template <class Visit>
    void run(const Bvh& other, Task first, const Visit& visit) const;
    template <class T, class Filter>
    void collect(const Bvh& other, const Filter& filter, std::vector<T>& out) const;
    [[nodiscard]] std::vector<Task> tasks(const Bvh& other) const;

    std::vector<Aabb> leaf_boxes_;
    std::vector<BvhNode> nodes_;
};

inline int Bvh::split(const Bvh& other, Task task, Task* out_children) const {
    const BvhNode* nodes = nodes_.data();
    const BvhNode* others = other.nodes_.data();
    const BvhNode& a = nodes[task.a];
    int n = 0;
    if (nodes == others && task.a == task.b) {
        if (a.is_leaf()) return 0;
        const int left = task.a + 1;
        if (nodes_overlap(nodes[left], nodes[a.right])) out_children[n++] = {left, a.right};
        out_children[n++] = {a.right, a.right};
        out_children[n++] = {left, left};
        return n;
    }
    const BvhNode& b = others[task.b];
    if (a.size >= b.size) {
        if (nodes_overlap(nodes[a.right], b)) out_children[n++] = {a.right, task.b};
        if (nodes_overlap(nodes[task.a + 1], b)) out_children[n++] = {task.a + 1, task.b};
    } else {
        if (nodes_overlap(a, others[b.right])) out_children[n++] = {task.a, b.right};
        if (nodes_overlap(a, others[task.b + 1])) out_children[n++] = {task.a, task.b + 1};
    }
    return n;
}

template <class Visit>
void Bvh::run(const Bvh& other, Task first, const Visit& visit) const {
    std::array<Task, kStackSize> stack;
    int n = 0;
    stack[0] = first;
    n = 1;
    while (n > 0) {
        const Task task = stack[static_cast<size_t>(--n)];
        const BvhNode& a = nodes_[static_cast<size_t>(task.a)];
        const BvhNode& b = other.nodes_[static_cast<size_t>(task.b)];
        if (!a.is_leaf() || !b.is_leaf()) {
            n += split(other, task, &stack[static_cast<size_t>(n)]);
        } else if ((this != &other || task.a != task.b) &&
                   leaves_overlap(a.element(), other, b.element())) {
            visit(a.element(), b.element());
        }
    }
}

template <class Visit>
void Bvh::visit_pairs(const Bvh& other, const Visit& visit) const {
    if (nodes_.empty() || other.nodes_.empty()) return;
    TOILE_ASSERT(this != &other);
    if (nodes_overlap(nodes_[0], other.nodes_[0])) run(other, {0, 0}, visit);
}

template <class Visit>
void Bvh::visit_self_pairs(const Visit& visit) const {
    if (nodes_.empty()) return;
    run(*this, {0, 0}, [&](int i, int j) { visit(std::min(i, j), std::max(i, j)); });
}

template <class Visit>
void Bvh::visit_box(const Aabb& box, const Visit& visit) const {
    BvhNode probe{};
    probe.set_box(box);
    if (!(box.min.array() <= box.max.array()).all()) return;
    // Depth-first order makes the stack needless: a node that is apart is left out with its
    // subtree.
    for (size_t i = 0; i < nodes_.size();) {
        const BvhNode& node = nodes_[i];
        if (!nodes_overlap(node, probe)) {
            i += static_cast<size_t>(node.size);
            continue;
        }
        if (node.is_leaf() && leaf_boxes_[static_cast<size_t>(node.element())].overlaps(box)) {
            visit(node.element());
        }
        ++i;
    }
}

template <class T, class Filter>
void Bvh::collect(const Bvh& other, const Filter& filter, std::vector<T>& out) const {
    const std::vector<Task> pieces = tasks(other);
    parallel_collect(
        static_cast<int>(pieces.size()), 1,
        [&](int begin, int, std::vector<T>& piece) {
            run(other, pieces[static_cast<size_t>(begin)],
                [&](int i, int j) { filter(i, j, piece); });
        },
        out);
}

template <class T, class Filter>
void Bvh::collect_pairs(const Bvh& other, const Filter& filter, std::vector<T>& out) const {
    TOILE_ASSERT(this != &other);
    collect(other, filter, out);
}

template <class T, class Filter>
void Bvh::collect_self_pairs(const Filter& filter, std::vector<T>& out) const {
    collect(
        *this,
        [&](int i, int j, std::vector<T>& piece) { filter(std::min(i, j), std::max(i, j), piece); },
        out);
}

}  // namespace toile
