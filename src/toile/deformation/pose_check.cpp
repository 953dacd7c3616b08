// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/pose_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr double kStretched = 4;
constexpr double kLeap = 16;
// On the field's data clean poses have up to 1.2 % stretched edges and none that leaps; a pose with
// some hundred vertices out of order has 0.5 % that leap (docs/decisions.md).
constexpr double kMostStretched = 0.1;
constexpr double kMostLeaps = 0.001;
constexpr double kDoubtful = 0.02;
constexpr size_t kMostWorst = 10;
constexpr size_t kWorstInMessage = 3;
/// How far the size of a shape may change beside its spread, as when a cat rolls up.
constexpr double kMostSizeChange = 2;
/// Edges shorter than this part of the shape's spread count as that long, so that points that lie
/// on one another may part a little.
constexpr double kShortest = 1e-6;

/// Root of the mean squared distance from the centroid: the same in any order of the vertices.
double spread(std::span<const Vec3> positions) {
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : positions) mean += p;
    mean /= static_cast<double>(positions.size());
    double sum = 0;
    for (const Vec3& p : positions) sum += (p - mean).squaredNorm();
    return std::sqrt(sum / static_cast<double>(positions.size()));
}

double length(const Edge& e, std::span<const Vec3> positions) {
    return (positions[static_cast<size_t>(e[1])] - positions[static_cast<size_t>(e[0])]).norm();
}

/// Edge lengths of the pose over those of the rest mesh, both as parts of the shapes' spreads.
std::vector<double> length_ratios(std::span<const Edge> edges, std::span<const Vec3> rest,
                                  std::span<const Vec3> pose) {
    std::vector<double> ratios(edges.size(), 1.0);
    const double rest_spread = spread(rest), pose_spread = spread(pose);
    if (!(rest_spread > 0 && pose_spread > 0)) return ratios;
    for (size_t e = 0; e < edges.size(); ++e) {
        ratios[e] = std::max(length(edges[e], pose) / pose_spread, kShortest) /
                    std::max(length(edges[e], rest) / rest_spread, kShortest);
    }
    return ratios;
}

/// By which all ratios are divided.
double common_ratio(std::vector<double> ratios) {
    if (ratios.empty()) return 1;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return std::clamp(*middle, 1 / kMostSizeChange, kMostSizeChange);
}

std::vector<EdgeStretch> most_lengthened(std::vector<EdgeStretch> edges) {
    const auto n_worst = static_cast<std::ptrdiff_t>(std::min(edges.size(), kMostWorst));
    std::partial_sort(edges.begin(), edges.begin() + n_worst, edges.end(),
                      [](const EdgeStretch& a, const EdgeStretch& b) {
                          return a.ratio != b.ratio ? a.ratio > b.ratio : a.edge < b.edge;
                      });
    edges.erase(edges.begin() + n_worst, edges.end());
    return edges;
}

}  // namespace

bool PoseCheck::belongs() const {
    return share() <= kMostStretched && n_leaps <= kMostLeaps * n_edges;
}

bool PoseCheck::is_doubtful() const {
    return belongs() && (share() > kDoubtful || n_leaps > 0);
}

std::string PoseCheck::worst_edges() const {
    std::string text;
    for (size_t i = 0; i < std::min(worst.size(), kWorstInMessage); ++i) {
        text += fmt::format("{}edge {}-{} is {:.3g} times as long as at rest", i ? ", " : "",
                            worst[i].edge[0], worst[i].edge[1], worst[i].ratio);
    }
    return text;
}

PoseCheck check_pose(std::span<const Edge> edges, std::span<const Vec3> rest,
                     std::span<const Vec3> pose) {
    const std::vector<double> ratios = length_ratios(edges, rest, pose);
    const double common = common_ratio(ratios);
    PoseCheck check{.n_edges = static_cast<int>(edges.size()), .worst = {}};
    std::vector<EdgeStretch> lengthened;
    for (size_t e = 0; e < edges.size(); ++e) {
        const double ratio = ratios[e] / common;
        check.n_stretched += ratio > kStretched || ratio * kStretched < 1;
        check.n_leaps += ratio > kLeap;
        if (ratio > 1) lengthened.push_back({edges[e], ratio});
    }
    check.worst = most_lengthened(std::move(lengthened));
    return check;
}

}  // namespace toile
