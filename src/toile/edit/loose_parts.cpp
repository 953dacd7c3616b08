// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/loose_parts.h"

#include "toile/mesh/geometry.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace toile {
namespace {

constexpr size_t kMostSamples = 256;  // vertices of a part whose nearest neighbours are looked for

struct Component {
    std::vector<int> vertices;
    std::vector<int> moved;
    BoundingBox box;  // of all vertices
    bool has_border = false;
};

double distance_between(const BoundingBox& a, const BoundingBox& b) {
    return (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0).norm();
}

std::vector<Component> components_of(const EditRegion& region, std::span<const Vec3> positions,
                                     std::span<const char> is_moved) {
    const int n = static_cast<int>(region.vertices.size());
    const std::vector<int> number = vertex_components(region.local_triangles, n);
    std::vector<Component> components;
    for (int i = 0; i < n; ++i) {
        if (number[i] >= static_cast<int>(components.size())) components.resize(number[i] + 1);
        Component& component = components[number[i]];
        component.vertices.push_back(i);
        component.box.min = component.box.min.cwiseMin(positions[i]);
        component.box.max = component.box.max.cwiseMax(positions[i]);
        if (is_moved[i]) component.moved.push_back(i);
        component.has_border = component.has_border || i >= region.n_free;
    }
    std::stable_sort(components.begin(), components.end(),
                     [](const Component& a, const Component& b) {
                         return std::tuple(!a.has_border, b.vertices.size()) <
                                std::tuple(!b.has_border, a.vertices.size());
                     });
    return components;
}

struct Nearest {
    double distance = std::numeric_limits<double>::infinity();  // of the closest pair
    std::vector<int> places;
};

int nearest_to(const Vec3& point, std::span<const int> places, std::span<const Vec3> positions) {
    int best = places[0];
    for (const int i : places) {
        if ((positions[i] - point).squaredNorm() < (positions[best] - point).squaredNorm()) {
            best = i;
        }
    }
    return best;
}

Nearest nearest_places(std::span<const int> part, std::span<const int> places,
                       std::span<const Vec3> positions) {
    Nearest result;
    if (places.empty()) return result;
    const size_t stride = (part.size() + kMostSamples - 1) / kMostSamples;
    for (size_t k = 0; k < part.size(); k += stride) {
        const Vec3& point = positions[part[k]];
        const int i = nearest_to(point, places, positions);
        result.distance = std::min(result.distance, (positions[i] - point).norm());
        result.places.push_back(i);
    }
    std::sort(result.places.begin(), result.places.end());
    result.places.erase(std::unique(result.places.begin(), result.places.end()),
                        result.places.end());
    return result;
}

}  // namespace

std::vector<LoosePart> find_loose_parts(const EditRegion& region, std::span<const Vec3> positions,
                                        std::span<const char> is_moved, double reach) {
    const std::vector<Component> components = components_of(region, positions, is_moved);
    std::vector<LoosePart> parts;
    for (size_t c = 1; c < components.size(); ++c) {
        if (components[c].has_border || components[c].moved.empty()) continue;
        Nearest nearest;
        for (size_t other = 0; other < c; ++other) {
            const double least = distance_between(components[c].box, components[other].box);
            if (least > reach || least >= nearest.distance) continue;
            Nearest candidate =
                nearest_places(components[c].vertices, components[other].moved, positions);
            if (candidate.distance < nearest.distance) nearest = std::move(candidate);
        }
        if (nearest.distance <= reach) {
            parts.push_back({components[c].vertices, std::move(nearest.places)});
        }
    }
    return parts;
}

Vec3 mean_at(std::span<const int> places, std::span<const Vec3> values) {
    Vec3 sum = Vec3::Zero();
    for (const int i : places) sum += values[i];
    return sum / static_cast<double>(places.size());
}

}  // namespace toile
