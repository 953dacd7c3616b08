// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/bvh.h"

#include "toile/collision/bvh_build.h"
#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

/// Comparisons with NaN are false, so that this box overlaps nothing, not even an infinite one.
Aabb nothing() {
    const Vec3 nan = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    return {nan, nan};
}

bool is_nothing(const Aabb& box) {
    return !(box.min.array() <= box.max.array()).all();
}

void copy_boxes(std::span<const Aabb> boxes, std::vector<Aabb>& out_boxes) {
    out_boxes.resize(boxes.size());
    for (size_t i = 0; i < boxes.size(); ++i) {
        out_boxes[i] = is_nothing(boxes[i]) ? nothing() : boxes[i];
    }
}

/// Sorts pairs by counting their first members, then within each first.
void sort_pairs(int n_first, std::vector<ElementPair>& inout_pairs) {
    std::vector<size_t> end(static_cast<size_t>(n_first) + 1, 0);
    for (const ElementPair& pair : inout_pairs) ++end[static_cast<size_t>(pair.first) + 1];
    for (size_t i = 1; i < end.size(); ++i) end[i] += end[i - 1];
    std::vector<size_t> next(end.begin(), end.end() - 1);
    std::vector<ElementPair> sorted(inout_pairs.size());
    for (const ElementPair& pair : inout_pairs) {
        sorted[next[static_cast<size_t>(pair.first)]++] = pair;
    }
    for (size_t i = 0; i + 1 < end.size(); ++i) {
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(end[i]),
                  sorted.begin() + static_cast<std::ptrdiff_t>(end[i + 1]));
    }
    inout_pairs.swap(sorted);
}

void keep_pair(int i, int j, std::vector<ElementPair>& out) {
    out.emplace_back(i, j);
}

}  // namespace

Bvh::Bvh(std::span<const Aabb> boxes) {
    copy_boxes(boxes, leaf_boxes_);
    nodes_ = detail::build_tree_shape(leaf_boxes_);
    refit(boxes);
}

void Bvh::refit(std::span<const Aabb> boxes) {
    if (boxes.size() != leaf_boxes_.size()) {
        throw InvalidInput(fmt::format("A tree of {} boxes was refitted with {}.",
                                       leaf_boxes_.size(), boxes.size()));
    }
    copy_boxes(boxes, leaf_boxes_);
    for (size_t i = nodes_.size(); i-- > 0;) {
        BvhNode& node = nodes_[i];
        if (node.is_leaf()) {
            node.set_box(leaf_boxes_[static_cast<size_t>(node.element())]);
        } else {
            node.set_union(nodes_[i + 1], nodes_[static_cast<size_t>(node.right)]);
        }
    }
}

Aabb Bvh::bounds() const {
    Aabb all;
    for (const Aabb& box : leaf_boxes_) {
        if (!is_nothing(box)) all.extend(box);
    }
    return all;
}

void Bvh::query(const Aabb& box, std::vector<int>& out) const {
    const auto first_new = static_cast<std::ptrdiff_t>(out.size());
    visit_box(box, [&](int element) { out.push_back(element); });
    std::sort(out.begin() + first_new, out.end());
}

void Bvh::pairs(const Bvh& other, std::vector<ElementPair>& out) const {
    out.clear();
    collect_pairs(other, keep_pair, out);
    sort_pairs(n_elements(), out);
}

void Bvh::self_pairs(std::vector<ElementPair>& out) const {
    out.clear();
    collect_self_pairs(keep_pair, out);
    sort_pairs(n_elements(), out);
}

std::vector<Bvh::Task> Bvh::tasks(const Bvh& other) const {
    std::vector<Task> tasks;
    if (nodes_.empty() || other.nodes_.empty()) return tasks;
    if (this != &other && !nodes_overlap(nodes_[0], other.nodes_[0])) return tasks;
    tasks.push_back({0, 0});
    std::vector<Task> next;
    std::array<Task, 3> children;
    bool grows = true;
    while (grows && tasks.size() < kTasks) {
        grows = false;
        next.clear();
        for (const Task& task : tasks) {
            const bool leaves = nodes_[static_cast<size_t>(task.a)].is_leaf() &&
                                other.nodes_[static_cast<size_t>(task.b)].is_leaf();
            if (leaves) {
                next.push_back(task);
                continue;
            }
            const int n = split(other, task, children.data());
            next.insert(next.end(), children.begin(), children.begin() + n);
            grows = true;
        }
        tasks.swap(next);
    }
    return tasks;
}

}  // namespace toile
