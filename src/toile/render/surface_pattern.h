// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/scene_view.h"

namespace toile {

/// `color` as the pattern dyes it at texture coordinates `uv`. `pixel` is the width of a pixel in
/// texture units there: what is finer than a pixel or two fades to its mean.
Color dyed(const Color& color, const SurfaceLook& look, const Vec2& uv, float pixel);

/// `color` where a thin line crosses it with `ink` in [0, 1].
Color inked(const Color& color, float ink);

}  // namespace toile
