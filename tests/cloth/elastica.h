// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace toile::test {

/// The planar inextensible heavy elastica, clamped horizontally: θ'' = -Γ u cos θ in the distance u
/// from the free end over the length, Γ = w L³/B. Solved by shooting from the free end.
class Elastica {
  public:
    explicit Elastica(double gamma) : gamma_(gamma) {
        double low = 0, high = std::numbers::pi / 2;
        for (int i = 0; i < 60; ++i) {
            const double tip = (low + high) / 2;
            (integrate(tip) > 0 ? high : low) = tip;
        }
        integrate((low + high) / 2);
        lay_out();
    }

    /// (reach, drop) over the length at arc length s in [0, 1] from the clamp; straight before it.
    [[nodiscard]] Vec2 point(double s) const {
        if (s <= 0) return {s, 0};
        const double at = std::min(s, 1.0) * kSteps;
        const int i = std::min(static_cast<int>(at), kSteps - 1);
        return points_[i] + (at - i) * (points_[i + 1] - points_[i]);
    }
    [[nodiscard]] double drop_over_reach() const { return points_.back()[1] / points_.back()[0]; }

  private:
    static constexpr int kSteps = 4000;

    /// Returns the angle at the clamp for an angle at the tip; fills angles_ from the tip on.
    double integrate(double tip) {
        const double h = 1.0 / kSteps;
        double angle = tip, rate = 0;
        angles_.assign(1, angle);
        for (int i = 0; i < kSteps; ++i) {
            const double u = i * h;
            const auto bend = [&](double at, double theta) {
                return -gamma_ * at * std::cos(theta);
            };
            const double k1 = bend(u, angle);
            const double k2 = bend(u + h / 2, angle + h / 2 * rate);
            const double k3 = bend(u + h / 2, angle + h / 2 * rate + h * h / 4 * k1);
            const double k4 = bend(u + h, angle + h * rate + h * h / 2 * k2);
            angle += h * rate + h * h / 6 * (k1 + k2 + k3);
            rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            angles_.push_back(angle);
        }
        return angle;
    }

    void lay_out() {
        points_.assign(1, Vec2(0, 0));
        for (int i = 0; i < kSteps; ++i) {
            const double middle = (angles_[kSteps - i] + angles_[kSteps - i - 1]) / 2;
            points_.push_back(points_.back() + Vec2(std::cos(middle), std::sin(middle)) / kSteps);
        }
    }

    double gamma_;
    std::vector<double> angles_;
    std::vector<Vec2> points_;
};

}  // namespace toile::test
