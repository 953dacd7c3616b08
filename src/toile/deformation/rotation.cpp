// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/rotation.h"

#include <Eigen/Dense>

#include <cmath>

namespace toile {
namespace {

/// Newton's iteration serves where the determinant of F, scaled to entries of at most 1, is above
/// this: a stretch ratio of at least some thousandths, where it needs fewer than ten steps.
constexpr double kNewtonDeterminant = 1e-6;
constexpr int kMostSteps = 20;
/// The error of a step is about half the square of its size, so a step of this size is the last.
constexpr double kLastStep = 1e-8;

/// F⁻ᵀ det F.
Mat3 cofactors(const Mat3& f) {
    Mat3 result;
    result.col(0) = f.col(1).cross(f.col(2));
    result.col(1) = f.col(2).cross(f.col(0));
    result.col(2) = f.col(0).cross(f.col(1));
    return result;
}

/// X ← (γ X + X⁻ᵀ / γ) / 2 with γ² = |X⁻¹| / |X| [Higham86, sec. 3]. False where it did not
/// converge.
bool newton_rotation(const Mat3& f, Mat3& out_rotation) {
    Mat3 x = f;
    for (int step = 0; step < kMostSteps; ++step) {
        const Mat3 cofactor = cofactors(x);
        const Mat3 inverse = cofactor / x.col(0).dot(cofactor.col(0));
        const double gamma = std::sqrt(inverse.norm() / x.norm());
        const Mat3 next = 0.5 * (gamma * x + inverse / gamma);
        const double change = (next - x).norm();
        x = next;
        if (change <= kLastStep) {
            out_rotation = x;
            return true;
        }
    }
    return false;
}

/// F = U S Vᵀ; of the two signs of the last singular vector the one that gives det R = +1.
Mat3 svd_rotation(const Mat3& f) {
    const Eigen::JacobiSVD<Mat3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 u = svd.matrixU();
    if (u.determinant() * svd.matrixV().determinant() < 0) u.col(2) *= -1;
    return u * svd.matrixV().transpose();
}

}  // namespace

Mat3 nearest_rotation(const Mat3& f) {
    const double size = f.cwiseAbs().maxCoeff();
    if (!(size > 0)) return Mat3::Identity();
    const Mat3 scaled = f / size;
    if (!scaled.allFinite()) return Mat3::Identity();
    Mat3 rotation;
    if (scaled.determinant() > kNewtonDeterminant && newton_rotation(scaled, rotation)) {
        return rotation;
    }
    return svd_rotation(scaled);
}

}  // namespace toile
