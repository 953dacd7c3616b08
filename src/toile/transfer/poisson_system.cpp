// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/poisson_system.h"

#include "toile/core/parallel.h"

#include <algorithm>

namespace toile {
namespace {

constexpr int kRowGrain = 1024;
constexpr int kNone = -1;

std::vector<Triangle> with_area(std::span<const TriangleHats> hats,
                                std::span<const Triangle> triangles) {
    std::vector<Triangle> result;
    result.reserve(triangles.size());
    for (size_t t = 0; t < triangles.size(); ++t) {
        if (!hats[t].degenerate) result.push_back(triangles[t]);
    }
    return result;
}

/// Area times the square of the longest hat is at most this (0.6 for an equilateral triangle):
/// what is stiffer costs the soft rest of the mesh its digits.
constexpr double kMostStiffness = 1e4;

void limit_stiffness(std::span<TriangleHats> hats) {
    for (TriangleHats& h : hats) {
        double longest = 0;
        for (const Vec3& hat : h.hats) longest = std::max(longest, hat.squaredNorm());
        if (h.area * longest > kMostStiffness) h.area = kMostStiffness / longest;
    }
}

}  // namespace

PoissonSystem::PoissonSystem(std::span<const Vec3> rest_positions,
                             std::span<const Triangle> triangles, std::span<const int> fixed)
    : areas_(triangles.size()),
      part_of_vertex_(rest_positions.size(), kNone),
      row_of_vertex_(rest_positions.size(), kNone) {
    std::vector<TriangleHats> hats = triangle_hats(rest_positions, triangles);
    for (size_t t = 0; t < hats.size(); ++t) areas_[t] = hats[t].area;
    limit_stiffness(hats);
    find_parts(hats, triangles);
    number_rows(fixed);
    collect_corner_weights(hats, triangles);
    factor(laplacian(hats, triangles, static_cast<int>(rest_positions.size())));
}

void PoissonSystem::find_parts(std::span<const TriangleHats> hats,
                               std::span<const Triangle> triangles) {
    const std::vector<Triangle> sound = with_area(hats, triangles);
    const auto n_vertices = static_cast<int>(part_of_vertex_.size());
    const std::vector<int> component = vertex_components(sound, n_vertices);
    std::vector<char> used(component.size(), 0);
    for (const Triangle& t : sound) {
        for (const int v : t) used[static_cast<size_t>(v)] = 1;
    }
    std::vector<int> part_of_component(component.size(), kNone);
    for (size_t v = 0; v < component.size(); ++v) {
        if (!used[v]) continue;
        int& part = part_of_component[static_cast<size_t>(component[v])];
        if (part == kNone) {
            part = n_parts();
            anchored_.push_back(0);
            base_.push_back(static_cast<int>(v));
        }
        part_of_vertex_[v] = part;
    }
}

void PoissonSystem::number_rows(std::span<const int> fixed) {
    std::vector<char> held(part_of_vertex_.size(), 0);
    for (auto v = fixed.rbegin(); v != fixed.rend(); ++v) {
        const int part = part_of_vertex_[static_cast<size_t>(*v)];
        held[static_cast<size_t>(*v)] = 1;
        if (part == kNone) continue;
        anchored_[static_cast<size_t>(part)] = 1;
        base_[static_cast<size_t>(part)] = *v;
    }
    for (const int v : base_) held[static_cast<size_t>(v)] = 1;
    for (size_t v = 0; v < held.size(); ++v) {
        if (held[v] || part_of_vertex_[v] == kNone) continue;
        row_of_vertex_[v] = static_cast<int>(vertex_of_row_.size());
        vertex_of_row_.push_back(static_cast<int>(v));
    }
}

void PoissonSystem::collect_corner_weights(std::span<const TriangleHats> hats,
                                           std::span<const Triangle> triangles) {
    first_corner_.assign(vertex_of_row_.size() + 1, 0);
    const auto for_each_corner = [&](const auto& visit) {
        for (size_t t = 0; t < triangles.size(); ++t) {
            if (hats[t].degenerate) continue;
            for (size_t c = 0; c < 3; ++c) {
                const int row = row_of_vertex_[static_cast<size_t>(triangles[t][c])];
                if (row != kNone) visit(row, static_cast<int>(t), c);
            }
        }
    };
    for_each_corner([&](int row, int, size_t) { ++first_corner_[static_cast<size_t>(row) + 1]; });
    for (size_t r = 1; r < first_corner_.size(); ++r) first_corner_[r] += first_corner_[r - 1];
    corner_weights_.resize(static_cast<size_t>(first_corner_.back()));
    std::vector<int> next(first_corner_.begin(), first_corner_.end() - 1);
    for_each_corner([&](int row, int t, size_t c) {
        const TriangleHats& h = hats[static_cast<size_t>(t)];
        corner_weights_[static_cast<size_t>(next[static_cast<size_t>(row)]++)] = {
            t, h.area * h.hats[c]};
    });
}

void PoissonSystem::factor(const SparseMatrix& lower) {
    const auto n_rows = static_cast<int>(vertex_of_row_.size());
    SparseMatrix free(n_rows, n_rows);
    free.reserve(lower.nonZeros());
    for (int v = 0; v < lower.cols(); ++v) {
        const int column = row_of_vertex_[static_cast<size_t>(v)];
        if (column != kNone) free.startVec(column);
        for (SparseMatrix::InnerIterator entry(lower, v); entry; ++entry) {
            const auto other = static_cast<int>(entry.row());
            const int row = row_of_vertex_[static_cast<size_t>(other)];
            if (row != kNone && column != kNone) {
                free.insertBack(row, column) = entry.value();
            } else if (row != kNone) {
                couplings_.push_back({row, v, entry.value()});
            } else if (column != kNone) {
                couplings_.push_back({column, other, entry.value()});
            }
        }
    }
    free.finalize();
    factor_.emplace(free);
}

const Vec3& PoissonSystem::base_position(int vertex, std::span<const Vec3> positions) const {
    static const Vec3 kOrigin = Vec3::Zero();
    const auto part = static_cast<size_t>(part_of_vertex_[static_cast<size_t>(vertex)]);
    return anchored_[part] ? positions[static_cast<size_t>(base_[part])] : kOrigin;
}

// Unknowns are counted from the base of their part, so that a mesh far from the origin loses
// nothing.
void PoissonSystem::solve(std::span<const Mat3> gradients, std::span<Vec3> in_out_positions,
                          std::vector<Vec3>& scratch) const {
    const size_t n_rows = vertex_of_row_.size();
    scratch.resize(n_rows);
    parallel_for(static_cast<int>(n_rows), kRowGrain, [&](int begin, int end) {
        for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
            Vec3 sum = Vec3::Zero();
            for (auto k = static_cast<size_t>(first_corner_[r]);
                 k < static_cast<size_t>(first_corner_[r + 1]); ++k) {
                const CornerWeight& corner = corner_weights_[k];
                sum += gradients[static_cast<size_t>(corner.triangle)] * corner.weight;
            }
            scratch[r] = sum;
        }
    });
    for (size_t part = 0; part < base_.size(); ++part) {
        if (!anchored_[part]) in_out_positions[static_cast<size_t>(base_[part])].setZero();
    }
    for (const Coupling& c : couplings_) {
        const Vec3& held = in_out_positions[static_cast<size_t>(c.held_vertex)];
        scratch[static_cast<size_t>(c.free_row)] -=
            c.value * (held - base_position(c.held_vertex, in_out_positions));
    }
    factor_->solve(scratch, scratch);
    for (size_t r = 0; r < n_rows; ++r) {
        const int v = vertex_of_row_[r];
        in_out_positions[static_cast<size_t>(v)] = scratch[r] + base_position(v, in_out_positions);
    }
}

}  // namespace toile
