// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/transform.h"

#include <span>
#include <string>
#include <string_view>

namespace toile {

enum class MoveKind {
    Translate,  ///< X,Y,Z in m
    Rotate,     ///< AXIS,DEGREES: the axis is x, y, z or X,Y,Z of any length; right-hand rule
    Scale,      ///< FACTOR, above 0
    About       ///< X,Y,Z in m: the point that later rotations and scalings leave where it is
};

/// A part of a movement as it is written on a command line.
struct MoveStep {
    MoveKind kind = MoveKind::Translate;
    std::string_view value;
};

/// All steps as one transform, the first one first. Rotations and scalings are about the origin
/// until an About. Throws InvalidInput that says which step is not as expected.
Transform compose_moves(std::span<const MoveStep> steps);

}  // namespace toile
