// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/offset_system.h"

#include "toile/core/parallel.h"

#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr int kGrain = 256;

SparseMatrix system_matrix(const EditRegion& region, std::span<const TriangleHats> hats,
                           double pull_length) {
    const int n_local = static_cast<int>(region.vertices.size());
    SparseMatrix matrix = laplacian(hats, region.local_triangles, n_local)
                              .topLeftCorner(region.n_free, region.n_free);
    const std::vector<double> areas = vertex_areas(hats, region.local_triangles, n_local);
    const double length = pull_length * region_radius(hats);
    for (int i = 0; i < region.n_free; ++i) {
        const double pull = areas[i] / (length * length);
        matrix.coeffRef(i, i) += pull > 0 ? pull : 1.0;
    }
    return matrix;
}

// Summed, since a triangle may name a vertex twice.
Vec3 hat_of_vertex(const TriangleHats& hats, const Triangle& corners, int vertex) {
    Vec3 sum = Vec3::Zero();
    for (int c = 0; c < 3; ++c) {
        if (corners[c] == vertex) sum += hats.hats[c];
    }
    return sum;
}

}  // namespace

double region_radius(std::span<const TriangleHats> hats) {
    double area = 0;
    for (const TriangleHats& hat : hats) area += hat.area;
    return std::sqrt(area / std::numbers::pi);
}

OffsetSystem::OffsetSystem(const EditRegion& region, std::span<const TriangleHats> hats,
                           double pull_length)
    : region_(region), hats_(hats) {
    if (region.n_free > 0) factor_.emplace(system_matrix(region, hats, pull_length));
}

void OffsetSystem::subtract_targets(std::span<const Vec3> targets,
                                    std::span<Mat3> inout_gradients) const {
    const int n = static_cast<int>(region_.local_triangles.size());
    parallel_for(n, kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const Triangle& corners = region_.local_triangles[k];
            for (int c = 0; c < 3; ++c) {
                inout_gradients[k] -= targets[corners[c]] * hats_[k].hats[c].transpose();
            }
        }
    });
}

void OffsetSystem::solve(std::span<Mat3> inout_gradients, std::span<const Vec3> targets,
                         std::span<Vec3> out_offsets) const {
    if (!factor_) return;
    subtract_targets(targets, inout_gradients);
    parallel_for(region_.n_free, kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            out_offsets[i].setZero();
            for (const int k : region_.around.triangles_of_vertex(i)) {
                const Vec3 hat = hat_of_vertex(hats_[k], region_.local_triangles[k], i);
                out_offsets[i] += hats_[k].area * (inout_gradients[k] * hat);
            }
        }
    });
    factor_->solve(out_offsets, out_offsets);
    for (int i = 0; i < region_.n_free; ++i) out_offsets[i] += targets[i];
}

}  // namespace toile
