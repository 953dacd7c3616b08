// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/surface_handle.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/deformation/rotation.h"
#include "toile/edit/edit_weights.h"
#include "toile/mesh/geodesic.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace toile {
namespace {

constexpr int kGrain = 128;
/// So near to the falloff the pull grows no more; in falloffs.
constexpr double kNearestToFalloff = 1e-3;
constexpr double kFarthest = std::numeric_limits<float>::max();  // m

/// s(t) falloff²: no pull at the selection, and 2 / (1 - t)² near the falloff, where the offset in
/// one dimension then falls like (1 - t)², flat at its end.
double pull_home(double t) {
    const double rest = std::max(1 - t, kNearestToFalloff);
    return 2 * smoothstep(t) / (rest * rest);
}

void require_vertices(std::span<const int> vertices, size_t n_vertices, const char* role) {
    for (const int v : vertices) {
        if (v >= 0 && static_cast<size_t>(v) < n_vertices) continue;
        throw InvalidInput(fmt::format("The {} names vertex {}; the mesh has vertices 0 to {}.",
                                       role, v, static_cast<long>(n_vertices) - 1));
    }
}

/// Squares of what is in this range, and their products, are far from the end of double.
void require_in_range(std::span<const Vec3> moved, std::span<const int> vertices) {
    for (const int v : vertices) {
        // Also false for what is not a number.
        if (moved[v].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kFarthest) continue;
        throw InvalidInput(
            fmt::format("The move takes vertex {} to ({:.3g}, {:.3g}, {:.3g}); expected "
                        "coordinates of at most {:.3g} m.",
                        v, moved[v].x(), moved[v].y(), moved[v].z(), kFarthest));
    }
}

void require_finite(std::span<const Vec3> positions) {
    for (size_t v = 0; v < positions.size(); ++v) {
        if (positions[v].allFinite()) continue;
        throw InvalidInput(fmt::format("Vertex {} has a coordinate that is no finite number.", v));
    }
}

Mat3 cofactors(const Mat3& f) {
    Mat3 result;
    result << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    return result;
}

}  // namespace

SurfaceHandle::SurfaceHandle(std::span<const Triangle> triangles, std::vector<Vec3> positions,
                             std::span<const int> selection, HandleOptions options)
    : options_(std::move(options)), rest_(std::move(positions)) {
    require_valid_indices(triangles, static_cast<int>(rest_.size()));
    require_finite(rest_);
    require_vertices(selection, rest_.size(), "selection");
    require_vertices(options_.fixed, rest_.size(), "list of fixed vertices");
    if (!(options_.falloff >= 0)) {
        throw InvalidInput(
            fmt::format("A falloff must be 0 m or more; found {}.", options_.falloff));
    }
    if (options_.iterations < 1) {
        throw InvalidInput(
            fmt::format("A drag needs 1 iteration or more; found {}.", options_.iterations));
    }
    const std::vector<char> is_free = weigh(triangles, selection);
    if (options_.mode == HandleMode::Arap) set_up(triangles, is_free);
}

/// Returns which vertices are free: may move, and are not selected.
std::vector<char> SurfaceHandle::weigh(std::span<const Triangle> triangles,
                                       std::span<const int> selection) {
    std::vector<char> stays(rest_.size(), 0), selected(rest_.size(), 0), is_free(rest_.size(), 0);
    for (const int v : options_.fixed) stays[v] = 1;
    for (const int v : selection) selected[v] = 1;
    const SurfaceDistance surface(triangles, static_cast<int>(rest_.size()));
    const GeodesicDistances near = surface.within(rest_, selection, options_.falloff);
    for (size_t k = 0; k < near.vertices.size(); ++k) {
        const int v = near.vertices[k];
        const double t = near.distances[k] == 0 ? 0 : near.distances[k] / options_.falloff;
        if (stays[v] && selected[v]) {
            throw InvalidInput(fmt::format("Vertex {} is both selected and fixed.", v));
        }
        if (stays[v] || t >= 1) continue;
        vertices_.push_back(v);
        weights_.push_back(1 - smoothstep(t));
        if (selected[v]) continue;
        is_free[v] = 1;
        pulls_.push_back(t > 0 ? pull_home(t) / (options_.falloff * options_.falloff) : 0);
    }
    return is_free;
}

void SurfaceHandle::set_up(std::span<const Triangle> triangles, std::span<const char> is_free) {
    cells_ = make_surface_cells(triangles, rest_, is_free);
    for (int i = 0; i < cells_.n_free; ++i) pulls_[i] *= cells_.areas[i];
    local_rest_.resize(cells_.vertices.size());
    gather(rest_, local_rest_);
    for (int c = 0; c < cells_.n_cells; ++c) {
        for (int k = cells_.first[c]; k < cells_.first[c + 1]; ++k) {
            rest_edges_.push_back(local_rest_[c] - local_rest_[cells_.neighbours[k]]);
        }
    }
    local_ = local_rest_;
    start_ = local_rest_;
    rotations_.assign(cells_.n_cells, Mat3::Identity());
    start_rotations_ = rotations_;
    correction_.resize(cells_.n_free);
    if (cells_.n_free > 0) factor_.emplace(system_matrix());
}

