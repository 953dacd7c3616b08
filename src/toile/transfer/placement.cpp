// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/placement.h"

#include "toile/collision/closest_point.h"
#include "toile/core/error.h"
#include "toile/deformation/rotation.h"
#include "toile/mesh/geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace toile {
namespace {

/// How far a part may lie from what it sits in, as a part of the target's diagonal.
constexpr double kReach = 0.05;
/// Vertices of a part that look for what it sits in.
constexpr int kMostSamples = 16;
constexpr int kNone = -1;

/// Lists by key 0 … n-1 in one array: list[first[k] … first[k + 1]), each ascending.
void group(std::span<const int> key_of, int n_keys, std::vector<int>& out_first,
           std::vector<int>& out_list) {
    out_first.assign(static_cast<size_t>(n_keys) + 1, 0);
    for (const int key : key_of) {
        if (key != kNone) ++out_first[static_cast<size_t>(key) + 1];
    }
    std::partial_sum(out_first.begin(), out_first.end(), out_first.begin());
    out_list.resize(static_cast<size_t>(out_first.back()));
    std::vector<int> next(out_first.begin(), out_first.end() - 1);
    for (size_t i = 0; i < key_of.size(); ++i) {
        if (key_of[i] == kNone) continue;
        out_list[static_cast<size_t>(next[static_cast<size_t>(key_of[i])]++)] = static_cast<int>(i);
    }
}

std::span<const int> group_of(const std::vector<int>& first, const std::vector<int>& list,
                              int key) {
    const auto begin = static_cast<size_t>(first[static_cast<size_t>(key)]);
    const auto end = static_cast<size_t>(first[static_cast<size_t>(key) + 1]);
    return std::span<const int>(list).subspan(begin, end - begin);
}

double diagonal_of(const TriangleMesh& mesh, std::span<const int> vertices) {
    std::vector<Vec3> used;
    used.reserve(vertices.size());
    for (const int v : vertices) used.push_back(mesh.positions[static_cast<size_t>(v)]);
    return bounding_box(used).diagonal();
}

}  // namespace

/// What the construction looks at.
struct Placement::Setting {
    const PairGeometry& pairs;
    const TriangleMesh& source;
    const TriangleMesh& target;
    std::span<const double> areas;
    std::span<const int> part_of_vertex;
    std::vector<int> part_of_triangle;  ///< -1: without area
    double reach = 0;
    std::optional<ClosestPointQuery> surface;

    /// The nearest triangle of a part that `counts`, within reach.
    template <class Counts>
    [[nodiscard]] SurfacePoint nearest(int vertex, const Counts& counts) const {
        const auto filter = [&](int t) {
            const int part = part_of_triangle[static_cast<size_t>(t)];
            return part != kNone && counts(part);
        };
        return surface->closest(target.positions[static_cast<size_t>(vertex)],
                                {.max_distance = reach, .filter = filter});
    }
};

Placement::Placement(const PairGeometry& pairs, const TriangleMesh& source,
                     const TriangleMesh& target, const PoissonSystem& system,
                     const Mat3& source_to_target)
    : source_to_target_(source_to_target) {
    Setting setting{pairs, source, target, system.areas(), system.part_of_vertex(), {}, 0, {}};
    setting.part_of_triangle.reserve(target.triangles.size());
    for (size_t t = 0; t < target.triangles.size(); ++t) {
        const auto corner = static_cast<size_t>(target.triangles[t][0]);
        setting.part_of_triangle.push_back(setting.areas[t] > 0 ? setting.part_of_vertex[corner]
                                                                : kNone);
    }
    for (int part = 0; part < system.n_parts(); ++part) {
        anchored_.push_back(system.is_anchored(part));
    }
    group(setting.part_of_vertex, system.n_parts(), first_vertex_, vertex_list_);
    group(setting.part_of_triangle, system.n_parts(), first_triangle_, triangle_list_);
    for (size_t v = 0; v < setting.part_of_vertex.size(); ++v) {
        if (setting.part_of_vertex[v] == kNone) loose_vertices_.push_back(static_cast<int>(v));
    }
    setting.reach = kReach * diagonal_of(target, vertex_list_);
    rank_parts(setting);
    if (system.n_parts() > 1 || !loose_vertices_.empty()) {
        setting.surface.emplace(target.positions, target.triangles);
    }
    follow_parts(setting);
    follow_vertices(setting);
}

