// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/motion_tree.h"

#include "toile/collision/bvh_build.h"
#include "toile/core/assert.h"

namespace toile {

void MotionTree::set_shape(std::span<const Aabb> boxes) {
    const std::vector<BvhNode> nodes = detail::build_tree_shape(boxes);
    links_.clear();
    for (const BvhNode& node : nodes) links_.push_back({node.right, node.size});
    boxes_.assign(nodes.size(), MotionBox::nothing());
    marks_.assign(nodes.size(), 0);
}

void MotionTree::refit(std::span<const MotionBox> boxes, std::span<const char> marks) {
    TOILE_ASSERT(boxes.empty() ? empty() : static_cast<int>(boxes.size()) == n_elements());
    for (size_t i = links_.size(); i-- > 0;) {
        const Link link = links_[i];
        if (link.is_leaf()) {
            const auto element = static_cast<size_t>(~link.right);
            marks_[i] = marks[element];
            if (marks_[i]) boxes_[i] = boxes[element];
            continue;
        }
        const auto left = i + 1, right = static_cast<size_t>(link.right);
        marks_[i] = static_cast<char>(marks_[left] | marks_[right]);
        if (!marks_[i]) continue;
        boxes_[i] = boxes_[left];
        boxes_[i].extend(boxes_[right]);
    }
}

void MotionTree::split_work(const MotionTree& other, std::vector<NodePair>& out) const {
    out.clear();
    if (empty() || other.empty()) return;
    if (!marks_[0] && !other.marks_[0]) return;
    if (this != &other && !may_meet(boxes_[0], other.boxes_[0])) return;
    out.push_back({0, 0});
    std::vector<NodePair> next;
    std::array<NodePair, 3> children;
    bool grows = true;
    while (grows && out.size() < kPieces) {
        grows = false;
        next.clear();
        for (const NodePair& pair : out) {
            const bool leaves = links_[static_cast<size_t>(pair.a)].is_leaf() &&
                                other.links_[static_cast<size_t>(pair.b)].is_leaf();
            if (leaves) {
                next.push_back(pair);
                continue;
            }
            const size_t n = split(other, pair, children.data());
            next.insert(next.end(), children.begin(),
                        children.begin() + static_cast<std::ptrdiff_t>(n));
            grows = true;
        }
        out.swap(next);
    }
}

}  // namespace toile
