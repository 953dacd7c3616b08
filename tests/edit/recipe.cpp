// SPDX-License-Identifier: Apache-2.0
#include "edit/recipe.h"

#include "toile/mesh/alignment.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"
#include "toile/mesh/transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace toile::test {
namespace {

std::vector<Vec3> chosen(std::span<const Vec3> positions, std::span<const int> places) {
    std::vector<Vec3> result;
    for (const int v : places) result.push_back(positions[static_cast<size_t>(v)]);
    return result;
}

}  // namespace

std::vector<double> edge_distances(const TriangleMesh& mesh, int source) {
    std::vector<std::vector<int>> neighbours(mesh.positions.size());
    for (const auto& [a, b] : build_edges(mesh.triangles, mesh.n_vertices()).edges) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    std::vector<double> distance(mesh.positions.size(), std::numeric_limits<double>::infinity());
    using Item = std::pair<double, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    distance[source] = 0;
    queue.emplace(0, source);
    while (!queue.empty()) {
        const auto [d, v] = queue.top();
        queue.pop();
        if (d > distance[v]) continue;
        for (const int w : neighbours[v]) {
            const double through = d + (mesh.positions[v] - mesh.positions[w]).norm();
            if (through >= distance[w]) continue;
            distance[w] = through;
            queue.emplace(through, w);
        }
    }
    return distance;
}

Recipe::Recipe(const TriangleMesh& mesh, const Options& options) : mesh_(mesh), options_(options) {
    const std::vector<double> distance = edge_distances(mesh, options.tip);
    std::vector<int> center_of;
    for (int v = 0; v < mesh.n_vertices(); ++v) {
        const double d = distance[v];
        const double weight = std::clamp((options.reach - d) / options.band, 0.0, 1.0);
        weights_.push_back(weight);
        if (weight > 0) moved_.push_back(v);
        const bool in_band = weight > 0 && weight < 1;
        if (options.kind == Kind::Turn ? in_band : weight > 0) center_of.push_back(v);
    }
    for (const Vec3& p : chosen(mesh.positions, center_of)) center_ += p;
    center_ /= static_cast<double>(center_of.size());
}

Vec3 Recipe::offset(const Vec3& p, double weight, const Vec3& center, const Vec3& axis) const {
    const Vec3 arm = p - center;
    switch (options_.kind) {
        case Kind::Turn:
            return rotation_about_axis(axis, weight * options_.amount) * arm - arm;
        case Kind::Swell:
            return weight * options_.amount * arm;
        case Kind::Widen:
            return weight * options_.amount * axis.dot(arm) * axis;
        case Kind::Emblem:
            break;
    }
    return weight * options_.amount * axis;
}

std::vector<Vec3> Recipe::made_in(std::span<const Vec3> positions) const {
    const Transform moved =
        align(chosen(mesh_.positions, moved_), chosen(positions, moved_), Alignment::Rigid)
            .transform;
    const Vec3 center = moved(center_);
    const Vec3 axis = moved.rotation * options_.axis.normalized();
    const std::vector<Vec3> normals = vertex_normals(positions, mesh_.triangles);
    std::vector<Vec3> result(positions.begin(), positions.end());
    for (const int v : moved_) {
        const bool emblem = options_.kind == Kind::Emblem;
        result[v] += offset(positions[v], weights_[v], center, emblem ? normals[v] : axis);
    }
    return result;
}

double Recipe::size() const {
    return distance_over_moved(*this, made_in(mesh_.positions), mesh_.positions);
}

double distance_over_moved(const Recipe& recipe, std::span<const Vec3> found,
                           std::span<const Vec3> expected) {
    double sum = 0;
    for (const int v : recipe.moved()) sum += (found[v] - expected[v]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(recipe.moved().size()));
}

int opposed_triangles(const TriangleMesh& mesh, std::span<const Vec3> found,
                      std::span<const Vec3> expected) {
    const std::vector<Vec3> a = triangle_normals(found, mesh.triangles);
    const std::vector<Vec3> b = triangle_normals(expected, mesh.triangles);
    int n = 0;
    for (size_t t = 0; t < a.size(); ++t) n += a[t].dot(b[t]) < 0;
    return n;
}

}  // namespace toile::test
