// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/bvh_build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace toile::detail {
namespace {

constexpr int kBins = 16;
constexpr int kDepthOfCosts = 40;

/// Elements [begin, end) of the order, to become the subtree whose root is to be appended next.
struct Range {
    int begin;
    int end;
    int depth;
    int parent;  ///< whose right child this is, or -1
};

struct Builder {
    std::span<const Aabb> boxes;
    std::vector<Vec3> centers;
    std::vector<int> order;
    std::vector<BvhNode> nodes;

    explicit Builder(std::span<const Aabb> all);
    void build();
    /// First element of the right half, strictly between begin and end.
    int cut(const Range& range);
    int cut_in_the_middle(const Range& range, int axis);
    int cut_by_cost(const Range& range, int axis, const Aabb& spread);
    [[nodiscard]] Aabb spread_of_centers(const Range& range) const;
};

/// A finite stand-in for the centre of any box.
Vec3 sorting_center(const Aabb& box) {
    constexpr double kFar = 1e150;
    Vec3 center;
    for (int k = 0; k < 3; ++k) {
        const double low = std::clamp(box.min[k], -kFar, kFar);
        const double high = std::clamp(box.max[k], -kFar, kFar);
        const double middle = 0.5 * (low + high);
        center[k] = std::isfinite(middle) ? middle : 0;
    }
    return center;
}

double half_area(const Aabb& box) {
    if (box.empty()) return 0;
    const Vec3 d = box.max - box.min;
    return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

Builder::Builder(std::span<const Aabb> all) : boxes(all), centers(all.size()), order(all.size()) {
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = 0; i < all.size(); ++i) centers[i] = sorting_center(all[i]);
    if (!all.empty()) nodes.reserve(2 * all.size() - 1);
}

Aabb Builder::spread_of_centers(const Range& range) const {
    Aabb spread;
    for (int i = range.begin; i < range.end; ++i) {
        spread.extend(centers[static_cast<size_t>(order[static_cast<size_t>(i)])]);
    }
    return spread;
}

int Builder::cut_in_the_middle(const Range& range, int axis) {
    const int middle = range.begin + (range.end - range.begin) / 2;
    std::nth_element(order.begin() + range.begin, order.begin() + middle, order.begin() + range.end,
                     [&](int i, int j) {
                         const double x = centers[static_cast<size_t>(i)][axis];
                         const double y = centers[static_cast<size_t>(j)][axis];
                         return x < y || (x == y && i < j);
                     });
    return middle;
}

int Builder::cut_by_cost(const Range& range, int axis, const Aabb& spread) {
    std::array<Aabb, kBins> bin_box;
    std::array<int, kBins> bin_count{};
    const double factor = kBins / (spread.max[axis] - spread.min[axis]);
    const auto bin_of = [&](int element) {
        const double x = centers[static_cast<size_t>(element)][axis] - spread.min[axis];
        return std::clamp(static_cast<int>(x * factor), 0, kBins - 1);
    };
    for (int i = range.begin; i < range.end; ++i) {
        const int element = order[static_cast<size_t>(i)];
        const auto bin = static_cast<size_t>(bin_of(element));
        bin_box[bin].extend(centers[static_cast<size_t>(element)]);
        if (!boxes[static_cast<size_t>(element)].empty()) {
            bin_box[bin].extend(boxes[static_cast<size_t>(element)]);
        }
        ++bin_count[bin];
    }
    std::array<double, kBins> right_cost{};
    Aabb box;
    int count = 0;
    for (size_t bin = kBins; bin-- > 1;) {
        box.extend(bin_box[bin]);
        count += bin_count[bin];
        right_cost[bin] = count * half_area(box);
    }
    box = Aabb();
    count = 0;
    int best = 0;
    double best_cost = std::numeric_limits<double>::infinity();
    for (size_t bin = 0; bin + 1 < kBins; ++bin) {
        box.extend(bin_box[bin]);
        count += bin_count[bin];
        const double cost = count * half_area(box) + right_cost[bin + 1];
        if (count > 0 && count < range.end - range.begin && cost < best_cost) {
            best_cost = cost;
            best = static_cast<int>(bin) + 1;
        }
    }
    if (best == 0) return cut_in_the_middle(range, axis);
    const auto right = std::stable_partition(order.begin() + range.begin, order.begin() + range.end,
                                             [&](int element) { return bin_of(element) < best; });
    return static_cast<int>(right - order.begin());
}

int Builder::cut(const Range& range) {
    const Aabb spread = spread_of_centers(range);
    int axis = 0;
    (spread.max - spread.min).maxCoeff(&axis);
    const bool by_cost = range.end - range.begin > 4 && range.depth < kDepthOfCosts &&
                         spread.max[axis] > spread.min[axis];
    return by_cost ? cut_by_cost(range, axis, spread) : cut_in_the_middle(range, axis);
}

void Builder::build() {
    std::vector<Range> stack;
    if (!order.empty()) stack.push_back({0, static_cast<int>(order.size()), 0, -1});
    while (!stack.empty()) {
        const Range range = stack.back();
        stack.pop_back();
        const int self = static_cast<int>(nodes.size());
        if (range.parent >= 0) nodes[static_cast<size_t>(range.parent)].right = self;
        const int n = range.end - range.begin;
        nodes.push_back({{}, ~order[static_cast<size_t>(range.begin)], {}, 2 * n - 1});
        if (n == 1) continue;
        const int middle = cut(range);
        nodes.back().right = 0;
        stack.push_back({middle, range.end, range.depth + 1, self});
        stack.push_back({range.begin, middle, range.depth + 1, -1});
    }
}

}  // namespace

std::vector<BvhNode> build_tree_shape(std::span<const Aabb> boxes) {
    Builder builder(boxes);
    builder.build();
    return std::move(builder.nodes);
}

}  // namespace toile::detail
