// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/thesis_transfer.h"

#include "toile/deformation/gradient.h"
#include "toile/linalg/sparse_cholesky.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>

namespace toile {
namespace {

std::array<Vec3, 3> corners(std::span<const Vec3> positions, const Triangle& t) {
    return {positions[static_cast<size_t>(t[0])], positions[static_cast<size_t>(t[1])],
            positions[static_cast<size_t>(t[2])]};
}

/// V⁻¹ of a triangle with its fourth vertex [Lazos12, eq. 2.13].
Mat3 inverse_edges(const std::array<Vec3, 3>& p) {
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    Mat3 v;
    v << p[1] - p[0], p[2] - p[0], n / std::sqrt(n.norm());
    return v.inverse();
}

/// Collects rows of A X = Q.
class Rows {
  public:
    /// The three rows that ask triangle t for the gradient `wanted`; `columns` are its vertices and
    /// its fourth.
    void add(const std::array<int, 4>& columns, const Mat3& inverse, const Mat3& wanted,
             double weight) {
        for (int r = 0; r < 3; ++r) {
            const double first = -inverse.col(r).sum();  // the column sum: the text has the row's
            entries_.emplace_back(n_, columns[0], weight * first);
            for (int s = 0; s < 3; ++s) {
                entries_.emplace_back(n_, columns[static_cast<size_t>(s) + 1],
                                      weight * inverse(s, r));
            }
            right_.push_back(weight * wanted.col(r));
            ++n_;
        }
    }
    [[nodiscard]] SparseMatrix matrix(int n_columns) const {
        SparseMatrix a(n_, n_columns);
        a.setFromTriplets(entries_.begin(), entries_.end());
        return a;
    }
    [[nodiscard]] Eigen::MatrixXd right_side() const {
        Eigen::MatrixXd q(n_, 3);
        for (int i = 0; i < n_; ++i) q.row(i) = right_[static_cast<size_t>(i)].transpose();
        return q;
    }

  private:
    std::vector<Eigen::Triplet<double>> entries_;
    std::vector<Vec3> right_;
    int n_ = 0;
};

Rows rows_of(const TriangleMesh& target, const TrianglePairs& pairs,
             std::span<const Mat3> gradients, PairWeights weights) {
    Rows rows;
    for (int t = 0; t < target.n_triangles(); ++t) {
        const Triangle& v = target.triangles[static_cast<size_t>(t)];
        const std::array<Vec3, 3> p = corners(target.positions, v);
        const std::array<int, 4> columns = {v[0], v[1], v[2], target.n_vertices() + t};
        const Mat3 inverse = inverse_edges(p);
        const std::span<const int> sources = pairs.sources_of(t);
        double weight = 1;
        if (weights == PairWeights::AreaOverPairs) {
            const auto n = static_cast<double>(std::max<size_t>(sources.size(), 1));
            weight = std::sqrt(triangle_area(p[0], p[1], p[2]) / n);
        }
        if (sources.empty()) rows.add(columns, inverse, Mat3::Identity(), weight);
        for (const int s : sources) {
            rows.add(columns, inverse, gradients[static_cast<size_t>(s)], weight);
        }
    }
    return rows;
}

/// Rest places of the first vertex of every component, as a vector of all unknowns; the rest 0.
Eigen::MatrixXd fixed_places(const TriangleMesh& target, std::vector<char>& out_fixed) {
    const auto component = vertex_components(target.triangles, target.n_vertices());
    Eigen::MatrixXd places = Eigen::MatrixXd::Zero(target.n_vertices() + target.n_triangles(), 3);
    out_fixed.assign(static_cast<size_t>(places.rows()), 0);
    int n_seen = 0;
    for (size_t v = 0; v < component.size(); ++v) {
        if (component[v] != n_seen) continue;
        ++n_seen;
        out_fixed[v] = 1;
        places.row(static_cast<Eigen::Index>(v)) = target.positions[v].transpose();
    }
    return places;
}

}  // namespace

std::vector<Vec3> thesis_transfer(const TriangleMesh& source_rest,
                                  std::span<const Vec3> source_pose, const TriangleMesh& target,
                                  const TrianglePairs& pairs, PairWeights weights) {
    std::vector<Mat3> gradients(source_rest.triangles.size());
    deformation_gradients(source_rest.triangles, source_rest.positions, source_pose, gradients);
    const Rows rows = rows_of(target, pairs, gradients, weights);
    std::vector<char> fixed;
    Eigen::MatrixXd x = fixed_places(target, fixed);
    const SparseMatrix a = rows.matrix(static_cast<int>(x.rows()));
    Eigen::MatrixXd b = a.transpose() * (rows.right_side() - a * x);
    SparseMatrix normal = SparseMatrix(a.transpose() * a).triangularView<Eigen::Lower>();
    // Fixed unknowns keep their row, as x = 0 beside the others.
    normal.prune([&](Eigen::Index row, Eigen::Index column, double) {
        const bool held = fixed[static_cast<size_t>(row)] || fixed[static_cast<size_t>(column)];
        return row == column || !held;
    });
    for (int i = 0; i < x.rows(); ++i) {
        if (fixed[static_cast<size_t>(i)]) b.row(i).setZero();
    }
    SparseCholesky(normal).solve(b);
    x += b;
    std::vector<Vec3> positions(target.positions.size());
    for (size_t v = 0; v < positions.size(); ++v) {
        positions[v] = x.row(static_cast<Eigen::Index>(v)).transpose();
    }
    return positions;
}

}  // namespace toile
