// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/brute_force.h"

namespace toile::brute_force {
namespace {

bool holds_a_point(const Aabb& box) {
    return (box.min.array() <= box.max.array()).all();
}

}  // namespace

bool boxes_meet(const Aabb& a, const Aabb& b) {
    return holds_a_point(a) && holds_a_point(b) && a.overlaps(b);
}

void query(std::span<const Aabb> boxes, const Aabb& box, std::vector<int>& out) {
    for (size_t i = 0; i < boxes.size(); ++i) {
        if (boxes_meet(boxes[i], box)) out.push_back(static_cast<int>(i));
    }
}

void pairs(std::span<const Aabb> boxes_a, std::span<const Aabb> boxes_b,
           std::vector<ElementPair>& out) {
    out.clear();
    for (size_t i = 0; i < boxes_a.size(); ++i) {
        for (size_t j = 0; j < boxes_b.size(); ++j) {
            if (boxes_meet(boxes_a[i], boxes_b[j])) out.emplace_back(i, j);
        }
    }
}

void self_pairs(std::span<const Aabb> boxes, std::vector<ElementPair>& out) {
    out.clear();
    for (size_t i = 0; i < boxes.size(); ++i) {
        for (size_t j = i + 1; j < boxes.size(); ++j) {
            if (boxes_meet(boxes[i], boxes[j])) out.emplace_back(i, j);
        }
    }
}

}  // namespace toile::brute_force
