// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/fit_energy.h"

#include "toile/deformation/gradient.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace toile {
namespace {

/// Vertices smaller than this part of the mean are as stiff as one of this size.
constexpr double kLeastVertexArea = 0.05;

using Triplet = Eigen::Triplet<double>;

double mean_area(std::span<const TriangleHats> hats) {
    double sum = 0;
    int n = 0;
    for (const TriangleHats& hat : hats) {
        sum += hat.area;
        n += !hat.degenerate;
    }
    return n > 0 ? sum / n : 1;
}

VecX inverse_areas(const std::vector<double>& areas) {
    double sum = 0;
    int n = 0;
    for (const double area : areas) {
        sum += area;
        n += area > 0;
    }
    const double least = n > 0 ? kLeastVertexArea * sum / n : 1;
    VecX inverse(static_cast<Eigen::Index>(areas.size()));
    for (size_t v = 0; v < areas.size(); ++v) {
        inverse[static_cast<Eigen::Index>(v)] = 1 / std::max(areas[v], least);
    }
    return inverse;
}

/// Gradient of the linear function on the tetrahedron of a triangle and its fourth vertex, by its
/// values at the four: sum x_c gradients[c]ᵀ.
struct TetrahedronHats {
    std::array<Vec3, 4> gradients;
    std::array<int, 4> unknowns;
};

TetrahedronHats tetrahedron_hats(const TriangleHats& hat, const Triangle& triangle,
                                 std::span<const Vec3> rest, int fourth) {
    const auto at = [&](int c) {
        return rest[static_cast<size_t>(triangle[static_cast<size_t>(c)])];
    };
    const Vec3 normal = triangle_area_vector(at(0), at(1), at(2)).normalized();
    const Vec3 up = normal / std::sqrt(2 * hat.area);
    return {{hat.hats[0] - up, hat.hats[1], hat.hats[2], up},
            {triangle[0], triangle[1], triangle[2], fourth}};
}

/// Adds weight · |sum over the terms|² to the lower triangle.
template <size_t N>
void add_square(const std::array<Vec3, N>& gradients, const std::array<int, N>& unknowns,
                double weight, std::vector<Triplet>& out) {
    for (size_t a = 0; a < N; ++a) {
        for (size_t b = 0; b < N; ++b) {
            if (unknowns[a] < unknowns[b]) continue;
            out.emplace_back(unknowns[a], unknowns[b], weight * gradients[a].dot(gradients[b]));
        }
    }
}

void add_difference(const TetrahedronHats& s, const TetrahedronHats& t, double weight,
                    std::vector<Triplet>& out) {
    std::array<Vec3, 8> gradients;
    std::array<int, 8> unknowns{};
    for (size_t c = 0; c < 4; ++c) {
        gradients[c] = s.gradients[c];
        gradients[c + 4] = -t.gradients[c];
        unknowns[c] = s.unknowns[c];
        unknowns[c + 4] = t.unknowns[c];
    }
    add_square(gradients, unknowns, weight, out);
}

}  // namespace

SparseMatrix plate_energy(std::span<const Vec3> rest, std::span<const Triangle> triangles,
                          const FitWeights& weights) {
    const int n = static_cast<int>(rest.size());
    const std::vector<TriangleHats> hats = triangle_hats(rest, triangles);
    const SparseMatrix lower = laplacian(hats, triangles, n);
    const SparseMatrix l = lower.selfadjointView<Eigen::Lower>();
    const VecX inverse_mass = inverse_areas(vertex_areas(hats, triangles, n));
    SparseMatrix bending = l * inverse_mass.asDiagonal() * l;
    bending = 2 * weights.smoothness * bending + weights.identity / mean_area(hats) * l;
    return bending.triangularView<Eigen::Lower>();
}

SparseMatrix full_energy(std::span<const Vec3> rest, std::span<const Triangle> triangles,
                         const FitWeights& weights) {
    const int n_vertices = static_cast<int>(rest.size());
    const int n = n_vertices + static_cast<int>(triangles.size());
    const std::vector<TriangleHats> hats = triangle_hats(rest, triangles);
    const EdgeTopology topology = build_edges(triangles, n_vertices);
    std::vector<TetrahedronHats> tetrahedra(triangles.size());
    std::vector<Triplet> entries;
    entries.reserve(36 * topology.edges.size() + 10 * triangles.size() + static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0.0);
    for (size_t t = 0; t < triangles.size(); ++t) {
        if (hats[t].degenerate) continue;
        tetrahedra[t] =
            tetrahedron_hats(hats[t], triangles[t], rest, n_vertices + static_cast<int>(t));
        add_square(tetrahedra[t].gradients, tetrahedra[t].unknowns, weights.identity, entries);
    }
    for (int e = 0; e < topology.n_edges(); ++e) {
        const std::span<const int> around = topology.triangles_of_edge(e);
        for (size_t a = 0; a < around.size(); ++a) {
            for (size_t b = a + 1; b < around.size(); ++b) {
                const auto s = static_cast<size_t>(around[a]);
                const auto t = static_cast<size_t>(around[b]);
                if (hats[s].degenerate || hats[t].degenerate) continue;
                add_difference(tetrahedra[s], tetrahedra[t], 2 * weights.smoothness, entries);
            }
        }
    }
    SparseMatrix lower(n, n);
    lower.setFromTriplets(entries.begin(), entries.end());
    return lower;
}

}  // namespace toile
