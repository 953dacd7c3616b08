// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/elastica.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kSteps = 4000;
constexpr double kLargestChange = 0.5;     // rad, of an angle in an iteration
constexpr double kSmallestChange = 1e-12;  // rad: done
constexpr int kMostIterations = 200;

}  // namespace

Elastica::Elastica(double gamma, double clamp_angle) : angles_(kSteps + 1, clamp_angle) {
    for (int i = 0; i < kMostIterations && improve(gamma) > kSmallestChange; ++i) {
    }
    lay_out();
}

Vec2 Elastica::point(double s) const {
    if (s <= 0) return points_[0] + s * kSteps * (points_[1] - points_[0]);
    const double at = s * kSteps;
    const int i = std::min(static_cast<int>(at), kSteps - 1);
    return points_[i] + (at - i) * (points_[i + 1] - points_[i]);
}

/// One iteration of Newton's method; returns the largest change that it asks for. Rows of the
/// tridiagonal system: -θ'(0) = 0 at the tip by a mirrored point, then -θ'' - Γ u cos θ = 0; the
/// clamp's angle stays.
double Elastica::improve(double gamma) {
    constexpr double h = 1.0 / kSteps;
    std::vector<double> upper(kSteps), change(kSteps + 1, 0.0);
    double above = 0, change_above = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double u = i * h, left = angles_[i == 0 ? 1 : i - 1], right = angles_[i + 1];
        const double residual =
            (left - 2 * angles_[i] + right) + h * h * gamma * u * std::cos(angles_[i]);
        const double lower = i == 0 ? 0 : -1;
        const double diagonal = 2 + h * h * gamma * u * std::sin(angles_[i]) - lower * above;
        upper[i] = above = (i == 0 ? -2 : -1) / diagonal;
        change[i] = change_above = (residual - lower * change_above) / diagonal;
    }
    double largest = 0;
    for (int i = kSteps - 1; i >= 0; --i) {
        change[i] -= upper[i] * change[i + 1];
        largest = std::max(largest, std::abs(change[i]));
    }
    const double part = std::min(1.0, kLargestChange / largest);
    for (int i = 0; i < kSteps; ++i) angles_[i] += part * change[i];
    return largest;
}

void Elastica::lay_out() {
    points_.assign(1, Vec2(0, 0));
    for (int i = 0; i < kSteps; ++i) {
        const double middle = (angles_[kSteps - i] + angles_[kSteps - i - 1]) / 2;
        points_.push_back(points_.back() + Vec2(std::cos(middle), std::sin(middle)) / kSteps);
    }
}

}  // namespace toile
