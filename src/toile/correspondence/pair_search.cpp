// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/pair_search.h"

#include "toile/collision/bvh.h"
#include "toile/collision/bvh_build.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace toile {
namespace {

constexpr int kTriangleGrain = 256;

/// Centroids and normals of triangles.
struct Facets {
    std::vector<Vec3> centroids;
    std::vector<Vec3> normals;  ///< unit; zero without area
};

Facets facets(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    Facets result{std::vector<Vec3>(triangles.size()), triangle_normals(positions, triangles)};
    for (size_t t = 0; t < triangles.size(); ++t) {
        Vec3 sum = Vec3::Zero();
        for (const int v : triangles[t]) sum += positions[static_cast<size_t>(v)];
        result.centroids[t] = sum / 3;
    }
    return result;
}

/// A triangle and how far it is.
struct Candidate {
    double squared_distance;
    int triangle;

    bool operator<(const Candidate& other) const {
        return squared_distance != other.squared_distance
                   ? squared_distance < other.squared_distance
                   : triangle < other.triangle;
    }
};

/// The `n` nearest candidates offered, ascending; whatever the order of the offers.
class Nearest {
  public:
    Nearest(int n, double max_squared) : n_(static_cast<size_t>(n)), limit_(max_squared) {
        found_.reserve(n_ + 1);
    }

    void restart() { found_.clear(); }
    [[nodiscard]] double reach() const {
        return found_.size() < n_ ? limit_ : found_.back().squared_distance;
    }
    void offer(const Candidate& candidate) {
        if (!(candidate.squared_distance <= limit_)) return;
        if (found_.size() == n_ && !(candidate < found_.back())) return;
        found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate), candidate);
        if (found_.size() > n_) found_.pop_back();
    }
    [[nodiscard]] std::span<const Candidate> found() const { return found_; }

  private:
    size_t n_;
    double limit_;
    std::vector<Candidate> found_;
};

/// Finds facets near a given one.
class FacetSearch {
  public:
    FacetSearch(const Facets& facets, double min_cosine)
        : facets_(facets), min_cosine_(min_cosine) {
        std::vector<Aabb> boxes(facets.centroids.size());
        for (size_t t = 0; t < boxes.size(); ++t) boxes[t].extend(facets.centroids[t]);
        tree_ = Bvh(boxes);
    }

    void find(const Vec3& centroid, const Vec3& normal, Nearest& out) const {
        const std::span<const BvhNode> nodes = tree_.nodes();
        if (nodes.empty() || normal.isZero(0)) return;
        std::array<std::pair<double, int>, detail::kLargestTreeDepth + 2> stack;
        size_t n = 0;
        stack[n++] = {nodes[0].squared_distance_below(centroid), 0};
        while (n > 0) {
            const auto [distance, index] = stack[--n];
            if (distance > out.reach()) continue;
            const BvhNode& node = nodes[static_cast<size_t>(index)];
            if (node.is_leaf()) {
                consider(node.element(), centroid, normal, out);
                continue;
            }
            std::pair<double, int> left = branch(centroid, index + 1);
            std::pair<double, int> right = branch(centroid, node.right);
            if (left.first < right.first) std::swap(left, right);
            stack[n++] = left;
            stack[n++] = right;
        }
    }

    void consider(int triangle, const Vec3& centroid, const Vec3& normal, Nearest& out) const {
        const auto t = static_cast<size_t>(triangle);
        if (!(facets_.normals[t].dot(normal) > min_cosine_)) return;
        out.offer({(facets_.centroids[t] - centroid).squaredNorm(), triangle});
    }

  private:
    [[nodiscard]] std::pair<double, int> branch(const Vec3& p, int node) const {
        return {tree_.nodes()[static_cast<size_t>(node)].squared_distance_below(p), node};
    }

    const Facets& facets_;
    double min_cosine_;
    Bvh tree_;
};

