// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/motion_box.h"

#include <array>
#include <span>
#include <vector>

namespace toile {

/// Two nodes whose elements are still to be paired; equal nodes of one tree: all pairs within.
struct NodePair {
    int a = 0;
    int b = 0;
};

/// A binary tree of boxes in motion (MotionBox) over elements 0 … n-1. Its shape is that of Bvh,
/// chosen once from boxes at rest; `refit` gives it new boxes where they change, without
/// allocating.
class MotionTree {
  public:
    /// Forgets all boxes.
    void set_shape(std::span<const Aabb> boxes);
    /// Takes the boxes of the elements that are marked (both one an element). Pairs without an
    /// element that is marked, here or there, are left out by all that follows.
    void refit(std::span<const MotionBox> boxes, std::span<const char> marks);

    [[nodiscard]] bool empty() const { return links_.empty(); }
    [[nodiscard]] int n_elements() const { return static_cast<int>((links_.size() + 1) / 2); }

    /// Cuts the search for all pairs of an own and an other element that may meet (or of two own
    /// ones, each once) into a fixed number of pieces. `out` is replaced.
    void split_work(const MotionTree& other, std::vector<NodePair>& out) const;
    /// Calls `visit(own, other)` for every pair of a piece that may meet, in no particular order.
    template <class Visit>
    void visit(const MotionTree& other, NodePair piece, const Visit& visit) const;

  private:
    /// Where the children are: the left one follows the node itself.
    struct Link {
        int right;  ///< index of the right child, or ~element of a leaf
        int size;   ///< nodes in this subtree, itself included
        [[nodiscard]] bool is_leaf() const { return right < 0; }
    };
    /// Twice the largest depth of a tree and what the levels of a self query leave behind.
    static constexpr size_t kStackSize = 512;
    static constexpr size_t kPieces = 256;

    /// Replaces a pair by pairs of its children; returns how many were written.
    size_t split(const MotionTree& other, NodePair pair, NodePair* out_children) const;

    std::vector<Link> links_;
    std::vector<MotionBox> boxes_;
    std::vector<char> marks_;  // by node: whether an element below is marked
};

inline size_t MotionTree::split(const MotionTree& other, NodePair pair,
                                NodePair* out_children) const {
    size_t n = 0;
    const auto add = [&](int a, int b) {
        if (!marks_[static_cast<size_t>(a)] && !other.marks_[static_cast<size_t>(b)]) {
            return;
        }
        if (this == &other && a == b) {
            out_children[n++] = {a, b};
        } else if (may_meet(boxes_[static_cast<size_t>(a)], other.boxes_[static_cast<size_t>(b)])) {
            out_children[n++] = {a, b};
        }
    };
    const Link a = links_[static_cast<size_t>(pair.a)];
    const Link b = other.links_[static_cast<size_t>(pair.b)];
    if (this == &other && pair.a == pair.b) {
        if (a.is_leaf()) return 0;
        add(pair.a + 1, a.right);
        add(a.right, a.right);
        add(pair.a + 1, pair.a + 1);
    } else if (a.size >= b.size) {
        add(a.right, pair.b);
        add(pair.a + 1, pair.b);
    } else {
        add(pair.a, b.right);
        add(pair.a, pair.b + 1);
    }
    return n;
}

template <class Visit>
void MotionTree::visit(const MotionTree& other, NodePair piece, const Visit& visit) const {
    std::array<NodePair, kStackSize> stack;
    size_t n = 1;
    stack[0] = piece;
    while (n > 0) {
        const NodePair pair = stack[--n];
        const Link a = links_[static_cast<size_t>(pair.a)];
        const Link b = other.links_[static_cast<size_t>(pair.b)];
        if (!a.is_leaf() || !b.is_leaf()) {
            n += split(other, pair, &stack[n]);
        } else if (this != &other || pair.a != pair.b) {
            visit(~a.right, ~b.right);
        }
    }
}

}  // namespace toile
