// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/validation/experiment.h"

namespace toile {

/// A strip from x = 0, where it is clamped, to x = length, with one more row of cells before the
/// clamp: Γ = w L³/B says all about its shape.
struct HeavyStrip {
    double gamma = 1;
    double length = 0.2;  ///< m
    int cells = 50;       ///< along the free length; as wide as they are long
    int cells_across = 3;
    /// Of the tension per width that the whole weight makes, N/m: stretch is to be negligible.
    double stiffness = 5e3;
    bool upright = false;  ///< the width is along y, else along z

    [[nodiscard]] double cell() const { return length / cells; }  ///< m
};

/// Gravity is (0, -g, 0). The air drags, 15/s, so that the strip comes to rest: where it rests does
/// not depend on it.
Scene heavy_strip_scene(const HeavyStrip& strip, const ValidationOptions& options);

/// The vertices at a distance along the strip, from one side to the other.
std::vector<int> strip_row(const World& world, const HeavyStrip& strip, int row);

}  // namespace toile
