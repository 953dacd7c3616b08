// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/pair_geometry.h"

#include "toile/mesh/alignment.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace toile {
namespace {

/// Weight of a triangle without area, as a part of the mean weight.
constexpr double kLeastWeight = 1e-9;

Vec3 centroid(const TriangleMesh& mesh, int t) {
    const Triangle& corner = mesh.triangles[static_cast<size_t>(t)];
    return (mesh.positions[static_cast<size_t>(corner[0])] +
            mesh.positions[static_cast<size_t>(corner[1])] +
            mesh.positions[static_cast<size_t>(corner[2])]) /
           3;
}

/// Sums weights vertex by vertex: the same bits whichever way it does so.
class MeanBuilder {
  public:
    MeanBuilder(const TriangleMesh& mesh, size_t n_likely) : mesh_(mesh) {
        terms_.reserve(n_likely);
    }

    void add(int triangle, double weight) {
        terms_.push_back({triangle, weight / 3});
        total_ += weight;
    }
    [[nodiscard]] WeightedMean mean() const {
        const bool many = terms_.size() > mesh_.positions.size() / 16;
        return many ? mean_of_many() : mean_of_few();
    }

  private:
    struct Term {
        int triangle;
        double weight;
    };
    [[nodiscard]] WeightedMean mean_of_many() const {
        std::vector<double> sums(mesh_.positions.size(), 0.0);
        std::vector<char> used(mesh_.positions.size(), 0);
        for (const auto& [t, weight] : terms_) {
            for (const int v : mesh_.triangles[static_cast<size_t>(t)]) {
                sums[static_cast<size_t>(v)] += weight / total_;
                used[static_cast<size_t>(v)] = 1;
            }
        }
        WeightedMean result;
        for (size_t v = 0; v < sums.size(); ++v) {
            if (!used[v]) continue;
            result.vertices.push_back(static_cast<int>(v));
            result.weights.push_back(sums[v]);
        }
        return result;
    }
    [[nodiscard]] WeightedMean mean_of_few() const {
        std::vector<std::pair<int, double>> corners;
        for (const auto& [t, weight] : terms_) {
            for (const int v : mesh_.triangles[static_cast<size_t>(t)]) {
                corners.emplace_back(v, weight / total_);
            }
        }
        std::stable_sort(corners.begin(), corners.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        WeightedMean result;
        for (const auto& [v, weight] : corners) {
            if (result.empty() || result.vertices.back() != v) {
                result.vertices.push_back(v);
                result.weights.push_back(0);
            }
            result.weights.back() += weight;
        }
        return result;
    }

    const TriangleMesh& mesh_;
    std::vector<Term> terms_;
    double total_ = 0;
};

}  // namespace

Vec3 WeightedMean::operator()(std::span<const Vec3> positions) const {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < vertices.size(); ++i) {
        sum += weights[i] * positions[static_cast<size_t>(vertices[i])];
    }
    return sum;
}

PairGeometry::PairGeometry(const TriangleMesh& source, const TriangleMesh& target,
                           const TrianglePairs& pairs, std::span<const double> target_areas)
    : source_(source),
      target_(target),
      pairs_(pairs),
      weights_(target_areas.begin(), target_areas.end()) {
    double total = 0;
    for (const double w : weights_) total += w;
    const double mean = total > 0 ? total / static_cast<double>(weights_.size()) : 1;
    for (double& w : weights_) w = std::max(w, kLeastWeight * mean);
}

PairedMeans PairGeometry::means(std::span<const int> target_triangles) const {
    const bool any = std::any_of(target_triangles.begin(), target_triangles.end(),
                                 [&](int t) { return has_pair(t); });
    const size_t n = target_triangles.size();
    MeanBuilder target(target_, n), source(source_, n);
    for (const int t : target_triangles) {
        if (any && !has_pair(t)) continue;
        const double weight = weights_[static_cast<size_t>(t)];
        target.add(t, weight);
        const std::span<const int> sources = pairs_.sources_of(t);
        for (const int s : sources) {
            source.add(s, weight / static_cast<double>(sources.size()));
        }
    }
    return {target.mean(), source.mean()};
}

Vec3 PairGeometry::source_centroid(int target_triangle) const {
    const std::span<const int> sources = pairs_.sources_of(target_triangle);
    Vec3 sum = Vec3::Zero();
    for (const int s : sources) sum += centroid(source_, s);
    return sum / static_cast<double>(sources.size());
}

double PairGeometry::scale() const {
    Vec3 source_mean = Vec3::Zero(), target_mean = Vec3::Zero();
    double total = 0;
    const auto for_each_paired = [&](const auto& visit) {
        for (int t = 0; t < pairs_.n_target_triangles(); ++t) {
            if (has_pair(t)) visit(t, weights_[static_cast<size_t>(t)]);
        }
    };
    for_each_paired([&](int t, double w) {
        source_mean += w * source_centroid(t);
        target_mean += w * centroid(target_, t);
        total += w;
    });
    if (total == 0) return 1;
    source_mean /= total;
    target_mean /= total;
    double source_spread = 0, target_spread = 0;
    for_each_paired([&](int t, double w) {
        source_spread += w * (source_centroid(t) - source_mean).squaredNorm();
        target_spread += w * (centroid(target_, t) - target_mean).squaredNorm();
    });
    return source_spread > 0 && target_spread > 0 ? std::sqrt(target_spread / source_spread) : 1;
}

Mat3 PairGeometry::rotation() const {
    std::vector<Vec3> from, to;
    from.reserve(weights_.size());
    to.reserve(weights_.size());
    for (int t = 0; t < pairs_.n_target_triangles(); ++t) {
        if (!has_pair(t)) continue;
        from.push_back(source_centroid(t));
        to.push_back(centroid(target_, t));
    }
    const AlignmentResult best = align(from, to, Alignment::Rigid);
    return best.rotation_is_unique() ? best.transform.rotation : Mat3(Mat3::Identity());
}

}  // namespace toile
