// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"

#include <span>
#include <vector>

namespace toile {

/// Keeps momentum and angular momentum of pieces of cloth that nothing holds or touches, where the
/// linearly implicit step does not: its forces are those of turned-away positions, so tension
/// brakes a turn by about (rate)² × step of its speed per second, and more where the step itself
/// stretches the cloth; and the linear solver ends at its tolerance.
///
/// A piece's change of velocity takes a rigid motion more: the one that gives it the momentum that
/// it had and gravity's, and the angular momentum that it had. Nothing is done to a piece that is
/// held, or touched, or feels the air: what acts on it is then in the solve.
class FreeMotion {
  public:
    explicit FreeMotion(const Cloth& cloth);

    /// All pieces are free again.
    void begin() { free_.assign(free_.size(), 1); }
    /// The vertex's piece is not free.
    void touch(int vertex);

    /// A step of free flight.
    struct Step {
        std::span<const Vec3> positions;  ///< m, at its start
        Vec3 gain = {0, 0, 0};            ///< m/s, gravity × step
    };
    /// `inout_changes`: m/s, Δv of every vertex.
    void keep(const Step& step, std::span<Vec3> inout_changes);

  private:
    struct Sums {
        double mass = 0;
        Vec3 center = Vec3::Zero();
        Vec3 momentum = Vec3::Zero();  // that is missing
        Vec3 angular = Vec3::Zero();   // that is missing, about the centre
        Mat3 inertia = Mat3::Zero();
        Vec3 turn = Vec3::Zero();  // rad/s
    };
    void add_up(const Step& step, std::span<const Vec3> changes);

    std::span<const double> masses_;
    std::vector<int> piece_;  // of each vertex; -1: without mass
    std::vector<char> free_;  // pieces
    std::vector<Sums> sums_;
};

}  // namespace toile
