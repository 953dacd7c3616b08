// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"
#include "toile/sim/bodies.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// What a cloth's pins ask for and cannot have, as sentences with vertices and time; looked for
/// before anything has moved, so of those pins alone that hold from the start:
/// - two vertices led farther apart than the cloth between them, measured along the edges of its
///   mesh as it stands at the start, can stretch. A shorter way across the triangles
///   is not looked for: all that is said is true, but not all that is true is said;
/// - a vertex led through an obstacle, or an obstacle led through a held vertex; each vertex is
///   tested by continuous collision over the steps of the scene.
std::vector<std::string> unmet_pins(const Scene& scene, const ClothBody& cloth,
                                    std::span<const ObstacleBody> obstacles);

}  // namespace toile
