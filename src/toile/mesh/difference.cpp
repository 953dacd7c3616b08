// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/difference.h"

#include "toile/core/error.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

double distance(const Vec3& a, const Vec3& b) {
    if (same(a.x(), b.x()) && same(a.y(), b.y()) && same(a.z(), b.z())) return 0;
    const Vec3 difference = a - b;
    return difference.allFinite() ? difference.stableNorm()
                                  : std::numeric_limits<double>::infinity();
}

}  // namespace

double percent_of(double distance, double diagonal) {
    if (distance == 0 || std::isinf(distance)) return distance;
    return 100 * (distance / diagonal);
}

double VertexDifference::percent(double distance) const {
    return percent_of(distance, diagonal);
}

VertexDifference vertex_difference(std::span<const Vec3> reference, std::span<const Vec3> positions,
                                   Alignment kind) {
    if (reference.size() != positions.size()) {
        throw InvalidInput(fmt::format(
            "Only meshes with equal numbers of vertices can be compared; found {} and {}.",
            reference.size(), positions.size()));
    }
    VertexDifference result;
    result.diagonal = bounding_box(reference).diagonal();
    if (kind != Alignment::None) result.alignment = align(positions, reference, kind);
    double sum = 0;
    double sum_of_squares = 0;
    for (size_t v = 0; v < reference.size(); ++v) {
        const Vec3& p = positions[v];
        const double d = distance(
            reference[v], kind == Alignment::None ? p : Vec3(result.alignment.transform(p)));
        sum += d;
        sum_of_squares += d * d;
        if (d > result.max || result.worst_vertex < 0) {
            result.max = d;
            result.worst_vertex = static_cast<int>(v);
        }
    }
    const double n = std::max(1.0, static_cast<double>(reference.size()));
    result.mean = sum / n;
    result.rms = std::sqrt(sum_of_squares / n);
    return result;
}

}  // namespace toile
