// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/wanted_gradients.h"

#include "toile/core/parallel.h"
#include "toile/deformation/gradient.h"
#include "toile/deformation/rotation.h"
#include "toile/mesh/topology.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kTriangleGrain = 1024;

/// How far a source triangle's gradient is to be trusted.
enum Quality : char { kUseless, kThin, kSound };

/// Height over base, about, below which a triangle is thin: its gradient magnifies what is across
/// it by so much.
constexpr double kThinRatio = 1e-3;

std::vector<char> source_qualities(std::span<const TriangleHats> hats) {
    std::vector<char> result(hats.size(), kSound);
    for (size_t s = 0; s < hats.size(); ++s) {
        double longest = 0;
        for (const Vec3& hat : hats[s].hats) longest = std::max(longest, hat.squaredNorm());
        // Area times squared hat is half the base over the height.
        if (hats[s].area * longest * kThinRatio > 0.5) result[s] = kThin;
        if (hats[s].degenerate) result[s] = kUseless;
    }
    return result;
}

}  // namespace

WantedGradients::WantedGradients(const TriangleMesh& source_rest, const TriangleMesh& target,
                                 const TrianglePairs& pairs, UnmatchedRule rule)
    : source_triangles_(source_rest.triangles), source_rest_(source_rest.positions) {
    choose_sources(pairs, source_qualities(triangle_hats(source_rest_, source_triangles_)));
    if (rule == UnmatchedRule::Surroundings) plan_surroundings(target);
}

void WantedGradients::choose_sources(const TrianglePairs& pairs,
                                     std::span<const char> source_quality) {
    for (int t = 0; t < pairs.n_target_triangles(); ++t) {
        char best = kUseless;
        for (const int s : pairs.sources_of(t)) {
            best = std::max(best, source_quality[static_cast<size_t>(s)]);
        }
        for (const int s : pairs.sources_of(t)) {
            const char quality = source_quality[static_cast<size_t>(s)];
            if (quality != kUseless && quality == best) source_list_.push_back(s);
        }
        first_source_.push_back(static_cast<int>(source_list_.size()));
        known_.push_back(best != kUseless);
        if (best == kUseless) unmatched_.push_back(t);
    }
}

// Ring by ring outwards from the matched triangles, over shared vertices.
void WantedGradients::plan_surroundings(const TriangleMesh& target) {
    if (unmatched_.empty()) return;
    const VertexTriangles around = build_vertex_triangles(target.triangles, target.n_vertices());
    const auto for_each_neighbor = [&](int t, const auto& visit) {
        for (const int v : target.triangles[static_cast<size_t>(t)]) {
            for (const int neighbor : around.triangles_of_vertex(v)) visit(neighbor);
        }
    };
    std::vector<int> ring;
    for (const int t : unmatched_) {
        bool at_border = false;
        for_each_neighbor(t, [&](int neighbor) { at_border |= is_known(neighbor); });
        if (at_border) ring.push_back(t);
    }
    while (!ring.empty()) {
        for (const int t : ring) {
            for_each_neighbor(t, [&](int neighbor) {
                if (is_known(neighbor)) giver_list_.push_back(neighbor);
            });
            first_giver_.push_back(static_cast<int>(giver_list_.size()));
        }
        fill_order_.insert(fill_order_.end(), ring.begin(), ring.end());
        for (const int t : ring) known_[static_cast<size_t>(t)] = 1;
        std::vector<int> next;
        for (const int t : ring) {
            for_each_neighbor(t, [&](int neighbor) {
                if (!is_known(neighbor)) next.push_back(neighbor);
            });
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        ring = std::move(next);
    }
}

void WantedGradients::compute(std::span<const Vec3> source_pose, std::span<Mat3> out_gradients,
                              Workspace& workspace) const {
    workspace.source.resize(source_triangles_.size());
    deformation_gradients(source_triangles_, source_rest_, source_pose, workspace.source);
    parallel_for(static_cast<int>(out_gradients.size()), kTriangleGrain, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            out_gradients[static_cast<size_t>(t)] = mean_of_sources(t, workspace.source);
        }
    });
    fill_from_surroundings(out_gradients, workspace);
}

Mat3 WantedGradients::mean_of_sources(int t, std::span<const Mat3> source) const {
    const auto first = static_cast<size_t>(first_source_[static_cast<size_t>(t)]);
    const auto last = static_cast<size_t>(first_source_[static_cast<size_t>(t) + 1]);
    if (first == last) return Mat3::Identity();
    Mat3 sum = source[static_cast<size_t>(source_list_[first])];
    for (size_t k = first + 1; k < last; ++k) sum += source[static_cast<size_t>(source_list_[k])];
    if (last - first > 1) sum /= static_cast<double>(last - first);
    return turns_ ? Mat3(turn_ * sum * turn_.transpose()) : sum;
}

void WantedGradients::fill_from_surroundings(std::span<Mat3> gradients,
                                             Workspace& workspace) const {
    if (fill_order_.empty()) return;
    const double size = common_size(gradients, workspace.sizes);
    for (size_t i = 0; i < fill_order_.size(); ++i) {
        Mat3 sum = Mat3::Zero();
        for (auto k = static_cast<size_t>(first_giver_[i]);
             k < static_cast<size_t>(first_giver_[i + 1]); ++k) {
            sum += gradients[static_cast<size_t>(giver_list_[k])];
        }
        gradients[static_cast<size_t>(fill_order_[i])] = size * nearest_rotation(sum);
    }
}

// The median of |F| / sqrt(3): s where all are s times a rotation, near 1 in a pose that only
// bends.
double WantedGradients::common_size(std::span<const Mat3> gradients,
                                    std::vector<double>& sizes) const {
    sizes.clear();
    for (size_t t = 0; t < gradients.size(); ++t) {
        if (first_source_[t] < first_source_[t + 1]) sizes.push_back(gradients[t].norm());
    }
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle / std::sqrt(3.0);
}

}  // namespace toile
