// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/surface_gaps.h"

#include "toile/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace toile {
namespace {

constexpr int kGrain = 64;

bool has_vertex(const Triangle& triangle, int v) {
    return triangle[0] == v || triangle[1] == v || triangle[2] == v;
}

}  // namespace

SurfaceGaps::SurfaceGaps(std::vector<GapSurface> surfaces) : surfaces_(std::move(surfaces)) {
    for (const GapSurface& surface : surfaces_) {
        queries_.emplace_back(surface.positions, surface.triangles);
    }
}

void SurfaceGaps::move(size_t surface, std::span<const Vec3> positions) {
    surfaces_[surface].positions = positions;
    queries_[surface].refit(positions);
}

void SurfaceGaps::compute(size_t surface, std::span<double> out_gaps) const {
    parallel_for(static_cast<int>(out_gaps.size()), kGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) out_gaps[static_cast<size_t>(v)] = gap(surface, v);
    });
}

double SurfaceGaps::gap(size_t surface, int v) const {
    const GapSurface& own = surfaces_[surface];
    const Vec3& p = own.positions[static_cast<size_t>(v)];
    double smallest = std::numeric_limits<double>::infinity();
    for (size_t other = 0; other < surfaces_.size(); ++other) {
        if (own.obstacle && surfaces_[other].obstacle) continue;
        ClosestPointOptions options{.max_distance = smallest, .filter = {}};
        if (other == surface) {
            options.filter = [&](int t) {
                return !has_vertex(own.triangles[static_cast<size_t>(t)], v);
            };
        }
        smallest = std::min(smallest, queries_[other].closest(p, options).distance);
    }
    return std::isinf(smallest) ? std::numeric_limits<double>::quiet_NaN() : smallest;
}

}  // namespace toile
