// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <Eigen/Core>

#include <array>

namespace toile::test {

/// Step of a central difference relative to the size of the coordinates: about ε^(1/3).
inline constexpr double kDifferenceStep = 6e-6;

/// Coordinates of N points as one vector, and back.
template <size_t N>
Eigen::Matrix<double, 3 * static_cast<int>(N), 1> flat(const std::array<Vec3, N>& points) {
    Eigen::Matrix<double, 3 * static_cast<int>(N), 1> x;
    for (size_t i = 0; i < N; ++i) x.template segment<3>(3 * static_cast<int>(i)) = points[i];
    return x;
}

/// Central differences of a scalar function of N points, for coordinates of size `scale`.
template <size_t N, class Function>
Eigen::Matrix<double, 3 * static_cast<int>(N), 1> difference_gradient(
    const Function& value, const std::array<Vec3, N>& points, double scale) {
    Eigen::Matrix<double, 3 * static_cast<int>(N), 1> gradient;
    const double h = kDifferenceStep * scale;
    for (int c = 0; c < 3 * static_cast<int>(N); ++c) {
        std::array<Vec3, N> plus = points, minus = points;
        plus[static_cast<size_t>(c / 3)][c % 3] += h;
        minus[static_cast<size_t>(c / 3)][c % 3] -= h;
        gradient[c] = (value(plus) - value(minus)) / (2 * h);
    }
    return gradient;
}

/// Central differences of a gradient of N points (an array of N vectors): the Hessian, column by
/// column.
template <size_t N, class Function>
Eigen::Matrix<double, 3 * static_cast<int>(N), 3 * static_cast<int>(N)> difference_hessian(
    const Function& gradient, const std::array<Vec3, N>& points, double scale) {
    Eigen::Matrix<double, 3 * static_cast<int>(N), 3 * static_cast<int>(N)> hessian;
    const double h = kDifferenceStep * scale;
    for (int c = 0; c < 3 * static_cast<int>(N); ++c) {
        std::array<Vec3, N> plus = points, minus = points;
        plus[static_cast<size_t>(c / 3)][c % 3] += h;
        minus[static_cast<size_t>(c / 3)][c % 3] -= h;
        hessian.col(c) = (flat(gradient(plus)) - flat(gradient(minus))) / (2 * h);
    }
    return hessian;
}

}  // namespace toile::test
