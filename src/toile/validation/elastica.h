// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <vector>

namespace toile {

/// The planar inextensible heavy elastica, clamped at one end: θ'' = -Γ u cos θ, with θ the angle
/// below the horizontal, u the distance from the free end over the length, and Γ = w L³/B
/// [Romero21]. Solved by shooting from the free end, with 4,000 steps of fourth order.
/// `clamp_angle` (rad) is θ at the clamp, from -π/2 (upright; Γ must then be below that of
/// buckling) to π/2.
class Elastica {
  public:
    explicit Elastica(double gamma, double clamp_angle = 0);

    /// (reach, drop) over the length at arc length s from the clamp, 0 to 1; beyond, straight on.
    [[nodiscard]] Vec2 point(double s) const;
    [[nodiscard]] double drop_over_reach() const { return points_.back()[1] / points_.back()[0]; }
    [[nodiscard]] double tip_angle() const { return angles_.front(); }

  private:
    double improve(double gamma);
    void lay_out();

    std::vector<double> angles_;  // from the tip on
    std::vector<Vec2> points_;    // from the clamp on
};

}  // namespace toile
