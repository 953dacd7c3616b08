// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/fit_quality.h"

#include "toile/collision/closest_point.h"
#include "toile/core/parallel.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace toile {
namespace {

constexpr int kPointGrain = 256;
constexpr size_t kListed = 10;
/// Bad places nearer to each other than this part of the diagonal are one.
constexpr double kApart = 0.05;

std::vector<char> used_vertices(const TriangleMesh& mesh) {
    std::vector<char> used(mesh.positions.size(), 0);
    for (const Triangle& t : mesh.triangles) {
        for (const int v : t) used[static_cast<size_t>(v)] = 1;
    }
    return used;
}

/// Of the vertices of triangles, in percent; others 0.
std::vector<double> distances(const std::vector<Vec3>& positions, const std::vector<char>& used,
                              const TriangleMesh& target, double diagonal) {
    const ClosestPointQuery query(target.positions, target.triangles);
    std::vector<double> result(positions.size(), 0.0);
    parallel_for(static_cast<int>(positions.size()), kPointGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto v = static_cast<size_t>(i);
            if (!used[v]) continue;
            result[v] = 100 * query.closest(positions[v]).distance / diagonal;
        }
    });
    return result;
}

int count_folds(const TriangleMesh& source, std::span<const Vec3> laid) {
    const std::vector<Vec3> before = triangle_normals(source.positions, source.triangles);
    const std::vector<Vec3> after = triangle_normals(laid, source.triangles);
    const EdgeTopology topology = build_edges(source.triangles, source.n_vertices());
    const double cosine = std::cos(kFoldAngle);
    int n = 0;
    for (int e = 0; e < topology.n_edges(); ++e) {
        const std::span<const int> around = topology.triangles_of_edge(e);
        if (around.size() != 2) continue;
        const auto a = static_cast<size_t>(around[0]);
        const auto b = static_cast<size_t>(around[1]);
        n += after[a].dot(after[b]) < cosine && before[a].dot(before[b]) >= cosine;
    }
    return n;
}

std::vector<BadPlace> worst_places(std::span<const Vec3> laid, std::span<const double> distance,
                                   double diagonal) {
    std::vector<int> order(laid.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return distance[static_cast<size_t>(a)] > distance[static_cast<size_t>(b)];
    });
    std::vector<BadPlace> places;
    for (const int v : order) {
        const auto i = static_cast<size_t>(v);
        if (places.size() == kListed || distance[i] <= 0) break;
        const bool is_new = std::none_of(places.begin(), places.end(), [&](const BadPlace& place) {
            return (laid[static_cast<size_t>(place.vertex)] - laid[i]).norm() < kApart * diagonal;
        });
        if (is_new) places.push_back({v, distance[i]});
    }
    return places;
}

std::vector<UnmatchedPatch> unmatched_patches(const TriangleMesh& target,
                                              const TrianglePairs& pairs,
                                              std::span<const double> areas, double total) {
    std::vector<Triangle> bare;
    std::vector<int> index;
    for (int t = 0; t < target.n_triangles(); ++t) {
        if (!pairs.sources_of(t).empty()) continue;
        bare.push_back(target.triangles[static_cast<size_t>(t)]);
        index.push_back(t);
    }
    const std::vector<int> component = vertex_components(bare, target.n_vertices());
    std::vector<UnmatchedPatch> of_component(target.positions.size());
    for (size_t i = 0; i < bare.size(); ++i) {
        const auto c = static_cast<size_t>(component[static_cast<size_t>(bare[i][0])]);
        UnmatchedPatch& patch = of_component[c];
        if (patch.n_triangles++ == 0) patch.first_triangle = index[i];
        if (total > 0) {
            patch.area_share += 100 * areas[static_cast<size_t>(index[i])] / total;
        }
    }
    std::erase_if(of_component, [](const UnmatchedPatch& p) { return p.n_triangles == 0; });
    std::stable_sort(of_component.begin(), of_component.end(),
                     [](const UnmatchedPatch& a, const UnmatchedPatch& b) {
                         return a.n_triangles > b.n_triangles;
                     });
    if (of_component.size() > kListed) of_component.resize(kListed);
    return of_component;
}

void measure_distances(std::span<const double> distance, const std::vector<char>& used,
                       FitQuality& quality) {
    std::vector<double> sorted;
    for (size_t v = 0; v < distance.size(); ++v) {
        if (used[v]) sorted.push_back(distance[v]);
    }
    if (sorted.empty()) return;
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(sorted.size());
    quality.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
    quality.p95 = sorted[static_cast<size_t>(0.95 * (n - 1))];
    quality.max = sorted.back();
}

void measure_pairs(const TriangleMesh& target, const TrianglePairs& pairs, FitQuality& quality) {
    const std::vector<double> areas = triangle_areas(target.positions, target.triangles);
    const double total = std::accumulate(areas.begin(), areas.end(), 0.0);
    double covered = 0;
    for (int t = 0; t < pairs.n_target_triangles(); ++t) {
        if (pairs.sources_of(t).empty()) {
            ++quality.n_unmatched;
        } else {
            covered += areas[static_cast<size_t>(t)];
        }
    }
    quality.covered_area = total > 0 ? 100 * covered / total : 0;
    quality.n_pairs = static_cast<int>(pairs.source_list.size());
    std::vector<char> used(static_cast<size_t>(pairs.n_source_triangles), 0);
    for (const int s : pairs.source_list) used[static_cast<size_t>(s)] = 1;
    quality.n_source_unused = static_cast<int>(std::count(used.begin(), used.end(), 0));
    quality.unmatched = unmatched_patches(target, pairs, areas, total);
}

}  // namespace

FitQuality measure_fit(const TriangleMesh& source, const TriangleMesh& target, const FitResult& fit,
                       const TrianglePairs& pairs) {
    const double diagonal = bounding_box(target.positions).diagonal();
    const std::vector<char> used = used_vertices(source);
    const std::vector<double> distance = distances(fit.positions, used, target, diagonal);
    FitQuality quality;
    measure_distances(distance, used, quality);
    const auto n_pulled = std::count_if(fit.pulled.begin(), fit.pulled.end(),
                                        [](const SurfacePoint& p) { return p.triangle >= 0; });
    const auto n_used = std::count(used.begin(), used.end(), 1);
    quality.pulled_share =
        n_used > 0 ? 100 * static_cast<double>(n_pulled) / static_cast<double>(n_used) : 0;
    quality.n_folds = count_folds(source, fit.positions);
    quality.worst_places = worst_places(fit.positions, distance, diagonal);
    measure_pairs(target, pairs, quality);
    return quality;
}

}  // namespace toile
