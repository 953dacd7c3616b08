// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/aabb.h"

#include <array>
#include <random>
#include <vector>

namespace toile {

/// A seeded source of points for tests; the same sequence everywhere.
class RandomGeometry {
  public:
    explicit RandomGeometry(unsigned seed) : engine_(seed) {}

    /// In [low, high); from the engine's bits, since standard distributions differ by library.
    double real(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
    }
    int integer(int low, int high) {
        return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
    }
    Vec3 point() { return {real(-1, 1), real(-1, 1), real(-1, 1)}; }
    /// Small integers, so that coincidences are frequent.
    Vec3 lattice_point(int range) {
        const int x = integer(-range, range);
        const int y = integer(-range, range);
        const int z = integer(-range, range);
        return Vec3(x, y, z);
    }
    Aabb box(double size) {
        const Vec3 corner = point();
        return {corner, corner + Vec3(real(0, size), real(0, size), real(0, size))};
    }

    /// Four points: in general position, on a lattice, nearly collinear, or with equal ones.
    std::array<Vec3, 4> stencil() {
        std::array<Vec3, 4> x;
        const int kind = integer(0, 5);
        for (Vec3& p : x) p = kind == 1 ? lattice_point(2) : point();
        if (kind == 2) x[3] = x[2] + real(-1, 1) * (x[1] - x[0]);
        if (kind == 3) x[3] = x[2] + real(-1, 1) * (x[1] - x[0]) + 1e-9 * point();
        if (kind == 4) x[static_cast<size_t>(integer(2, 3))] = x[1];
        if (kind == 5) x[2] = x[1] + real(-1, 2) * (x[3] - x[1]) + 1e-12 * point();
        return x;
    }

  private:
    std::mt19937 engine_;
};

}  // namespace toile