/// The nearest `n` of every facet of `from`, by whatever finds them.
template <class Find>
std::vector<std::vector<Candidate>> search(const Facets& from, int n, double max_squared,
                                           const Find& find) {
    std::vector<std::vector<Candidate>> result(from.centroids.size());
    parallel_for(static_cast<int>(result.size()), kTriangleGrain, [&](int begin, int end) {
        Nearest nearest(n, max_squared);
        for (int i = begin; i < end; ++i) {
            const auto t = static_cast<size_t>(i);
            nearest.restart();
            if (!from.normals[t].isZero(0)) find(from.centroids[t], from.normals[t], nearest);
            result[t].assign(nearest.found().begin(), nearest.found().end());
        }
    });
    return result;
}

void require_sensible(const PairSearchOptions& options) {
    if (options.n_nearest >= 1 && options.max_distance >= 0) return;
    throw InvalidInput(
        fmt::format("Pairs of the {} nearest triangles within {} of the diagonal "
                    "cannot be searched for.",
                    options.n_nearest, options.max_distance));
}

TrianglePairs gather(const std::vector<std::vector<Candidate>>& lists, int n_source) {
    TrianglePairs pairs;
    pairs.n_source_triangles = n_source;
    pairs.first_source.reserve(lists.size() + 1);
    for (const std::vector<Candidate>& list : lists) {
        for (const Candidate& c : list) pairs.source_list.push_back(c.triangle);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    return pairs;
}

/// Puts the nearest target of every source triangle into the lists.
void unite(const std::vector<std::vector<Candidate>>& back,
           std::vector<std::vector<Candidate>>& lists) {
    for (size_t s = 0; s < back.size(); ++s) {
        if (back[s].empty()) continue;
        std::vector<Candidate>& list = lists[static_cast<size_t>(back[s][0].triangle)];
        const Candidate own{back[s][0].squared_distance, static_cast<int>(s)};
        const auto same = [&](const Candidate& c) { return c.triangle == own.triangle; };
        if (std::any_of(list.begin(), list.end(), same)) continue;
        list.insert(std::upper_bound(list.begin(), list.end(), own), own);
    }
}

/// `finder(facets)` makes what finds among them.
template <class Finder>
TrianglePairs find_with(const Facets& source, const Facets& target, double max_distance,
                        const PairSearchOptions& options, const Finder& finder) {
    require_sensible(options);
    const double max_squared = max_distance * max_distance;
    std::vector<std::vector<Candidate>> lists =
        search(target, options.n_nearest, max_squared, finder(source));
    if (options.both_directions) unite(search(source, 1, max_squared, finder(target)), lists);
    return gather(lists, static_cast<int>(source.centroids.size()));
}

}  // namespace

TrianglePairs find_pairs(std::span<const Vec3> source, std::span<const Triangle> source_triangles,
                         std::span<const Vec3> target, std::span<const Triangle> target_triangles,
                         const PairSearchOptions& options) {
    const double cosine = std::cos(options.max_angle);
    const auto finder = [&](const Facets& among) {
        return
            [tree = FacetSearch(among, cosine)](const Vec3& centroid, const Vec3& normal,
                                                Nearest& out) { tree.find(centroid, normal, out); };
    };
    return find_with(facets(source, source_triangles), facets(target, target_triangles),
                     options.max_distance * bounding_box(target).diagonal(), options, finder);
}

TrianglePairs brute_force::find_pairs(std::span<const Vec3> source,
                                      std::span<const Triangle> source_triangles,
                                      std::span<const Vec3> target,
                                      std::span<const Triangle> target_triangles,
                                      const PairSearchOptions& options) {
    const double cosine = std::cos(options.max_angle);
    const auto finder = [&](const Facets& among) {
        return [&among, cosine](const Vec3& centroid, const Vec3& normal, Nearest& out) {
            for (size_t t = 0; t < among.centroids.size(); ++t) {
                if (!(among.normals[t].dot(normal) > cosine)) continue;
                out.offer({(among.centroids[t] - centroid).squaredNorm(), static_cast<int>(t)});
            }
        };
    };
    return find_with(facets(source, source_triangles), facets(target, target_triangles),
                     options.max_distance * bounding_box(target).diagonal(), options, finder);
}

}  // namespace toile