SparseMatrix SurfaceHandle::system_matrix() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < cells_.n_free; ++i) {
        double diagonal = pulls_[i];
        for (int k = cells_.first[i]; k < cells_.first[i + 1]; ++k) {
            diagonal += cells_.weights[k];
            if (cells_.neighbours[k] < i) {
                entries.emplace_back(i, cells_.neighbours[k], -cells_.weights[k]);
            }
        }
        entries.emplace_back(i, i, diagonal);
    }
    SparseMatrix lower(cells_.n_free, cells_.n_free);
    lower.setFromTriplets(entries.begin(), entries.end());
    return lower;
}

void SurfaceHandle::take_shares(const HandleMove& move, std::span<Vec3> out_positions) const {
    std::copy(rest_.begin(), rest_.end(), out_positions.begin());
    const SharedMove whole(move, 1);
    const int n = static_cast<int>(vertices_.size());
    parallel_for(n, kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const Vec3& p = rest_[vertices_[k]];
            out_positions[vertices_[k]] =
                weights_[k] == 1 ? whole(p) : SharedMove(move, weights_[k])(p);
        }
    });
}

void SurfaceHandle::gather(std::span<const Vec3> positions, std::span<Vec3> out_local) const {
    for (size_t i = 0; i < cells_.vertices.size(); ++i) {
        out_local[i] = positions[cells_.vertices[i]];
    }
}

/// The rotation nearest to S = sum w e' eᵀ. Its cofactors point along the same singular vectors and
/// complete what a flat cell leaves open, so that most cells need no singular value decomposition.
Mat3 SurfaceHandle::cell_rotation(int cell, std::span<const Vec3> local) const {
    Mat3 sum = Mat3::Zero();
    for (int k = cells_.first[cell]; k < cells_.first[cell + 1]; ++k) {
        const Vec3 edge = cells_.weights[k] * (local[cell] - local[cells_.neighbours[k]]);
        sum += edge * rest_edges_[k].transpose();
    }
    const double size = sum.norm();
    return size > 0 ? nearest_rotation(sum + cofactors(sum) / size) : Mat3(Mat3::Identity());
}

double SurfaceHandle::cell_energy(int cell, std::span<const Vec3> local,
                                  const Mat3& rotation) const {
    double energy = 0;
    for (int k = cells_.first[cell]; k < cells_.first[cell + 1]; ++k) {
        const Vec3 edge = local[cell] - local[cells_.neighbours[k]];
        energy += 0.5 * cells_.weights[k] * (edge - rotation * rest_edges_[k]).squaredNorm();
    }
    if (cell < cells_.n_free) {
        energy += pulls_[cell] * (local[cell] - local_rest_[cell]).squaredNorm();
    }
    return energy;
}

/// The local step; returns the energy with the new rotations.
double SurfaceHandle::turn_cells(std::span<const Vec3> local, std::span<Mat3> out_rotations) const {
    const auto turn = [&](int begin, int end) {
        double energy = 0;
        for (int c = begin; c < end; ++c) {
            out_rotations[c] = cell_rotation(c, local);
            energy += cell_energy(c, local, out_rotations[c]);
        }
        return energy;
    };
    return parallel_reduce<double>(cells_.n_cells, kGrain, 0, turn, std::plus<>());
}

double SurfaceHandle::choose_start(std::span<const Vec3> shares) {
    gather(shares, start_);
    for (size_t i = cells_.n_free; i < start_.size(); ++i) local_[i] = start_[i];
    const double warm = turn_cells(local_, rotations_);
    const double fresh = turn_cells(start_, start_rotations_);
    if (warm <= fresh) return warm;
    local_.swap(start_);
    rotations_.swap(start_rotations_);
    return fresh;
}

/// The global step, solved for the change: where all agrees already nothing is lost to rounding.
void SurfaceHandle::move_free() {
    parallel_for(cells_.n_free, kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Vec3 sum = pulls_[i] * (local_rest_[i] - local_[i]);
            for (int k = cells_.first[i]; k < cells_.first[i + 1]; ++k) {
                const int j = cells_.neighbours[k];
                const Vec3 wanted = 0.5 * ((rotations_[i] + rotations_[j]) * rest_edges_[k]);
                sum += cells_.weights[k] * (wanted - (local_[i] - local_[j]));
            }
            correction_[i] = sum;
        }
    });
    factor_->solve(correction_, correction_);
    for (int i = 0; i < cells_.n_free; ++i) local_[i] += correction_[i];
}

HandleReport SurfaceHandle::drag(const HandleMove& move, std::span<Vec3> out_positions) {
    if (out_positions.size() != rest_.size()) {
        throw InvalidInput(fmt::format("A drag of {} vertices cannot be written to {}.",
                                       rest_.size(), out_positions.size()));
    }
    take_shares(move, out_positions);
    require_in_range(out_positions, vertices_);
    if (!factor_) return {};
    if (move.is_identity()) {
        local_ = local_rest_;
        return {};
    }
    HandleReport report{.energy = choose_start(out_positions)};
    while (report.iterations < options_.iterations) {
        if (report.iterations > 0) report.energy = turn_cells(local_, rotations_);
        move_free();
        ++report.iterations;
    }
    for (int i = 0; i < cells_.n_free; ++i) out_positions[cells_.vertices[i]] = local_[i];
    return report;
}

}  // namespace toile