void Placement::rank_parts(const Setting& setting) {
    const size_t n_parts = anchored_.size();
    std::vector<double> area(n_parts, 0), paired_area(n_parts, 0);
    for (size_t t = 0; t < setting.part_of_triangle.size(); ++t) {
        if (setting.part_of_triangle[t] == kNone) continue;
        const auto part = static_cast<size_t>(setting.part_of_triangle[t]);
        area[part] += setting.areas[t];
        if (setting.pairs.has_pair(static_cast<int>(t))) paired_area[part] += setting.areas[t];
    }
    const auto main = std::max_element(paired_area.begin(), paired_area.end());
    if (main == paired_area.end() || *main == 0) {
        throw InvalidInput("No target triangle with area is paired with a source triangle.");
    }
    area[static_cast<size_t>(main - paired_area.begin())] = std::numeric_limits<double>::infinity();
    parts_by_rank_.resize(n_parts);
    std::iota(parts_by_rank_.begin(), parts_by_rank_.end(), 0);
    std::stable_sort(parts_by_rank_.begin(), parts_by_rank_.end(), [&](int a, int b) {
        return area[static_cast<size_t>(a)] > area[static_cast<size_t>(b)];
    });
    rank_of_part_.resize(n_parts);
    for (size_t r = 0; r < n_parts; ++r) {
        rank_of_part_[static_cast<size_t>(parts_by_rank_[r])] = static_cast<int>(r);
    }
    const auto triangles = group_of(first_triangle_, triangle_list_, parts_by_rank_[0]);
    static_cast<void>(add_patch(setting, {triangles.begin(), triangles.end()}));
    main_target_rest_ = patches_[0].means.target(setting.target.positions);
    main_source_rest_ = patches_[0].means.source(setting.source.positions);
}

int Placement::add_patch(const Setting& setting, std::vector<int> triangles) {
    Patch patch;
    patch.means = setting.pairs.means(triangles);
    patch.areas.reserve(triangles.size());
    for (const int t : triangles) patch.areas.push_back(setting.areas[static_cast<size_t>(t)]);
    patch.triangles = std::move(triangles);
    patches_.push_back(std::move(patch));
    return static_cast<int>(patches_.size()) - 1;
}

void Placement::follow_parts(const Setting& setting) {
    for (size_t rank = 1; rank < parts_by_rank_.size(); ++rank) {
        const int part = parts_by_rank_[rank];
        const auto vertices = group_of(first_vertex_, vertex_list_, part);
        const auto n = static_cast<int>(vertices.size());
        const int n_samples = std::min(n, kMostSamples);
        std::vector<int> samples;
        for (int i = 0; i < n_samples; ++i) {
            const long long place = static_cast<long long>(i) * n / n_samples;
            samples.push_back(vertices[static_cast<size_t>(place)]);
        }
        SurfacePoint best;
        for (const int v : samples) {
            const SurfacePoint found = setting.nearest(v, [&](int other) {
                return rank_of_part_[static_cast<size_t>(other)] < static_cast<int>(rank);
            });
            if (found.distance < best.distance) best = found;
        }
        Follower follower{.part = part, .own = {}};
        if (best.triangle != kNone) {
            const int host = setting.part_of_triangle[static_cast<size_t>(best.triangle)];
            std::vector<int> triangles = {best.triangle};
            for (const int v : samples) {
                const int t = setting.nearest(v, [&](int other) { return other == host; }).triangle;
                if (t != kNone) triangles.push_back(t);
            }
            std::sort(triangles.begin(), triangles.end());
            triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
            follower.patch = add_patch(setting, std::move(triangles));
        }
        const auto own = group_of(first_triangle_, triangle_list_, part);
        follower.own = setting.pairs.means(own);
        finish_follower(setting, follower);
        followers_.push_back(std::move(follower));
    }
}

