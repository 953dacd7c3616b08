// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/wanted_gradients.h"

#include "toile/core/parallel.h"
#include "toile/deformation/gradient.h"
#include "toile/deformation/rotation.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>

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

/// Share of the target's area above which what is unmatched is a region, not a hole.
constexpr double kLargestHole = 0.01;

/// Rounds of the median of gradients, and the distance from it below which weights stop growing:
/// far below any visible turn.
constexpr int kMedianRounds = 12;
constexpr double kMedianFloor = 1e-3;

/// Weight of the gradients' spread against their common motion: a spread of a fifth of it counts as
/// much as the motion.
constexpr double kDisagreement = 25;

char quality_of(const TriangleHats& hats) {
    if (hats.degenerate) return kUseless;
    double longest = 0;
    for (const Vec3& hat : hats.hats) longest = std::max(longest, hat.squaredNorm());
    // Area times squared hat is half the base over the height.
    return hats.area * longest * kThinRatio > 0.5 ? kThin : kSound;
}

/// Piece by piece: the hats of all triangles would be a large array, looked at once.
std::vector<char> source_qualities(std::span<const Vec3> rest,
                                   std::span<const Triangle> triangles) {
    std::vector<char> result(triangles.size());
    parallel_for(static_cast<int>(triangles.size()), kTriangleGrain, [&](int begin, int end) {
        const auto first = static_cast<size_t>(begin), n = static_cast<size_t>(end - begin);
        const std::vector<TriangleHats> hats = triangle_hats(rest, triangles.subspan(first, n));
        for (size_t i = 0; i < n; ++i) result[first + i] = quality_of(hats[i]);
    });
    return result;
}

}  // namespace

WantedGradients::WantedGradients(const TriangleMesh& source_rest, const TriangleMesh& target,
                                 const TrianglePairs& pairs, UnmatchedRule rule)
    : source_triangles_(source_rest.triangles), source_rest_(source_rest.positions) {
    choose_sources(pairs, source_qualities(source_rest_, source_triangles_));
    if (rule != UnmatchedRule::Identity) plan_surroundings(target);
    if (rule == UnmatchedRule::Auto) plan_regions(target);
}

void WantedGradients::choose_sources(const TrianglePairs& pairs,
                                     std::span<const char> source_quality) {
    source_list_.reserve(pairs.source_list.size());
    first_source_.reserve(pairs.first_source.size());
    known_.reserve(pairs.first_source.size());
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

// Regions are sets of unmatched triangles that hang together over vertices.
void WantedGradients::plan_regions(const TriangleMesh& target) {
    if (fill_order_.empty()) return;
    std::vector<Triangle> filled;
    for (const int t : fill_order_) filled.push_back(target.triangles[static_cast<size_t>(t)]);
    const std::vector<int> region = vertex_components(filled, target.n_vertices());
    areas_ = triangle_areas(target.positions, target.triangles);
    double whole = 0;
    for (const double area : areas_) whole += area;
    std::vector<double> region_areas(target.positions.size(), 0.0);
    const auto region_of = [&](size_t i) {
        return static_cast<size_t>(region[static_cast<size_t>(filled[i][0])]);
    };
    for (size_t i = 0; i < filled.size(); ++i) {
        region_areas[region_of(i)] += areas_[static_cast<size_t>(fill_order_[i])];
    }
    for (size_t i = 0; i < filled.size(); ++i) {
        moves_as_whole_.push_back(region_areas[region_of(i)] > kLargestHole * whole);
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
    const Mat3 whole =
        moves_as_whole_.empty() ? Mat3(Mat3::Identity()) : common_motion(gradients, size);
    for (size_t i = 0; i < fill_order_.size(); ++i) {
        if (!moves_as_whole_.empty() && moves_as_whole_[i]) {
            gradients[static_cast<size_t>(fill_order_[i])] = whole;
            continue;
        }
        Mat3 sum = Mat3::Zero();
        for (auto k = static_cast<size_t>(first_giver_[i]);
             k < static_cast<size_t>(first_giver_[i + 1]); ++k) {
            sum += gradients[static_cast<size_t>(giver_list_[k])];
        }
        gradients[static_cast<size_t>(fill_order_[i])] = size * nearest_rotation(sum);
    }
}

// What moves all that is matched together: the rotation of the geometric median by area
// [Weiszfeld37], which most of the surface decides, times `size`, both to the power of a share that
// is 1 where all gradients agree, and near 0 where they differ more than the median differs from
// rest: a jaw that opens does not nod the head.
Mat3 WantedGradients::common_motion(std::span<const Mat3> gradients, double size) const {
    Mat3 median = Mat3::Identity();
    double spread = 0;
    for (int round = 0; round < kMedianRounds; ++round) {
        Mat3 sum = Mat3::Zero();
        double weights = 0, area = 0, distances = 0;
        for (size_t t = 0; t < gradients.size(); ++t) {
            if (first_source_[t] == first_source_[t + 1]) continue;
            const double distance = (gradients[t] - median).norm();
            const double weight = areas_[t] / std::max(kMedianFloor, distance);
            sum += weight * gradients[t];
            weights += weight;
            area += areas_[t];
            distances += areas_[t] * distance;
        }
        if (!(weights > 0)) return Mat3::Identity();
        if (round > 0) spread = distances / area;
        median = sum / weights;
    }
    const double moved = (median - Mat3::Identity()).squaredNorm();
    const double differing = kDisagreement * spread * spread;
    const double share = moved > 0 ? moved / (moved + differing) : 1;
    const Eigen::AngleAxisd turn(nearest_rotation(median));
    return std::pow(size, share) *
           Eigen::AngleAxisd(share * turn.angle(), turn.axis()).toRotationMatrix();
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
