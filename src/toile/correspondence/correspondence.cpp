// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/correspondence.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace toile {
namespace {

constexpr size_t kNamedMarkers = 5;

int nearest_vertex(const TriangleMesh& mesh, const Vec3& place) {
    const auto nearer = [&](const Vec3& a, const Vec3& b) {
        return (a - place).squaredNorm() < (b - place).squaredNorm();
    };
    const auto found = std::min_element(mesh.positions.begin(), mesh.positions.end(), nearer);
    return static_cast<int>(found - mesh.positions.begin());
}

void warn_of_markers(const TriangleMesh& target, std::span<const Marker> markers,
                     const FitResult& fit) {
    const double diagonal = bounding_box(target.positions).diagonal();
    std::vector<size_t> bad;
    for (size_t i = 0; i < markers.size(); ++i) {
        if (fit.markers[i].implausible) bad.push_back(i);
    }
    std::stable_sort(bad.begin(), bad.end(), [&](size_t a, size_t b) {
        return fit.markers[a].distance > fit.markers[b].distance;
    });
    for (size_t k = 0; k < std::min(bad.size(), kNamedMarkers); ++k) {
        const Marker& marker = markers[bad[k]];
        const MarkerResidual& residual = fit.markers[bad[k]];
        log_warning(fmt::format(
            "Marker {} -> {}{} is implausible: the others put source vertex {} {:.3g} % of the "
            "diagonal away, near target vertex {}.",
            marker.source, marker.target,
            marker.line > 0 ? fmt::format(" (line {})", marker.line) : "", marker.source,
            100 * residual.distance / diagonal, nearest_vertex(target, residual.predicted)));
    }
    if (bad.size() > kNamedMarkers) {
        log_warning(fmt::format("{} more markers are implausible.", bad.size() - kNamedMarkers));
    }
}

void warn_of_unmatched(const TriangleMesh& target, const FitQuality& quality) {
    constexpr double kMuch = 1;  // percent of the area
    if (quality.covered_area >= 100 - kMuch) return;
    log_warning(
        fmt::format("{} of {} target triangles ({:.3g} % of the area) have no source "
                    "triangle; a transfer treats them by rule.",
                    quality.n_unmatched, target.n_triangles(), 100 - quality.covered_area));
}

}  // namespace

CorrespondenceOptions correspondence_options(FitKind kind) {
    CorrespondenceOptions options;
    options.fit = fit_options(kind);
    if (options.fit.kind == FitKind::Classic) {
        options.pairs.n_nearest = 3;
        options.pairs.max_angle = std::numbers::pi / 2;
    }
    return options;
}

Correspondence correspond(const TriangleMesh& source, const TriangleMesh& target,
                          std::span<const Marker> markers, const CorrespondenceOptions& options,
                          const JobControl& control) {
    Correspondence result;
    result.fit = fit_to_surface(source, target, markers, options.fit, control);
    warn_of_markers(target, markers, result.fit);
    result.pairs = find_pairs(result.fit.positions, source.triangles, target.positions,
                              target.triangles, options.pairs);
    if (result.pairs.source_list.empty()) {
        throw ComputationFailed(
            "The fit left no source triangle near any target triangle; check the markers.");
    }
    result.quality = measure_fit(source, target, result.fit, result.pairs);
    warn_of_unmatched(target, result.quality);
    return result;
}

MatchColors match_colors(const TriangleMesh& source, const TrianglePairs& pairs) {
    const BoundingBox box = bounding_box(source.positions);
    const Vec3 size = box.size().cwiseMax(1e-300);
    MatchColors colors;
    for (const Triangle& t : source.triangles) {
        Vec3 sum = Vec3::Zero();
        for (const int v : t) sum += source.positions[static_cast<size_t>(v)];
        colors.source.push_back((sum / 3 - box.min).cwiseQuotient(size));
    }
    for (int t = 0; t < pairs.n_target_triangles(); ++t) {
        const std::span<const int> sources = pairs.sources_of(t);
        colors.target.push_back(sources.empty() ? Vec3(Vec3::Constant(0.5))
                                                : colors.source[static_cast<size_t>(sources[0])]);
    }
    return colors;
}

}  // namespace toile
