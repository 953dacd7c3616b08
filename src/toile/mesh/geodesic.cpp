// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/geodesic.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace toile {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A way must be shorter by this part to spread again: what rounding gains is no gain.
constexpr double kSmallestGain = 1e-12;

/// The spreading of one query.
class Spreading {
  public:
    Spreading(std::span<const Triangle> triangles, const VertexTriangles& around,
              std::span<const Vec3> positions, double radius)
        : triangles_(triangles),
          around_(around),
          positions_(positions),
          radius_(radius),
          distances_(positions.size(), kInfinity) {}

    void start(int vertex) { reach(vertex, 0); }

    void run() {
        while (!front_.empty()) {
            const auto [distance, vertex] = front_.top();
            front_.pop();
            if (distance > distances_[static_cast<size_t>(vertex)]) continue;
            for (const int t : around_.triangles_of_vertex(vertex)) {
                spread(vertex, triangles_[static_cast<size_t>(t)]);
            }
        }
    }

    [[nodiscard]] GeodesicDistances take() {
        std::sort(reached_.begin(), reached_.end());
        GeodesicDistances result;
        for (const int v : reached_) {
            const double distance = distances_[static_cast<size_t>(v)];
            if (distance > radius_) continue;
            result.vertices.push_back(v);
            result.distances.push_back(distance);
        }
        return result;
    }

  private:
    using Entry = std::pair<double, int>;

    void reach(int vertex, double distance) {
        double& known = distances_[static_cast<size_t>(vertex)];
        if (!(distance < known) ||
            (std::isfinite(known) && known - distance <= kSmallestGain * known))
            return;
        if (!std::isfinite(known)) reached_.push_back(vertex);
        known = distance;
        if (distance <= radius_) front_.emplace(distance, vertex);
    }

    void spread(int from, const Triangle& corners) {
        for (const int to : corners) {
            if (to == from) continue;
            const double at_from = distances_[static_cast<size_t>(from)];
            reach(to, at_from + (position(to) - position(from)).norm());
            for (const int other : corners) {
                if (other == from || other == to) continue;
                reach(to,
                      detail::distance_through(position(from), position(other), position(to),
                                               at_from, distances_[static_cast<size_t>(other)]));
            }
        }
    }

    [[nodiscard]] const Vec3& position(int v) const { return positions_[static_cast<size_t>(v)]; }

    std::span<const Triangle> triangles_;
    const VertexTriangles& around_;
    std::span<const Vec3> positions_;
    double radius_;
    std::vector<double> distances_;
    std::vector<int> reached_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front_;
};

}  // namespace

namespace detail {

// In the triangle's plane, a at the origin and b at (length, 0), c above: the source is below at
// (x, -y) with both distances, and c at (u, v) sees it where the line crosses the edge.
double distance_through(const Vec3& a, const Vec3& b, const Vec3& c, double at_a, double at_b) {
    const Vec3 edge = b - a;
    const double length = edge.norm();
    if (!(length > 0) || !std::isfinite(at_a) || !std::isfinite(at_b)) return kInfinity;
    const Vec3 along = edge / length;
    const double u = (c - a).dot(along);
    const double v = (c - a - u * along).norm();
    const double x = 0.5 * (length + (at_a - at_b) * (at_a + at_b) / length);
    const double y_squared = (at_a - x) * (at_a + x);
    if (!(y_squared >= 0) || !(v > 0)) return kInfinity;
    const double y = std::sqrt(y_squared);
    const double crossing = (x * v + u * y) / (v + y);
    if (!(crossing > 0) || !(crossing < length)) return kInfinity;
    return std::hypot(u - x, v + y);
}

}  // namespace detail

SurfaceDistance::SurfaceDistance(std::span<const Triangle> triangles, int n_vertices)
    : triangles_(triangles.begin(), triangles.end()),
      around_(build_vertex_triangles(triangles, n_vertices)),
      n_vertices_(n_vertices) {}

GeodesicDistances SurfaceDistance::within(std::span<const Vec3> positions,
                                          std::span<const int> sources, double radius) const {
    if (static_cast<int>(positions.size()) != n_vertices_) {
        throw InvalidInput(
            fmt::format("Distances over a surface of {} vertices need as many "
                        "points; found {}.",
                        n_vertices_, positions.size()));
    }
    if (!(radius >= 0)) {
        throw InvalidInput(
            fmt::format("Expected a radius of 0 or more on the surface, found {}.", radius));
    }
    for (size_t v = 0; v < positions.size(); ++v) {
        if (positions[v].allFinite()) continue;
        throw InvalidInput(fmt::format(
            "Distances over a surface need finite points; vertex {} has a coordinate that is not.",
            v));
    }
    Spreading spreading(triangles_, around_, positions, radius);
    for (const int source : sources) {
        if (source < 0 || source >= n_vertices_) {
            throw InvalidInput(
                fmt::format("There is no vertex {} to measure from; the mesh has {} vertices.",
                            source, n_vertices_));
        }
        spreading.start(source);
    }
    spreading.run();
    return spreading.take();
}

}  // namespace toile
