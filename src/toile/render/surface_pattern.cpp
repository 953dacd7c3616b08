// SPDX-License-Identifier: Apache-2.0
#include "toile/render/surface_pattern.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr float kDarkSquare = 0.55F;    // of the colour, on a checker's dark squares
constexpr float kThreadEdge = 0.55F;    // of the colour, between two threads
constexpr float kInkedShare = 0.22F;    // of the colour, on a line of the mesh
constexpr float kWeftLightness = 1.1F;  // the weft catches a little more light
constexpr float kFadeFrom = 0.25F;      // pixels per feature at which a pattern begins to fade
constexpr float kFadeTo = 0.6F;

bool odd(double cell) {
    return std::fmod(std::abs(cell), 2.0) >= 1;
}

float checker(const Vec2& cell_uv) {
    return odd(std::floor(cell_uv.x()) + std::floor(cell_uv.y())) ? kDarkSquare : 1;
}

/// Plain weave: over one, under one; a thread is round, so darker at its sides and where it dives.
float weave(const Vec2& cell_uv) {
    const Vec2 cell = cell_uv.array().floor();
    const Vec2 off = 2 * (cell_uv - cell).array() - 1;  // -1 … 1 across and along the thread
    const bool weft = odd(cell.x() + cell.y());
    const double across = weft ? off.y() : off.x();
    const double along = weft ? off.x() : off.y();
    const double roundness = std::sqrt(std::max(0.0, 1 - 0.9 * across * across));
    const auto light = static_cast<float>(roundness * (1 - 0.25 * along * along));
    return (kThreadEdge + (1.12F - kThreadEdge) * light) * (weft ? kWeftLightness : 1);
}

/// Mean of each pattern over its cells, to which it fades.
float mean_of(Pattern pattern) {
    return pattern == Pattern::Checker ? 0.5F * (1 + kDarkSquare) : 0.98F;
}

}  // namespace

Color dyed(const Color& color, const SurfaceLook& look, const Vec2& uv, float pixel) {
    if (look.pattern == Pattern::None) return color;
    const Vec2 cell_uv = uv / look.pattern_size;
    const float shade = look.pattern == Pattern::Checker ? checker(cell_uv) : weave(cell_uv);
    const float pixels_per_cell = pixel / static_cast<float>(look.pattern_size);
    const float fade = std::clamp((pixels_per_cell - kFadeFrom) / (kFadeTo - kFadeFrom), 0.F, 1.F);
    return color * (shade + fade * (mean_of(look.pattern) - shade));
}

Color inked(const Color& color, float ink) {
    return color * (1 - (1 - kInkedShare) * ink);
}

}  // namespace toile
