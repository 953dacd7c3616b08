// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/alignment.h"

#include "toile/core/error.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

/// A singular value below this part of what the spreads of both sets allow is rounding.
constexpr double kRankTolerance = 1e-10;

struct Spread {
    Vec3 mean = Vec3::Zero();
    double squared = 0;  ///< sum of squared distances from the mean; m²
};

Spread spread_of(std::span<const Vec3> points) {
    Spread spread;
    if (points.empty()) return spread;
    const Vec3 origin = points[0];  // near all points, so that far-away sets lose no digits
    for (const Vec3& p : points) spread.mean += p - origin;
    spread.mean = origin + spread.mean / static_cast<double>(points.size());
    for (const Vec3& p : points) spread.squared += (p - spread.mean).squaredNorm();
    return spread;
}

void check(std::span<const Vec3> from, std::span<const Vec3> to) {
    if (from.size() != to.size()) {
        throw InvalidInput(
            fmt::format("Only equal numbers of points can be aligned; found {} and {}.",
                        from.size(), to.size()));
    }
    for (size_t i = 0; i < from.size(); ++i) {
        if (from[i].allFinite() && to[i].allFinite()) continue;
        throw InvalidInput(
            fmt::format("Point {} has a coordinate that is not finite, so nothing aligns it.", i));
    }
}

/// Turns the line `a` into the line `b` by the smallest angle; both of unit length.
Mat3 smallest_turn(const Vec3& a, const Vec3& b) {
    return Eigen::Quaterniond::FromTwoVectors(a, b).toRotationMatrix();
}

struct Rotation {
    Mat3 matrix = Mat3::Identity();
    double trace = 0;  ///< of the covariance after rotation: sum of b · R a; m²
    int rank = 0;
};

Rotation best_rotation(const Mat3& covariance, double largest_singular_value) {
    const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3& U = svd.matrixU();
    const Mat3& V = svd.matrixV();
    const Vec3& D = svd.singularValues();
    Rotation result;
    while (result.rank < 3 && D[result.rank] > kRankTolerance * largest_singular_value)
        ++result.rank;
    if (result.rank == 0) return result;
    const double handedness = (U * V.transpose()).determinant() < 0 ? -1 : 1;
    result.trace = D[0] + D[1] + handedness * D[2];
    if (result.rank == 1) {
        result.matrix = smallest_turn(V.col(0), U.col(0));
    } else {
        result.matrix = U * Vec3(1, 1, handedness).asDiagonal() * V.transpose();
    }
    return result;
}

double rms_after(const Transform& transform, std::span<const Vec3> from, std::span<const Vec3> to) {
    double sum = 0;
    for (size_t i = 0; i < from.size(); ++i) sum += (transform(from[i]) - to[i]).squaredNorm();
    return from.empty() ? 0 : std::sqrt(sum / static_cast<double>(from.size()));
}

}  // namespace

AlignmentResult align(std::span<const Vec3> from, std::span<const Vec3> to, Alignment kind) {
    check(from, to);
    const Spread a = spread_of(from);
    const Spread b = spread_of(to);
    Mat3 covariance = Mat3::Zero();
    for (size_t i = 0; i < from.size(); ++i) {
        covariance += (to[i] - b.mean) * (from[i] - a.mean).transpose();
    }
    const Rotation rotation =
        best_rotation(covariance, std::sqrt(a.squared) * std::sqrt(b.squared));
    AlignmentResult result;
    result.rank = rotation.rank;
    if (kind == Alignment::Rigid || kind == Alignment::Similarity) {
        result.transform.rotation = rotation.matrix;
    }
    if (kind == Alignment::Similarity && rotation.rank > 0) {
        result.transform.scale = rotation.trace / a.squared;
    }
    if (kind != Alignment::None) {
        result.transform.translation =
            b.mean - result.transform.scale * (result.transform.rotation * a.mean);
    }
    result.rms = rms_after(result.transform, from, to);
    return result;
}

}  // namespace toile