void Placement::follow_vertices(const Setting& setting) {
    for (const int v : loose_vertices_) {
        Follower follower{.vertex = v, .own = {}};
        const SurfacePoint found = setting.nearest(v, [](int) { return true; });
        if (found.triangle != kNone) follower.patch = add_patch(setting, {found.triangle});
        follower.own.target = {.vertices = {v}, .weights = {1.0}};
        finish_follower(setting, follower);
        followers_.push_back(std::move(follower));
    }
}

void Placement::finish_follower(const Setting& setting, Follower& follower) const {
    const Patch& patch = patches_[static_cast<size_t>(follower.patch)];
    follower.offset = follower.own.target(setting.target.positions) -
                      patch.means.target(setting.target.positions);
    if (follower.own.source.empty() || patch.means.source.empty()) return;
    follower.source_offset = source_to_target_ * (follower.own.source(setting.source.positions) -
                                                  patch.means.source(setting.source.positions));
    // Sources that lie elsewhere than what they move say nothing of the distance of both.
    follower.uses_source =
        follower.patch == 0 || (follower.source_offset - follower.offset).norm() <= setting.reach;
}

// The mean gradient's rotation and size.
Mat3 Placement::similarity_of(const Patch& patch, std::span<const Mat3> gradients) const {
    Mat3 sum = Mat3::Zero();
    double area = 0;
    for (size_t i = 0; i < patch.triangles.size(); ++i) {
        sum += patch.areas[i] * gradients[static_cast<size_t>(patch.triangles[i])];
        area += patch.areas[i];
    }
    const Mat3 mean = sum / area;
    const Mat3 rotation = nearest_rotation(mean);
    return rotation.cwiseProduct(mean).sum() / 3 * rotation;
}

void Placement::complete(std::span<const char> known_parts, std::span<Mat3> gradients) const {
    for (const Follower& follower : followers_) {
        if (follower.part == kNone || known_parts[static_cast<size_t>(follower.part)]) continue;
        const Mat3 m = similarity_of(patches_[static_cast<size_t>(follower.patch)], gradients);
        for (const int t : group_of(first_triangle_, triangle_list_, follower.part)) {
            gradients[static_cast<size_t>(t)] = m;
        }
    }
}

void Placement::shift_part(int part, const Vec3& shift, std::span<Vec3> positions) const {
    for (const int v : group_of(first_vertex_, vertex_list_, part)) {
        positions[static_cast<size_t>(v)] += shift;
    }
}

void Placement::place(std::span<const Vec3> source_pose, std::span<const Mat3> gradients,
                      std::span<Vec3> in_out_positions) const {
    const int main = parts_by_rank_[0];
    if (!anchored_[static_cast<size_t>(main)]) {
        const Vec3 wanted =
            main_target_rest_ +
            source_to_target_ * (patches_[0].means.source(source_pose) - main_source_rest_);
        shift_part(main, wanted - patches_[0].means.target(in_out_positions), in_out_positions);
    }
    const Mat3 main_similarity = similarity_of(patches_[0], gradients);
    for (const Follower& follower : followers_) {
        if (follower.part != kNone && anchored_[static_cast<size_t>(follower.part)]) continue;
        const Patch& patch = patches_[static_cast<size_t>(follower.patch)];
        const Mat3 m = follower.patch == 0 ? main_similarity : similarity_of(patch, gradients);
        Vec3 wanted = patch.means.target(in_out_positions);
        if (follower.uses_source) {
            wanted += m * (follower.offset - follower.source_offset) +
                      source_to_target_ *
                          (follower.own.source(source_pose) - patch.means.source(source_pose));
        } else {
            wanted += m * follower.offset;
        }
        if (follower.part == kNone) {
            in_out_positions[static_cast<size_t>(follower.vertex)] = wanted;
        } else {
            const Vec3 now = follower.own.target(in_out_positions);
            shift_part(follower.part, wanted - now, in_out_positions);
        }
    }
}

}  // namespace toile
